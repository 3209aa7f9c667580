"""ResNet-50 v1.5 without its last layer, in JAX: stride 2 in the 3 × 3 convolutions."""

from functools import partial

from flax import nnx

HE = nnx.initializers.variance_scaling(2.0, "fan_out", "normal")


class Bottleneck(nnx.Module):
    """Three convolutions beside a shortcut, which has one of its own where the shape changes."""

    def __init__(self, inputs, width, stride, convolution, norm):
        outputs = 4 * width
        self.convolution1 = convolution(inputs, width, (1, 1))
        self.norm1 = norm(width)
        self.convolution2 = convolution(width, width, (3, 3), strides=stride, padding=1)
        self.norm2 = norm(width)
        self.convolution3 = convolution(width, outputs, (1, 1))
        self.norm3 = norm(outputs)
        self.changes_shape = stride != 1 or inputs != outputs
        if self.changes_shape:
            self.convolution4 = convolution(inputs, outputs, (1, 1), strides=stride)
            self.norm4 = norm(outputs)

    def __call__(self, x):
        y = nnx.relu(self.norm1(self.convolution1(x)))
        y = nnx.relu(self.norm2(self.convolution2(y)))
        y = self.norm3(self.convolution3(y))
        return nnx.relu(y + (self.norm4(self.convolution4(x)) if self.changes_shape else x))


class Trunk(nnx.Module):
    """From images to the 2048 features that the average pool leaves of each."""

    def __init__(self, settings, dtype, rngs):
        epsilon = settings["batch_norm_epsilon"]
        convolution = partial(nnx.Conv, use_bias=False, kernel_init=HE, dtype=dtype, rngs=rngs)
        norm = partial(nnx.BatchNorm, momentum=0.9, epsilon=epsilon, dtype=dtype, rngs=rngs)
        self.convolution1 = convolution(3, 64, (7, 7), strides=2, padding=3)
        self.norm1 = norm(64)
        self.blocks = nnx.List()
        inputs = 64
        for stage, count in enumerate(settings["blocks"]):
            for block in range(count):
                stride = 2 if stage and not block else 1
                self.blocks.append(Bottleneck(inputs, 64 * 2**stage, stride, convolution, norm))
                inputs = 4 * 64 * 2**stage

    def __call__(self, images):
        x = nnx.relu(self.norm1(self.convolution1(images)))
        x = nnx.max_pool(x, (3, 3), strides=(2, 2), padding=((1, 1), (1, 1)))
        for block in self.blocks:
            x = block(x)
        return x.mean(axis=(1, 2))
