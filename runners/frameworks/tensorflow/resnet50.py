"""ResNet-50 v1.5 on ImageNet's shapes, in TensorFlow. Written out: keras.applications has v1, and with biases."""

import tensorflow as tf
from tensorflow.keras import layers

from runners.frameworks.tensorflow import real


# step: data
def real_batches(request):
    return real.batches(real.pictures(request), request, real.random_crop)


# step: model
class Bottleneck(layers.Layer):
    """Convolutions of 1 × 1, 3 × 3 and 1 × 1 beside a shortcut; the stride is in the 3 × 3."""

    def __init__(self, filters, stride, projected, settings, decay):
        super().__init__()
        self.residual = tf.keras.Sequential(
            [
                *convolution(filters, 1, 1, settings, decay),
                layers.ReLU(),
                *convolution(filters, 3, stride, settings, decay),
                layers.ReLU(),
                *convolution(4 * filters, 1, 1, settings, decay),
            ]
        )
        self.shortcut = layers.Identity()
        if projected:
            self.shortcut = tf.keras.Sequential(convolution(4 * filters, 1, stride, settings, decay))

    def call(self, states, training=None):
        return tf.nn.relu(self.residual(states, training=training) + self.shortcut(states, training=training))


# step: model
def convolution(filters, size, stride, settings, decay):
    """Return a convolution, padded alike on all sides, which "same" isn't with a stride, and its normalisation."""
    strided = stride > 1 and size > 1
    return [
        *([layers.ZeroPadding2D(size // 2)] if strided else []),
        layers.Conv2D(
            filters,
            size,
            stride,
            padding="valid" if strided else "same",
            use_bias=False,
            kernel_regularizer=decay,
        ),
        # Keras' momentum is the share of the running average that stays.
        layers.BatchNormalization(momentum=0.9, epsilon=settings["batch_norm_epsilon"]),
    ]


# step: model
def body(settings, decay=None):
    """Return the layers up to the average of the last feature maps."""
    channels, rows, columns = settings["input"]
    return [
        tf.keras.Input((rows, columns, channels)),
        *convolution(64, 7, 2, settings, decay),
        layers.ReLU(),
        layers.ZeroPadding2D(1),
        layers.MaxPooling2D(3, 2),
        *(
            Bottleneck(64 * 2**stage, 2 if stage and not block else 1, not block, settings, decay)
            for stage, blocks in enumerate(settings["blocks"])
            for block in range(blocks)
        ),
        layers.GlobalAveragePooling2D(),
    ]


# step: model
def network(workload):
    # The gradient of this penalty is the weight decay; Keras' own weight_decay bypasses the momentum.
    decay = tf.keras.regularizers.L2(workload["optimizer"]["weight_decay"] / 2)
    classifier = layers.Dense(
        workload["network"]["classes"],
        kernel_initializer=tf.keras.initializers.RandomNormal(stddev=0.01),  # so that no class is preferred at first
        kernel_regularizer=decay,
        bias_regularizer=decay,
    )
    resnet = tf.keras.Sequential([*body(workload["network"], decay), classifier])
    resnet.smoothing = workload["optimizer"]["label_smoothing"]
    return resnet


# step: loss
def loss(network, images, labels, training):
    logits = network(images, training=training)
    cross_entropy = tf.keras.losses.CategoricalCrossentropy(from_logits=True, label_smoothing=network.smoothing)
    return cross_entropy(tf.one_hot(labels, logits.shape[-1]), logits)


# step: optimizer
def optimizer(workload):
    settings = workload["optimizer"]
    return tf.keras.optimizers.SGD(settings["learning_rate"], momentum=settings["momentum"])
