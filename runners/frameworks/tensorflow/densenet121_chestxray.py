"""DenseNet-121 on chest X-rays with 14 findings, in TensorFlow: the network of keras.applications."""

import tensorflow as tf
from tensorflow.keras import layers

from runners.frameworks.tensorflow import real
from runners.worker.quality import mean_auc


# step: data
def real_batches(request):
    return real.batches(real.x_rays(request, "train"), request, real.random_part)


# step: model
def network(workload):
    settings = workload["network"]
    channels, rows, columns = settings["input"]
    densenet = tf.keras.applications.DenseNet121(
        weights=None,
        input_shape=(rows, columns, channels),
        classes=settings["classes"],
        classifier_activation=None,
    )
    for layer in densenet.layers:
        if isinstance(layer, layers.BatchNormalization):
            layer.momentum, layer.epsilon = 0.9, settings["batch_norm_epsilon"]
    return densenet


# step: loss
def loss(network, images, findings, training):
    cross_entropy = tf.keras.losses.BinaryCrossentropy(from_logits=True)
    return cross_entropy(findings, network(images, training=training))


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
    """Return the mean area under the ROC curve over the findings, on the whole test set."""
    paths, findings = real.x_rays(request, "test")
    return mean_auc(real.predictions(trained, paths, real.middle_part).tolist(), findings.tolist())
