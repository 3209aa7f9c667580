"""DenseNet-121 on ChestXRay: every layer of a block sees all before it; 14 findings, in Chainer."""

import functools

import chainer
import numpy as np
from chainer import functions as F
from chainer import links as L

from runners.frameworks.chainer import loading
from runners.worker.datasets import chestxray
from runners.worker.quality import mean_auc


# step: data
def real_pictures(request, split, cut):
    paths, findings = chestxray(request["data"]["directory"], split, request["workload"])
    return loading.Pictures(paths, np.array(findings, "int32"), cut)


# step: data
def real_batches(request):
    return loading.from_files(request, real_pictures(request, "train", loading.random_crop))


# step: model
class DenseLayer(chainer.Chain):
    def __init__(self, channels, growth, bottleneck, epsilon):
        super().__init__()
        with self.init_scope():
            self.norm1 = L.BatchNormalization(channels, eps=epsilon)
            self.conv1 = convolution(channels, bottleneck * growth, 1)
            self.norm2 = L.BatchNormalization(bottleneck * growth, eps=epsilon)
            self.conv2 = convolution(bottleneck * growth, growth, 3)

    def forward(self, x):
        h = self.conv1(F.relu(self.norm1(x)))
        h = self.conv2(F.relu(self.norm2(h)))
        return F.concat((x, h))


# step: model
def transition(channels, epsilon):
    return [
        L.BatchNormalization(channels, eps=epsilon),
        F.relu,
        convolution(channels, channels // 2, 1),
        functools.partial(F.average_pooling_2d, ksize=2),
    ]


# step: model
def convolution(channels_in, channels_out, size, stride=1):
    he = chainer.initializers.HeNormal()
    return L.Convolution2D(channels_in, channels_out, size, stride, pad=size // 2, nobias=True, initialW=he)


# step: model
def network(workload):
    settings = workload["network"]
    growth, epsilon, channels = settings["growth"], settings["batch_norm_epsilon"], settings["stem"]
    layers = [
        convolution(3, channels, 7, stride=2),
        L.BatchNormalization(channels, eps=epsilon),
        F.relu,
        functools.partial(F.max_pooling_2d, ksize=3, stride=2, pad=1, cover_all=False),
    ]
    for block, depth in enumerate(settings["blocks"]):
        if block:
            layers += transition(channels, epsilon)
            channels //= 2
        for _ in range(depth):
            layers.append(DenseLayer(channels, growth, settings["bottleneck"], epsilon))
            channels += growth
    layers += [L.BatchNormalization(channels, eps=epsilon), F.relu, functools.partial(F.average, axis=(2, 3))]
    small = chainer.initializers.Normal(0.01)
    return chainer.Sequential(*layers, L.Linear(channels, settings["classes"], initialW=small))


# step: loss
def loss(network, images, findings):
    return F.sigmoid_cross_entropy(network(images), findings.astype("int32"))  # Chainer takes labels as integers only


# step: optimizer
def optimizer(network, workload):
    settings = workload["optimizer"]
    adam = chainer.optimizers.Adam(
        settings["learning_rate"], settings["beta1"], settings["beta2"], eps=settings["epsilon"]
    )
    return adam.setup(network)


def quality(network, request, place):
    """Return the mean AUC over all findings and the whole test set."""
    pictures = real_pictures(request, "test", loading.centre_crop_of_264)
    scores = []
    for examples in loading.decoded(request, pictures, request["batch_per_device"], repeat=False, shuffle=False):
        images, _ = chainer.dataset.concat_examples(examples)
        scores += chainer.get_device("@numpy").send(network(place.send(images)).array).tolist()
    return mean_auc(scores, pictures.labels.tolist())
