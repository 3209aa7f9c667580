"""CIFAR-10 CNN: a small VGG-style network on 32 × 32 images, in Chainer."""

import chainer
import numpy as np
from chainer import functions as F
from chainer import links as L

from runners.frameworks.chainer import loading
from runners.worker.datasets import cifar10

USE_IDEEP = "never"  # Its blocks don't fit 50 and 100 channels: plain NumPy was measured to be twice as fast.


# step: data
def real_images(directory, split, samples):
    """Read all images of a split into memory, as float32 in [0, 1], and their labels."""
    records = np.frombuffer(cifar10(directory, split, samples), "uint8").reshape(samples, -1)
    return (records[:, 1:].astype("float32") / 255).reshape(samples, 3, 32, 32), records[:, 0].astype("int64")


# step: data
def real_batches(request):
    samples = request["workload"]["real"]["train_samples"]
    return loading.in_memory(request, *real_images(request["data"]["directory"], "train", samples))


# step: model
class Network(chainer.Chain):
    def __init__(self, convolutions, hidden, classes, dropout_convolution, dropout_hidden):
        super().__init__()
        a, b, c, d = convolutions
        glorot = chainer.initializers.GlorotUniform()
        self.dropout_convolution, self.dropout_hidden = dropout_convolution, dropout_hidden
        with self.init_scope():
            self.convolution1 = L.Convolution2D(3, a, ksize=3, pad=1, initialW=glorot)
            self.convolution2 = L.Convolution2D(a, b, ksize=3, pad=1, initialW=glorot)
            self.convolution3 = L.Convolution2D(b, c, ksize=3, pad=1, initialW=glorot)
            self.convolution4 = L.Convolution2D(c, d, ksize=3, pad=1, initialW=glorot)
            self.hidden = L.Linear(d * 8 * 8, hidden, initialW=glorot)
            self.output = L.Linear(hidden, classes, initialW=glorot)

    def forward(self, images):
        h = F.relu(self.convolution1(images))
        h = F.relu(F.max_pooling_2d(self.convolution2(h), 2))
        h = F.dropout(h, self.dropout_convolution)
        h = F.relu(self.convolution3(h))
        h = F.relu(F.max_pooling_2d(self.convolution4(h), 2))
        h = F.dropout(h, self.dropout_convolution)
        h = F.dropout(F.relu(self.hidden(h)), self.dropout_hidden)
        return self.output(h)


# step: model
def network(workload):
    names = ("convolutions", "hidden", "classes", "dropout_convolution", "dropout_hidden")
    return Network(*(workload["network"][name] for name in names))


# step: loss
def loss(network, images, labels):
    return F.softmax_cross_entropy(network(images), labels)


# step: optimizer
def optimizer(network, workload):
    settings = workload["optimizer"]
    return chainer.optimizers.MomentumSGD(settings["learning_rate"], settings["momentum"]).setup(network)


def quality(network, request, place):
    """Return the share of the whole test set that is classified correctly."""
    samples = request["workload"]["real"]["test_samples"]
    return loading.accuracy(network, place, *real_images(request["data"]["directory"], "test", samples))
