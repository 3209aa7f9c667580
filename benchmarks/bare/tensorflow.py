"""The CIFAR-10 CNN as one would write it in TensorFlow without us: `training()` returns the function of one step."""

import itertools

import tensorflow as tf
from tensorflow.keras import layers


def training(batch, threads):
    """Build network, optimizer and batches; return (step, wait), as a script's loop would call them."""
    tf.config.threading.set_intra_op_parallelism_threads(threads)
    tf.config.threading.set_inter_op_parallelism_threads(threads)  # of the whole process, so that both have the same
    tf.random.set_seed(0)
    network = tf.keras.Sequential(
        [
            tf.keras.Input((32, 32, 3)),
            layers.Conv2D(50, 3, padding="same", activation="relu"),
            layers.Conv2D(50, 3, padding="same"),
            layers.MaxPooling2D(2),
            layers.ReLU(),
            layers.Dropout(0.25),
            layers.Conv2D(100, 3, padding="same", activation="relu"),
            layers.Conv2D(100, 3, padding="same"),
            layers.MaxPooling2D(2),
            layers.ReLU(),
            layers.Dropout(0.25),
            layers.Flatten(),
            layers.Dense(512, activation="relu"),
            layers.Dropout(0.5),
            layers.Dense(10),
        ]
    )
    criterion = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    optimizer = tf.keras.optimizers.SGD(0.01, momentum=0.9)
    images = [tf.random.uniform((batch, 32, 32, 3)) for _ in range(8)]
    labels = [tf.random.uniform((batch,), maxval=10, dtype=tf.int32) for _ in range(8)]
    batches = itertools.cycle(zip(images, labels))

    @tf.function
    def update(images, labels):
        with tf.GradientTape() as tape:
            loss = criterion(labels, network(images, training=True))
        variables = network.trainable_variables
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))

    return lambda: update(*next(batches)), network.trainable_variables[-1].numpy
