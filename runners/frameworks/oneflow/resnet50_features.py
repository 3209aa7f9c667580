"""Feature extraction with ResNet-50 v1.5, cut after the average pool, in OneFlow."""

import oneflow as flow

from runners.frameworks.oneflow import resnet50


# step: model
def network(workload):
    return resnet50.features(workload).eval()


# step: model
def extract(network, images):
    """Copy the features of a batch to the host; return their mean there."""
    with flow.no_grad():
        return network(images).cpu().mean()
