"""ResNet-50 v1.5: bottlenecks whose 3 × 3 convolution has the stride, in Chainer."""

import functools

import chainer
from chainer import functions as F
from chainer import links as L

from runners.frameworks.chainer import loading
from runners.worker.datasets import image_folder


# step: data
def real_batches(request):
    paths, labels, _ = image_folder(request["data"]["directory"], "train")
    return loading.from_files(request, loading.Pictures(paths, labels, loading.random_resized_crop))


# step: model
class Bottleneck(chainer.Chain):
    def __init__(self, channels_in, width, stride, epsilon):
        super().__init__()
        channels_out = 4 * width
        self.changes_shape = stride != 1 or channels_in != channels_out
        with self.init_scope():
            self.conv1 = convolution(channels_in, width, 1)
            self.bn1 = L.BatchNormalization(width, eps=epsilon)
            self.conv2 = convolution(width, width, 3, stride)
            self.bn2 = L.BatchNormalization(width, eps=epsilon)
            self.conv3 = convolution(width, channels_out, 1)
            self.bn3 = L.BatchNormalization(channels_out, eps=epsilon)
            if self.changes_shape:
                self.conv4 = convolution(channels_in, channels_out, 1, stride)
                self.bn4 = L.BatchNormalization(channels_out, eps=epsilon)

    def forward(self, x):
        h = F.relu(self.bn1(self.conv1(x)))
        h = F.relu(self.bn2(self.conv2(h)))
        h = self.bn3(self.conv3(h))
        return F.relu(h + (self.bn4(self.conv4(x)) if self.changes_shape else x))


# step: model
def convolution(channels_in, channels_out, size, stride=1):
    he = chainer.initializers.HeNormal()
    return L.Convolution2D(channels_in, channels_out, size, stride, pad=size // 2, nobias=True, initialW=he)


# step: model
def features(settings):
    """Return the network up to the average pool: (n, 3, 224, 224) becomes (n, 2048)."""
    epsilon, channels = settings["batch_norm_epsilon"], 64
    layers = [
        convolution(3, channels, 7, stride=2),
        L.BatchNormalization(channels, eps=epsilon),
        F.relu,
        functools.partial(F.max_pooling_2d, ksize=3, stride=2, pad=1, cover_all=False),
    ]
    for stage, blocks in enumerate(settings["blocks"]):
        width = 64 * 2**stage
        for block in range(blocks):
            layers.append(Bottleneck(channels, width, 2 if stage and not block else 1, epsilon))
            channels = 4 * width
    return chainer.Sequential(*layers, functools.partial(F.average, axis=(2, 3)))


# step: model
def network(workload):
    settings = workload["network"]
    small = chainer.initializers.Normal(0.01)
    layers = chainer.Sequential(features(settings), L.Linear(2048, settings["classes"], initialW=small))
    layers.smoothing = workload["optimizer"]["label_smoothing"]
    return layers


# step: loss
def loss(network, images, labels):
    """Return the cross-entropy to labels that share `smoothing` among all classes."""
    log_shares = F.log_softmax(network(images))
    labelled, all_classes = F.mean(F.select_item(log_shares, labels)), F.mean(log_shares)
    return -(1 - network.smoothing) * labelled - network.smoothing * all_classes


# step: optimizer
def optimizer(network, workload):
    settings = workload["optimizer"]
    momentum = chainer.optimizers.MomentumSGD(settings["learning_rate"], settings["momentum"]).setup(network)
    for parameter in network.params():
        if parameter.name not in ("gamma", "beta"):  # those of batch normalisation
            parameter.update_rule.add_hook(chainer.optimizer_hooks.WeightDecay(settings["weight_decay"]))
    return momentum
