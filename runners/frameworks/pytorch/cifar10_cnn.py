"""CIFAR-10 CNN: a small VGG-style network on 32 × 32 images, in PyTorch."""

import itertools

import numpy as np
import torch
from torch import nn

from runners.worker.datasets import cifar10

RING = 8  # distinct synthetic batches: none is met twice in a row, and all fit on any device


# step: data
def synthetic_batch(chance, size, workload):
    """Draw images uniform in [0, 1) and labels uniform over the classes."""
    images = chance.uniform(size=(size, *workload["network"]["input"])).astype(np.float32)
    labels = chance.randint(workload["network"]["classes"], size=size)
    return torch.from_numpy(images), torch.from_numpy(labels)


# step: data
def real_images(directory, split, samples):
    """Read all images of a split into RAM, as float32 in [0, 1], and their labels."""
    records = torch.frombuffer(cifar10(directory, split, samples), dtype=torch.uint8).view(samples, -1)
    return records[:, 1:].float().div_(255).view(samples, 3, 32, 32), records[:, 0].long()


# step: data
def shuffled(images, labels, size):
    """Yield full batches without end; each epoch goes through all images in a new order."""
    while True:
        order = torch.randperm(len(images))
        for start in range(0, len(images) - size + 1, size):
            chosen = order[start : start + size]
            yield images[chosen], labels[chosen]


# step: data
def batches(request, device):
    """Return an endless iterator over batches of the kind that the request asks for."""
    workload, size, kind = request["workload"], request["batch_per_device"], request["data"]["kind"]
    if kind == "real":
        return shuffled(*real_images(request["data"]["directory"], "train", workload["real"]["train_samples"]), size)
    chance = np.random.RandomState(request["seed"])
    ring = [synthetic_batch(chance, size, workload) for _ in range(RING)]
    if kind == "synthetic-device":
        ring = [(images.to(device), labels.to(device)) for images, labels in ring]
    return itertools.cycle(ring)


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
def loss():
    return nn.CrossEntropyLoss()


# step: optimizer
def optimizer(parameters, workload):
    return torch.optim.SGD(
        parameters, lr=workload["optimizer"]["learning_rate"], momentum=workload["optimizer"]["momentum"]
    )


def accuracy(trained, request, device):
    """Return the share of the whole test set that is classified correctly."""
    samples = request["workload"]["real"]["test_samples"]
    images, labels = real_images(request["data"]["directory"], "test", samples)
    right = 0
    for chosen in torch.arange(samples).split(1000):
        answers = trained(images[chosen].to(device)).argmax(dim=1)
        right += (answers.cpu() == labels[chosen]).sum().item()
    return right / samples
