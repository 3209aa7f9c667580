"""CIFAR-10 CNN: a small VGG-style network on 32 × 32 images, in JAX."""

from functools import partial

import numpy as np
import optax
from flax import nnx
from jax import numpy as jnp

from runners.worker.datasets import cifar10


# step: data
def real_images(directory, split, samples):
    """Read all images of a split into RAM, as float32 in [0, 1], and their labels."""
    records = np.frombuffer(cifar10(directory, split, samples), dtype=np.uint8).reshape(samples, -1)
    images = records[:, 1:].reshape(samples, 3, 32, 32).transpose(0, 2, 3, 1)
    return images.astype(np.float32) / 255, records[:, 0].astype(np.int32)


# step: data
def real_batches(request):
    """Yield full batches without end; each epoch goes through all images in a new order, shared by the processes."""
    images, labels = real_images(request["data"]["directory"], "train", request["workload"]["real"]["train_samples"])
    size, place = request["batch_per_device"], request["process"]
    chance = np.random.default_rng(request["seed"])
    while True:
        order = chance.permutation(len(images))[place["rank"] :: place["count"]]
        for start in range(0, len(images) // place["count"] - size + 1, size):
            chosen = order[start : start + size]
            yield images[chosen], labels[chosen]


# step: model
class Network(nnx.Module):
    """Glorot-uniform weights, biases 0."""

    def __init__(self, settings, dtype, rngs):
        a, b, c, d = settings["convolutions"]
        hidden, classes = settings["hidden"], settings["classes"]
        glorot = nnx.initializers.glorot_uniform()
        convolution = partial(nnx.Conv, kernel_size=(3, 3), kernel_init=glorot, dtype=dtype, rngs=rngs)
        self.convolution1 = convolution(3, a)
        self.convolution2 = convolution(a, b)
        self.convolution3 = convolution(b, c)
        self.convolution4 = convolution(c, d)
        self.flattened = (d, 8, 8)
        self.hidden = nnx.Linear(d * 8 * 8, hidden, kernel_init=glorot, dtype=dtype, rngs=rngs)
        self.output = nnx.Linear(hidden, classes, kernel_init=glorot, dtype=dtype, rngs=rngs)
        self.dropout_convolution = nnx.Dropout(settings["dropout_convolution"], rngs=rngs)
        self.dropout_hidden = nnx.Dropout(settings["dropout_hidden"], rngs=rngs)

    def __call__(self, images):
        x = nnx.relu(self.convolution1(images))
        x = nnx.relu(nnx.max_pool(self.convolution2(x), (2, 2), strides=(2, 2)))
        x = self.dropout_convolution(x)
        x = nnx.relu(self.convolution3(x))
        x = nnx.relu(nnx.max_pool(self.convolution4(x), (2, 2), strides=(2, 2)))
        x = self.dropout_convolution(x)
        x = nnx.relu(self.hidden(x.reshape(len(x), -1)))
        return self.output(self.dropout_hidden(x)).astype(jnp.float32)


# step: model
def network(workload, dtype, rngs):
    return Network(workload["network"], dtype, rngs)


# step: loss
def loss(network, images, labels):
    return optax.softmax_cross_entropy_with_integer_labels(network(images), labels).mean()


# step: optimizer
def optimizer(workload):
    settings = workload["optimizer"]
    return optax.sgd(settings["learning_rate"], momentum=settings["momentum"])


def quality(answer, request):
    """Return the share of the whole test set that is classified correctly."""
    samples = request["workload"]["real"]["test_samples"]
    images, labels = real_images(request["data"]["directory"], "test", samples)
    right = 0
    for start in range(0, samples, 1000):
        right += (answer(images[start : start + 1000]).argmax(axis=1) == labels[start : start + 1000]).sum().item()
    return right / samples
