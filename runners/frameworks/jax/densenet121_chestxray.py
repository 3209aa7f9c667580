"""DenseNet-121 with a yes or no for each of 14 findings, in JAX."""

from functools import partial

import optax
from flax import nnx
from jax import numpy as jnp

from runners.frameworks.jax import pictures
from runners.worker.quality import mean_auc

# step: data
real_batches = pictures.xray_batches
loader = pictures.loader


# step: model
class Layer(nnx.Module):
    """Two convolutions, each after normalisation and ReLU, whose outcome is put beside what came in."""

    def __init__(self, inputs, settings, convolution, norm):
        width = settings["bottleneck"] * settings["growth"]
        self.norm1 = norm(inputs)
        self.convolution1 = convolution(inputs, width, (1, 1))
        self.norm2 = norm(width)
        self.convolution2 = convolution(width, settings["growth"], (3, 3), padding=1)

    def __call__(self, x):
        y = self.convolution1(nnx.relu(self.norm1(x)))
        y = self.convolution2(nnx.relu(self.norm2(y)))
        return jnp.concatenate([x, y], axis=-1)


# step: model
class Transition(nnx.Module):
    """Between two blocks: half the channels, half the height and width."""

    def __init__(self, inputs, convolution, norm):
        self.norm = norm(inputs)
        self.convolution = convolution(inputs, inputs // 2, (1, 1))

    def __call__(self, x):
        return nnx.avg_pool(self.convolution(nnx.relu(self.norm(x))), (2, 2), strides=(2, 2))


# step: model
class Network(nnx.Module):
    def __init__(self, settings, dtype, rngs):
        he, epsilon = nnx.initializers.he_normal(), settings["batch_norm_epsilon"]
        convolution = partial(nnx.Conv, use_bias=False, kernel_init=he, dtype=dtype, rngs=rngs)
        norm = partial(nnx.BatchNorm, momentum=0.9, epsilon=epsilon, dtype=dtype, rngs=rngs)
        channels = settings["stem"]
        self.stem = convolution(3, channels, (7, 7), strides=2, padding=3)
        self.stem_norm = norm(channels)
        self.layers = nnx.List()
        for block, count in enumerate(settings["blocks"]):
            if block:
                self.layers.append(Transition(channels, convolution, norm))
                channels //= 2
            for _ in range(count):
                self.layers.append(Layer(channels, settings, convolution, norm))
                channels += settings["growth"]
        self.norm = norm(channels)
        small = nnx.initializers.variance_scaling(1 / 3, "fan_in", "uniform")
        self.output = nnx.Linear(channels, settings["classes"], kernel_init=small, dtype=dtype, rngs=rngs)

    def __call__(self, images):
        x = nnx.relu(self.stem_norm(self.stem(images)))
        x = nnx.max_pool(x, (3, 3), strides=(2, 2), padding=((1, 1), (1, 1)))
        for layer in self.layers:
            x = layer(x)
        return self.output(nnx.relu(self.norm(x)).mean(axis=(1, 2))).astype(jnp.float32)


# step: model
def network(workload, dtype, rngs):
    return Network(workload["network"], dtype, rngs)


# step: loss
def loss(network, images, findings):
    return optax.sigmoid_binary_cross_entropy(network(images), findings).mean()


# step: optimizer
def optimizer(workload):
    settings = workload["optimizer"]
    return optax.adam(settings["learning_rate"], settings["beta1"], settings["beta2"], settings["epsilon"])


def quality(answer, request):
    """Return the mean area under the ROC curve of the 14 findings over the whole test set."""
    scores, truths = [], []
    for images, findings in pictures.xray_test_batches(request):
        scores += answer(images).tolist()
        truths += findings.tolist()
    return mean_auc(scores, truths)
