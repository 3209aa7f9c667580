"""ResNet-50 v1.5, stride 2 in the 3 × 3 convolutions, in JAX."""

import jax
import optax
from flax import nnx
from jax import numpy as jnp

from runners.frameworks.jax import pictures
from runners.frameworks.jax.resnet import Trunk

# step: data
real_batches = pictures.training_batches
loader = pictures.loader


# step: model
class Network(nnx.Module):
    def __init__(self, settings, dtype, rngs):
        self.trunk = Trunk(settings, dtype, rngs)
        small = nnx.initializers.variance_scaling(1 / 3, "fan_in", "uniform")
        self.output = nnx.Linear(2048, settings["classes"], kernel_init=small, dtype=dtype, rngs=rngs)

    def __call__(self, images):
        return self.output(self.trunk(images)).astype(jnp.float32)


# step: model
def network(workload, dtype, rngs):
    return Network(workload["network"], dtype, rngs)


# step: loss
def loss(network, images, labels, label_smoothing):
    answers = network(images)
    wanted = optax.smooth_labels(jax.nn.one_hot(labels, answers.shape[1]), label_smoothing)
    return optax.softmax_cross_entropy(answers, wanted).mean()


# step: optimizer
def optimizer(workload):
    settings = workload["optimizer"]
    return optax.chain(
        optax.add_decayed_weights(settings["weight_decay"], mask=without_norms),
        optax.sgd(settings["learning_rate"], momentum=settings["momentum"]),
    )


# step: optimizer
def without_norms(parameters):
    """Tell for each parameter whether it decays: those of batch normalisation don't."""
    return jax.tree_util.tree_map_with_path(lambda path, _: "norm" not in jax.tree_util.keystr(path), parameters)
