"""ResNet-50 v1.5, cut after the average pool, as an extractor of 2,048 features, in TensorFlow."""

import tensorflow as tf

from runners.frameworks.tensorflow import real, resnet50


# step: data
def real_batches(request):
    paths, _ = real.pictures(request)
    return real.batches((paths,), request, real.centre_crop)


# step: model
def network(workload):
    return tf.keras.Sequential(resnet50.body(workload["network"]))
