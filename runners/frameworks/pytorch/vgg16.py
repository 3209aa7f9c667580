"""VGG-16 without batch normalisation, in PyTorch: torchvision's."""

import torch
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
    settings = workload["network"]
    return models.vgg16(num_classes=settings["classes"], dropout=settings["dropout_hidden"])


# step: loss
def loss(network, images, labels):
    return functional.cross_entropy(network(images), labels)


# step: optimizer
def optimizer(network, workload):
    settings = workload["optimizer"]
    return torch.optim.SGD(
        network.parameters(),
        lr=settings["learning_rate"],
        momentum=settings["momentum"],
        weight_decay=settings["weight_decay"],
    )
