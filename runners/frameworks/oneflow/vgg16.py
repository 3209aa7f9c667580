"""VGG-16 without batch normalisation on ImageNet's shapes, in OneFlow."""

import oneflow as flow
from oneflow import nn
from oneflow.nn import functional

from runners.frameworks.oneflow import resnet50

# step: data
real_batches = resnet50.real_batches
loader = resnet50.loader


# step: model
def network(workload):
    sizes = workload["network"]
    layers, channels = [], sizes["input"][0]
    for stage in sizes["convolutions"]:
        for width in stage:
            layers += [nn.Conv2d(channels, width, kernel_size=3, padding=1), nn.ReLU()]
            channels = width
        layers.append(nn.MaxPool2d(2))
    hidden, dropout = sizes["hidden"], sizes["dropout_hidden"]
    layers += [
        nn.Flatten(),
        nn.Linear(channels * 7 * 7, hidden),
        nn.ReLU(),
        nn.Dropout(dropout),
        nn.Linear(hidden, hidden),
        nn.ReLU(),
        nn.Dropout(dropout),
        nn.Linear(hidden, sizes["classes"]),
    ]
    return nn.Sequential(*layers).apply(initial)


# step: model
def initial(layer):
    """Draw initial weights: convolutions Kaiming normal, dense layers normal and narrow; biases are 0."""
    if isinstance(layer, nn.Conv2d):
        nn.init.kaiming_normal_(layer.weight, mode="fan_out", nonlinearity="relu")
    if isinstance(layer, nn.Linear):
        nn.init.normal_(layer.weight, 0, 0.01)
    if isinstance(layer, (nn.Conv2d, nn.Linear)):
        nn.init.zeros_(layer.bias)


# step: loss
def loss(network, images, labels):
    return functional.cross_entropy(network(images), labels)


# step: optimizer
def optimizer(network, workload):
    settings = workload["optimizer"]
    return flow.optim.SGD(
        network.parameters(),
        lr=settings["learning_rate"],
        momentum=settings["momentum"],
        weight_decay=settings["weight_decay"],
    )
