"""CIFAR-10 CNN: a small VGG-style network on 32 × 32 images, in TensorFlow."""

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

from runners.frameworks.tensorflow import real
from runners.worker.datasets import cifar10


# step: data
def real_images(directory, split, samples):
    """Read all images of a split into RAM, as float32 in [0, 1], channels last, and their labels."""
    records = np.frombuffer(cifar10(directory, split, samples), np.uint8).reshape(samples, -1)
    images = records[:, 1:].reshape(samples, 3, 32, 32).transpose(0, 2, 3, 1)
    return images.astype(np.float32) / 255, records[:, 0].astype(np.int64)


# step: data
def real_batches(request):
    samples = request["workload"]["real"]["train_samples"]
    return real.batches(real_images(request["data"]["directory"], "train", samples), request)


# step: model
def network(workload):
    settings = workload["network"]
    a, b, c, d = settings["convolutions"]
    channels, rows, columns = settings["input"]
    return tf.keras.Sequential(
        [
            tf.keras.Input((rows, columns, channels)),
            layers.Conv2D(a, settings["kernel"], padding="same", activation="relu"),
            layers.Conv2D(b, settings["kernel"], padding="same"),
            layers.MaxPooling2D(2),
            layers.ReLU(),
            layers.Dropout(settings["dropout_convolution"]),
            layers.Conv2D(c, settings["kernel"], padding="same", activation="relu"),
            layers.Conv2D(d, settings["kernel"], padding="same"),
            layers.MaxPooling2D(2),
            layers.ReLU(),
            layers.Dropout(settings["dropout_convolution"]),
            layers.Flatten(),
            layers.Dense(settings["hidden"], activation="relu"),
            layers.Dropout(settings["dropout_hidden"]),
            layers.Dense(settings["classes"]),
        ]
    )


# step: loss
def loss(network, images, labels, training):
    cross_entropy = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    return cross_entropy(labels, network(images, training=training))


# step: optimizer
def optimizer(workload):
    settings = workload["optimizer"]
    return tf.keras.optimizers.SGD(settings["learning_rate"], momentum=settings["momentum"])


def quality(trained, request):
    """Return the share of the whole test set that is classified correctly."""
    samples = request["workload"]["real"]["test_samples"]
    return real.accuracy(trained, *real_images(request["data"]["directory"], "test", samples))
