"""Inference with ResNet-50 v1.5, cut after the average pool, in JAX."""

from flax import nnx
from jax import numpy as jnp

from runners.frameworks.jax import pictures
from runners.frameworks.jax.resnet import Trunk

# step: data
real_batches = pictures.inference_batches
loader = pictures.loader


# step: model
class Network(nnx.Module):
    def __init__(self, settings, dtype, rngs):
        self.trunk = Trunk(settings, dtype, rngs)

    def __call__(self, images):
        return self.trunk(images).astype(jnp.float32)


# step: model
def network(workload, dtype, rngs):
    return Network(workload["network"], dtype, rngs)
