"""ResNet-50 v1.5, stride 2 in the 3 × 3 convolutions, in PyTorch: torchvision's."""

import torch
from torch import nn
from torch.nn import functional

from runners.frameworks.pytorch import loading
from runners.frameworks.pytorch.vision import models, transforms
from runners.worker.datasets import image_folder


# step: data
def real_batches(request, place):
    paths, labels, _ = image_folder(request["data"]["directory"], "train")
    augment = transforms.Compose(
        [
            transforms.RandomResizedCrop(224, scale=(0.08, 1), ratio=(3 / 4, 4 / 3)),
            transforms.RandomHorizontalFlip(),
            transforms.ToTensor(),
            loading.NORMALISE,
        ]
    )
    return loading.decoded(request, place, loading.Pictures(paths, labels, augment))


# step: model
def network(workload):
    return models.resnet50(num_classes=workload["network"]["classes"])


# step: loss
def loss(network, images, labels, label_smoothing):
    return functional.cross_entropy(network(images), labels, label_smoothing=label_smoothing)


# step: optimizer
def optimizer(network, workload):
    settings = workload["optimizer"]
    normalising, others = [], []
    for layer in network.modules():
        group = normalising if isinstance(layer, nn.BatchNorm2d) else others
        group.extend(layer.parameters(recurse=False))
    return torch.optim.SGD(
        [{"params": others, "weight_decay": settings["weight_decay"]}, {"params": normalising}],
        lr=settings["learning_rate"],
        momentum=settings["momentum"],
    )
