"""GRU on IMDB: one recurrent layer reads a film review word by word, in TensorFlow."""

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

from runners.frameworks.tensorflow import real
from runners.worker.datasets import imdb


# step: data
def real_reviews(request, split):
    """Read all reviews of a split into RAM, as word ids, and their labels."""
    workload = request["workload"]
    words, labels = imdb(request["data"]["directory"], split, workload)
    words = np.array(words, np.int64).reshape(-1, workload["network"]["length"])
    return words, np.frombuffer(labels, np.uint8).astype(np.int64)


# step: data
def real_batches(request):
    return real.batches(real_reviews(request, "train"), request)


# step: model
def network(workload):
    settings = workload["network"]
    return tf.keras.Sequential(
        [
            tf.keras.Input((settings["length"],), dtype="int64"),
            layers.Embedding(settings["vocabulary"], settings["embedding"]),
            layers.GRU(settings["units"]),
            layers.Dense(settings["classes"]),
        ]
    )


# step: loss
def loss(network, words, labels, training):
    cross_entropy = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    return cross_entropy(labels, network(words, training=training))


# step: optimizer
def optimizer(workload):
    settings = workload["optimizer"]
    return tf.keras.optimizers.Adam(
        settings["learning_rate"],
        beta_1=settings["beta1"],
        beta_2=settings["beta2"],
        epsilon=settings["epsilon"],
    )


def quality(trained, request):
    """Return the share of the whole test set that is classified correctly."""
    return real.accuracy(trained, *real_reviews(request, "test"))
