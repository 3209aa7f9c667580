"""DenseNet-121 with a yes or no for each of 14 findings, in PyTorch: torchvision's."""

import torch
from torch.nn import functional

from runners.frameworks.pytorch.vision import models


# step: model
def network(workload):
    return models.densenet121(num_classes=workload["network"]["classes"])


# step: loss
def loss(network, images, findings):
    return functional.binary_cross_entropy_with_logits(network(images), findings)


# step: optimizer
def optimizer(network, workload):
    settings = workload["optimizer"]
    return torch.optim.Adam(
        network.parameters(),
        lr=settings["learning_rate"],
        betas=(settings["beta1"], settings["beta2"]),
        eps=settings["epsilon"],
    )
