"""CIFAR-10 CNN: a small VGG-style network on 32 × 32 images, in PyTorch."""

import torch
from torch import nn
from torch.nn import functional

from runners.frameworks.pytorch import loading
from runners.worker.datasets import cifar10


# step: data
def real_images(directory, split, samples):
    """Read all images of a split into RAM, as float32 in [0, 1], and their labels."""
    records = torch.frombuffer(cifar10(directory, split, samples), dtype=torch.uint8).view(samples, -1)
    return records[:, 1:].float().div_(255).view(samples, 3, 32, 32), records[:, 0].long()


# step: data
def real_batches(request, place):
    images, labels = real_images(request["data"]["directory"], "train", request["workload"]["real"]["train_samples"])
    return loading.in_memory(request, place, images, labels)


# step: model
def network(workload):
    a, b, c, d = workload["network"]["convolutions"]
    hidden, classes = workload["network"]["hidden"], workload["network"]["classes"]
    dropout_convolution, dropout_hidden = (workload["network"][f"dropout_{part}"] for part in ("convolution", "hidden"))
    layers = nn.Sequential(
        nn.Conv2d(3, a, kernel_size=3, padding="same"),
        nn.ReLU(),
        nn.Conv2d(a, b, kernel_size=3, padding="same"),
        nn.MaxPool2d(2),
        nn.ReLU(),
        nn.Dropout(dropout_convolution),
        nn.Conv2d(b, c, kernel_size=3, padding="same"),
        nn.ReLU(),
        nn.Conv2d(c, d, kernel_size=3, padding="same"),
        nn.MaxPool2d(2),
        nn.ReLU(),
        nn.Dropout(dropout_convolution),
        nn.Flatten(),
        nn.Linear(d * 8 * 8, hidden),
        nn.ReLU(),
        nn.Dropout(dropout_hidden),
        nn.Linear(hidden, classes),
    )
    return layers.apply(glorot)


# step: model
def glorot(layer):
    """Draw initial weights, Glorot uniform; biases are 0."""
    if isinstance(layer, (nn.Conv2d, nn.Linear)):
        nn.init.xavier_uniform_(layer.weight)
        nn.init.zeros_(layer.bias)


# step: loss
def loss(network, images, labels):
    return functional.cross_entropy(network(images), labels)


# step: optimizer
def optimizer(network, workload):
    settings = workload["optimizer"]
    return torch.optim.SGD(network.parameters(), lr=settings["learning_rate"], momentum=settings["momentum"])


def quality(trained, request, place):
    """Return the share of the whole test set that is classified correctly."""
    images, labels = real_images(request["data"]["directory"], "test", request["workload"]["real"]["test_samples"])
    return loading.accuracy(trained, place, images, labels)
