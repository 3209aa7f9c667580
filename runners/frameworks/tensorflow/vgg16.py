"""VGG-16 without batch normalisation on ImageNet's shapes, in TensorFlow. Written out: keras.applications' has no dropout."""

import tensorflow as tf
from tensorflow.keras import layers

from runners.frameworks.tensorflow import real


# step: data
def real_batches(request):
    return real.batches(real.pictures(request), request, real.random_crop)


# step: model
def network(workload):
    settings = workload["network"]
    channels, rows, columns = settings["input"]
    # The gradient of this penalty is the weight decay; Keras' own weight_decay bypasses the momentum.
    decay = tf.keras.regularizers.L2(workload["optimizer"]["weight_decay"] / 2)
    decayed = {"kernel_regularizer": decay, "bias_regularizer": decay}
    vgg = tf.keras.Sequential([tf.keras.Input((rows, columns, channels))])
    for block in settings["convolutions"]:
        for filters in block:
            vgg.add(layers.Conv2D(filters, 3, padding="same", activation="relu", **decayed))
        vgg.add(layers.MaxPooling2D(2))
    vgg.add(layers.Flatten())
    for _ in range(2):
        vgg.add(layers.Dense(settings["hidden"], activation="relu", **decayed))
        vgg.add(layers.Dropout(settings["dropout_hidden"]))
    vgg.add(layers.Dense(settings["classes"], **decayed))
    return vgg


# step: loss
def loss(network, images, labels, training):
    cross_entropy = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    return cross_entropy(labels, network(images, training=training))


# step: optimizer
def optimizer(workload):
    settings = workload["optimizer"]
    return tf.keras.optimizers.SGD(settings["learning_rate"], momentum=settings["momentum"])
