"""VGG-16 without batch normalisation, in MXNet: the model zoo's network with the model zoo's initial weights."""

from mxnet import gluon
from mxnet.gluon.model_zoo import vision


# step: model
def network(workload, device):
    layers = vision.vgg16(classes=workload["network"]["classes"])
    layers.initialize(ctx=device)
    layers.hybridize()
    return layers


cross_entropy = gluon.loss.SoftmaxCrossEntropyLoss()


# step: loss
def loss(network, images, labels):
    return cross_entropy(network(images), labels)


# step: optimizer
def optimizer(network, workload, store):
    settings = workload["optimizer"]
    options = {
        "learning_rate": settings["learning_rate"],
        "momentum": settings["momentum"],
        "wd": settings["weight_decay"],
    }
    return gluon.Trainer(network.collect_params(), "sgd", options, kvstore=store, update_on_kvstore=False)
