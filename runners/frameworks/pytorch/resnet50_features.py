"""Inference with ResNet-50 v1.5, cut after the average pool, in PyTorch: torchvision's."""

import torch
from torch import nn

from runners.frameworks.pytorch import loading
from runners.frameworks.pytorch.vision import models, transforms
from runners.worker.datasets import image_folder


# step: data
def real_batches(request, place):
    paths, labels, _ = image_folder(request["data"]["directory"], "train")
    prepare = transforms.Compose(
        [
            transforms.Resize(256),
            transforms.CenterCrop(224),
            transforms.ToTensor(),
            loading.NORMALISE,
        ]
    )
    loader, batches = loading.decoded(request, place, loading.Pictures(paths, labels, prepare))
    return loader, ([images] for images, _ in batches)


# step: model
def network(workload):
    layers = models.resnet50()
    assert layers.fc.in_features == workload["network"]["features"]
    layers.fc = nn.Identity()
    return layers.eval()


# step: train
def infer(network, images):
    """Return the features in the host's memory, where from a GPU they may arrive later, and their mean."""
    with torch.inference_mode():
        features = network(images)
    return features.to("cpu", non_blocking=True), features.mean(dtype=torch.float32)
