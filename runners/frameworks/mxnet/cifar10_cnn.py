"""CIFAR-10 CNN: a small VGG-style network on 32 × 32 images, in MXNet."""

import mxnet as mx
import numpy as np
from mxnet import gluon
from mxnet.gluon import nn

from runners.frameworks.mxnet import loading
from runners.worker.datasets import cifar10


# step: data
def real_images(directory, split, samples):
    """Read all images of a split into RAM, as float32 in [0, 1], and their labels."""
    records = np.frombuffer(cifar10(directory, split, samples), dtype="uint8").reshape(samples, -1)
    return records[:, 1:].reshape(samples, 3, 32, 32).astype("float32") / 255, records[:, 0].astype("int64")


# step: data
def real_batches(request):
    directory, samples = request["data"]["directory"], request["workload"]["real"]["train_samples"]
    return loading.in_memory(request, *real_images(directory, "train", samples))


# step: model
def network(workload, device):
    a, b, c, d = workload["network"]["convolutions"]
    hidden, classes = workload["network"]["hidden"], workload["network"]["classes"]
    dropout_convolution, dropout_hidden = (workload["network"][f"dropout_{part}"] for part in ("convolution", "hidden"))
    layers = nn.HybridSequential()
    layers.add(
        nn.Conv2D(a, kernel_size=3, padding=1, activation="relu"),
        nn.Conv2D(b, kernel_size=3, padding=1),
        nn.MaxPool2D(2),
        nn.Activation("relu"),
        nn.Dropout(dropout_convolution),
        nn.Conv2D(c, kernel_size=3, padding=1, activation="relu"),
        nn.Conv2D(d, kernel_size=3, padding=1),
        nn.MaxPool2D(2),
        nn.Activation("relu"),
        nn.Dropout(dropout_convolution),
        nn.Flatten(),
        nn.Dense(hidden, activation="relu"),
        nn.Dropout(dropout_hidden),
        nn.Dense(classes),
    )
    layers.initialize(mx.init.Xavier(), ctx=device)  # Glorot uniform; biases are 0
    layers.hybridize()
    return layers


cross_entropy = gluon.loss.SoftmaxCrossEntropyLoss()


# step: loss
def loss(network, images, labels):
    return cross_entropy(network(images), labels)


# step: optimizer
def optimizer(network, workload, store):
    settings = workload["optimizer"]
    options = {"learning_rate": settings["learning_rate"], "momentum": settings["momentum"]}
    return gluon.Trainer(network.collect_params(), "sgd", options, kvstore=store, update_on_kvstore=False)


def quality(trained, request, device):
    """Return the share of the whole test set that is classified correctly."""
    directory, samples = request["data"]["directory"], request["workload"]["real"]["test_samples"]
    return loading.accuracy(trained, device, *real_images(directory, "test", samples))
