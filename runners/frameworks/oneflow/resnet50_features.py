"""Feature extraction with ResNet-50 v1.5, cut after the average pool, in OneFlow."""

import oneflow as flow

from runners.frameworks.oneflow import images, resnet50
from runners.worker.datasets import image_folder

loader = images.loader


# step: data
def real_batches(request):
    """Return an endless iterator over full batches of the pictures' middles."""
    paths, labels, _ = image_folder(request["data"]["directory"], "train")
    pictures = images.Pictures(paths, labels, images.centre_crop)
    return (batch[:1] for batch in images.batches(pictures, request))


# step: model
def network(workload):
    return resnet50.features(workload).eval()


# step: model
def extract(network, pictures):
    """Copy the features of a batch to the host; return their mean there."""
    with flow.no_grad():
        return network(pictures).cpu().mean()
