"""The CIFAR-10 CNN as one would write it in PyTorch without us: `training()` returns the function of one step."""

import itertools

import torch
from torch import nn


def training(batch, threads):
    """Build network, optimizer and batches; return (step, wait), as a script's loop would call them."""
    torch.set_num_threads(threads)
    torch.manual_seed(0)
    network = nn.Sequential(
        nn.Conv2d(3, 50, 3, padding=1),
        nn.ReLU(),
        nn.Conv2d(50, 50, 3, padding=1),
        nn.MaxPool2d(2),
        nn.ReLU(),
        nn.Dropout(0.25),
        nn.Conv2d(50, 100, 3, padding=1),
        nn.ReLU(),
        nn.Conv2d(100, 100, 3, padding=1),
        nn.MaxPool2d(2),
        nn.ReLU(),
        nn.Dropout(0.25),
        nn.Flatten(),
        nn.Linear(6400, 512),
        nn.ReLU(),
        nn.Dropout(0.5),
        nn.Linear(512, 10),
    )
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(network.parameters(), lr=0.01, momentum=0.9)
    batches = itertools.cycle([(torch.rand(batch, 3, 32, 32), torch.randint(10, (batch,))) for _ in range(8)])

    def step():
        images, labels = next(batches)
        optimizer.zero_grad()
        criterion(network(images), labels).backward()
        optimizer.step()

    return step, lambda: None
