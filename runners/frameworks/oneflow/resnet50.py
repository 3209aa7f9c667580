"""ResNet-50 v1.5 on ImageNet's shapes, in OneFlow."""

import oneflow as flow
from oneflow import nn
from oneflow.nn import functional

from runners.frameworks.oneflow import images
from runners.worker.datasets import image_folder

loader = images.loader


# step: data
def real_batches(request):
    """Return an endless iterator over full batches of random crops."""
    paths, labels, _ = image_folder(request["data"]["directory"], "train")
    return images.batches(images.Pictures(paths, labels, images.random_resized_crop), request)


# step: model
class Bottleneck(nn.Module):
    """Convolutions 1 × 1, 3 × 3 and 1 × 1 beside a shortcut; a stride is in the 3 × 3 one, hence v1.5."""

    def __init__(self, channels, width, stride, epsilon):
        super().__init__()
        self.conv1 = nn.Conv2d(channels, width, kernel_size=1, bias=False)
        self.bn1 = nn.BatchNorm2d(width, eps=epsilon)
        self.conv2 = nn.Conv2d(width, width, kernel_size=3, stride=stride, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(width, eps=epsilon)
        self.conv3 = nn.Conv2d(width, 4 * width, kernel_size=1, bias=False)
        self.bn3 = nn.BatchNorm2d(4 * width, eps=epsilon)
        self.relu = nn.ReLU()
        self.downsample = nn.Identity()
        if channels != 4 * width:
            self.downsample = nn.Sequential(
                nn.Conv2d(channels, 4 * width, kernel_size=1, stride=stride, bias=False),
                nn.BatchNorm2d(4 * width, eps=epsilon),
            )

    def forward(self, x):
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.relu(self.bn2(self.conv2(out)))
        return self.relu(self.bn3(self.conv3(out)) + self.downsample(x))


# step: model
def features(workload):
    """Return the network up to the average pool, flattened."""
    epsilon = workload["network"]["batch_norm_epsilon"]
    layers = [
        nn.Conv2d(3, 64, kernel_size=7, stride=2, padding=3, bias=False),
        nn.BatchNorm2d(64, eps=epsilon),
        nn.ReLU(),
        nn.MaxPool2d(kernel_size=3, stride=2, padding=1),
    ]
    channels = 64
    for stage, blocks in enumerate(workload["network"]["blocks"]):
        width = 64 * 2**stage
        for block in range(blocks):
            layers.append(Bottleneck(channels, width, 2 if stage and not block else 1, epsilon))
            channels = 4 * width
    return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten()).apply(kaiming)


# step: model
def kaiming(layer):
    """Draw the convolutions' initial weights, Kaiming normal over the outputs."""
    if isinstance(layer, nn.Conv2d):
        nn.init.kaiming_normal_(layer.weight, mode="fan_out", nonlinearity="relu")


# step: model
def network(workload):
    layers = nn.Sequential(features(workload), nn.Linear(2048, workload["network"]["classes"]))
    layers.smoothing = workload["optimizer"]["label_smoothing"]
    return layers


# step: loss
def loss(network, images, labels):
    return functional.cross_entropy(network(images), labels, label_smoothing=network.smoothing)


# step: optimizer
def optimizer(network, workload):
    """Return SGD; the parameters of batch normalisation do not decay."""
    settings = workload["optimizer"]
    norms = [layer for layer in network.modules() if isinstance(layer, nn.BatchNorm2d)]
    others = [layer for layer in network.modules() if isinstance(layer, (nn.Conv2d, nn.Linear))]
    return flow.optim.SGD(
        [
            {"params": parameters_of(others), "weight_decay": settings["weight_decay"]},
            {"params": parameters_of(norms), "weight_decay": 0.0},
        ],
        lr=settings["learning_rate"],
        momentum=settings["momentum"],
    )


def parameters_of(layers):
    return [parameter for layer in layers for parameter in layer.parameters(recurse=False)]
