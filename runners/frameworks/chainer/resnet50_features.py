"""ResNet-50 feature extraction: the trained network's 2,048 averages, without gradients, in Chainer."""

import chainer
from chainer.backends import cuda

from runners.frameworks.chainer import resnet50


# step: model
def network(workload):
    return resnet50.features(workload["network"])


# step: train
def features(network, images):
    """Return the features of a batch on the host."""
    with chainer.using_config("train", False), chainer.no_backprop_mode():
        return cuda.to_cpu(network(images).array)
