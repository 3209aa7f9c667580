"""VGG-16 without batch normalisation, in JAX."""

from functools import partial

import optax
from flax import nnx
from jax import numpy as jnp

from runners.frameworks.jax import pictures

# step: data
real_batches = pictures.training_batches
loader = pictures.loader


# step: model
class Network(nnx.Module):
    def __init__(self, settings, dtype, rngs):
        he = nnx.initializers.variance_scaling(2.0, "fan_out", "normal")
        convolution = partial(nnx.Conv, kernel_size=(3, 3), kernel_init=he, dtype=dtype, rngs=rngs)
        dense = partial(nnx.Linear, kernel_init=nnx.initializers.normal(0.01), dtype=dtype, rngs=rngs)
        self.stages = nnx.List()
        inputs = 3
        for stage in settings["convolutions"]:
            self.stages.append(nnx.List())
            for outputs in stage:
                self.stages[-1].append(convolution(inputs, outputs))
                inputs = outputs
        self.flattened = (inputs, 7, 7)
        self.hidden1 = dense(inputs * 7 * 7, settings["hidden"])
        self.hidden2 = dense(settings["hidden"], settings["hidden"])
        self.output = dense(settings["hidden"], settings["classes"])
        self.dropout = nnx.Dropout(settings["dropout_hidden"], rngs=rngs)

    def __call__(self, images):
        x = images
        for stage in self.stages:
            for convolution in stage:
                x = nnx.relu(convolution(x))
            x = nnx.max_pool(x, (2, 2), strides=(2, 2))
        x = self.dropout(nnx.relu(self.hidden1(x.reshape(len(x), -1))))
        x = self.dropout(nnx.relu(self.hidden2(x)))
        return self.output(x).astype(jnp.float32)


# step: model
def network(workload, dtype, rngs):
    return Network(workload["network"], dtype, rngs)


# step: loss
def loss(network, images, labels):
    return optax.softmax_cross_entropy_with_integer_labels(network(images), labels).mean()


# step: optimizer
def optimizer(workload):
    settings = workload["optimizer"]
    return optax.chain(
        optax.add_decayed_weights(settings["weight_decay"]),
        optax.sgd(settings["learning_rate"], momentum=settings["momentum"]),
    )
