"""ResNet-50 v1.5, in MXNet; written out, since the model zoo's first version has its strides elsewhere, and biases."""

import mxnet as mx
from mxnet import gluon
from mxnet.gluon import nn
from mxnet.gluon.data.vision import transforms

from runners.frameworks.mxnet import loading
from runners.worker.datasets import image_folder


# step: data
def real_batches(request):
    paths, labels, _ = image_folder(request["data"]["directory"], "train")
    crop = transforms.RandomResizedCrop(224, scale=(0.08, 1), ratio=(3 / 4, 4 / 3))
    return loading.decoded(request, loading.Pictures(request, paths, labels, crop, transforms.RandomFlipLeftRight()))


# step: model
class Bottleneck(nn.HybridBlock):
    """Three convolutions, the middle one with the stride, around which a shortcut leads."""

    def __init__(self, channels, stride, epsilon, first):
        super().__init__()
        with self.name_scope():
            self.body = nn.HybridSequential()
            self.body.add(
                *normalised(channels, 1, 1, epsilon),
                nn.Activation("relu"),
                *normalised(channels, 3, stride, epsilon),
                nn.Activation("relu"),
                *normalised(4 * channels, 1, 1, epsilon),
            )
            self.shortcut = nn.HybridSequential()
            if first:
                self.shortcut.add(*normalised(4 * channels, 1, stride, epsilon))

    def hybrid_forward(self, F, images):
        return F.Activation(self.body(images) + self.shortcut(images), act_type="relu")


# step: model
def normalised(channels, kernel, stride, epsilon):
    convolution = nn.Conv2D(channels, kernel, stride, padding=kernel // 2, use_bias=False)
    return convolution, nn.BatchNorm(epsilon=epsilon, momentum=0.9)


# step: model
def layers(sizes):
    """Return all layers up to the average pool."""
    epsilon = sizes["batch_norm_epsilon"]
    body = nn.HybridSequential()
    body.add(*normalised(64, 7, 2, epsilon), nn.Activation("relu"), nn.MaxPool2D(3, 2, padding=1))
    for stage, blocks in enumerate(sizes["blocks"]):
        for block in range(blocks):
            stride = 2 if stage and not block else 1
            body.add(Bottleneck(64 * 2**stage, stride, epsilon, first=not block))
    body.add(nn.GlobalAvgPool2D(), nn.Flatten())
    return body


# step: model
def network(workload, device):
    body = layers(workload["network"])
    body.add(nn.Dense(workload["network"]["classes"], weight_initializer=mx.init.Normal(0.01)))
    body.initialize(mx.init.Xavier(rnd_type="gaussian", factor_type="out", magnitude=2), ctx=device)
    body.hybridize()
    return body


cross_entropy = gluon.loss.SoftmaxCrossEntropyLoss(sparse_label=False)


# step: loss
def loss(network, images, labels, label_smoothing):
    scores = network(images)
    classes = scores.shape[1]
    wrong = label_smoothing / classes
    return cross_entropy(scores, mx.nd.one_hot(labels, classes, on_value=1 - label_smoothing + wrong, off_value=wrong))


# step: optimizer
def optimizer(network, workload, store):
    settings = workload["optimizer"]
    network.collect_params(".*(gamma|beta)").setattr("wd_mult", 0)
    options = {
        "learning_rate": settings["learning_rate"],
        "momentum": settings["momentum"],
        "wd": settings["weight_decay"],
    }
    return gluon.Trainer(network.collect_params(), "sgd", options, kvstore=store, update_on_kvstore=False)
