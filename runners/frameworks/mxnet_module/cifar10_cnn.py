"""CIFAR-10 CNN: a small VGG-style network on 32 × 32 images, in MXNet's Module API."""

import mxnet as mx
import numpy as np

from runners.worker.datasets import cifar10


# step: data
def real_images(directory, split, samples):
    """Read all images of a split into RAM, as float32 in [0, 1], and their labels."""
    records = np.frombuffer(cifar10(directory, split, samples), dtype="uint8").reshape(samples, -1)
    return records[:, 1:].reshape(samples, 3, 32, 32).astype("float32") / 255, records[:, 0].astype("float32")


# step: data
def real_batches(request):
    """Return an endless iterator over full batches; each epoch goes through all images in a new order."""
    images, labels = real_images(request["data"]["directory"], "train", request["workload"]["real"]["train_samples"])
    np.random.seed(request["seed"])  # noqa: NPY002 - the iterator shuffles with this generator
    size = request["batch_per_device"]
    return endless(mx.io.NDArrayIter(images, labels, size, shuffle=True, last_batch_handle="discard"))


def endless(batches):
    while True:
        yield from batches
        batches.reset()


# step: model
def scores(workload):
    a, b, c, d = workload["network"]["convolutions"]
    hidden, classes = workload["network"]["hidden"], workload["network"]["classes"]
    dropout_convolution, dropout_hidden = (workload["network"][f"dropout_{part}"] for part in ("convolution", "hidden"))
    layers = relu(convolution(mx.sym.Variable("data"), a, "convolution1"))
    layers = convolution(layers, b, "convolution2")
    layers = mx.sym.Dropout(relu(max_pool(layers)), p=dropout_convolution)
    layers = relu(convolution(layers, c, "convolution3"))
    layers = convolution(layers, d, "convolution4")
    layers = mx.sym.Dropout(relu(max_pool(layers)), p=dropout_convolution)
    layers = relu(mx.sym.FullyConnected(mx.sym.flatten(layers), num_hidden=hidden, name="hidden"))
    layers = mx.sym.Dropout(layers, p=dropout_hidden)
    return mx.sym.FullyConnected(layers, num_hidden=classes, name="output")


# step: model
def convolution(layers, channels, name):
    return mx.sym.Convolution(layers, num_filter=channels, kernel=(3, 3), pad=(1, 1), name=name)


# step: model
def max_pool(layers):
    return mx.sym.Pooling(layers, kernel=(2, 2), stride=(2, 2), pool_type="max")


# step: model
def relu(layers):
    return mx.sym.Activation(layers, act_type="relu")


# step: model
INITIAL = mx.init.Xavier()  # Glorot uniform; biases are 0


# step: loss
def network(workload):
    """Return two outputs: probabilities, from which the gradient comes, and the loss of each sample."""
    logits, labels = scores(workload), mx.sym.Variable("softmax_label")
    losses = -mx.sym.pick(mx.sym.log_softmax(logits), labels)
    return mx.sym.Group([mx.sym.SoftmaxOutput(logits, labels, name="softmax"), mx.sym.BlockGrad(losses)])


# step: optimizer
def optimizer(module, workload):
    settings = workload["optimizer"]
    options = {"learning_rate": settings["learning_rate"], "momentum": settings["momentum"]}
    module.init_optimizer(optimizer="sgd", optimizer_params=options)


def quality(module, request):
    """Return the share of the whole test set that is classified correctly."""
    samples = request["workload"]["real"]["test_samples"]
    images, labels = real_images(request["data"]["directory"], "test", samples)
    answers = module.predict(mx.io.NDArrayIter(images, labels, min(1000, samples)))[0].asnumpy().argmax(axis=1)
    return float((answers == labels).mean())
