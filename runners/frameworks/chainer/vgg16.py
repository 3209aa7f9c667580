"""VGG-16 without batch normalisation, Chainer's own."""

import chainer
from chainer import functions as F
from chainer import links as L

from runners.frameworks.chainer import loading
from runners.worker.datasets import image_folder


# step: data
def real_batches(request):
    paths, labels, _ = image_folder(request["data"]["directory"], "train")
    return loading.from_files(request, loading.Pictures(paths, labels, loading.random_resized_crop))


# step: model
class Network(L.VGG16Layers):
    """Chainer's VGG-16 with fresh weights, ending before its softmax."""

    def __init__(self):
        super().__init__(pretrained_model=None)

    def forward(self, images):
        return super().forward(images, layers=["fc8"])["fc8"]


# step: model
def network(workload):
    layers = Network()
    assert layers.fc8.W.shape == (workload["network"]["classes"], workload["network"]["hidden"])
    return layers


# step: loss
def loss(network, images, labels):
    return F.softmax_cross_entropy(network(images), labels)


# step: optimizer
def optimizer(network, workload):
    settings = workload["optimizer"]
    momentum = chainer.optimizers.MomentumSGD(settings["learning_rate"], settings["momentum"]).setup(network)
    momentum.add_hook(chainer.optimizer_hooks.WeightDecay(settings["weight_decay"]))
    return momentum
