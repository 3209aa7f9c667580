"""ResNet-50 feature extraction: the trained network's 2,048 averages, without gradients, in Chainer."""

import chainer
from chainer.backends import cuda

from runners.frameworks.chainer import loading, resnet50
from runners.worker.datasets import image_folder


# step: data
def real_batches(request):
    """Return batches of images alone: nobody asks for their labels."""
    paths, labels, _ = image_folder(request["data"]["directory"], "train")
    batches, facts = loading.from_files(request, loading.Pictures(paths, labels, loading.centre_crop))
    return ((images,) for images, _ in batches), facts


# step: model
def network(workload):
    return resnet50.features(workload["network"])


# step: train
def features(network, images):
    """Return the features of a batch on the host."""
    with chainer.using_config("train", False), chainer.no_backprop_mode():
        return cuda.to_cpu(network(images).array)
