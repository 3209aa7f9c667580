"""DenseNet-121 on chest X-rays: 14 findings, each present or not, in MXNet; the network is the model zoo's."""

import mxnet as mx
from mxnet import gluon
from mxnet.gluon.model_zoo import vision


# step: model
def network(workload, device):
    layers = vision.densenet121(classes=workload["network"]["classes"])
    layers.initialize(mx.init.Xavier(), ctx=device)
    layers.hybridize()
    return layers


cross_entropy = gluon.loss.SigmoidBinaryCrossEntropyLoss()


# step: loss
def loss(network, images, findings):
    return cross_entropy(network(images), findings)


# step: optimizer
def optimizer(network, workload, store):
    settings = workload["optimizer"]
    # MXNet adds epsilon before the second moment's bias is corrected.
    options = {name: settings[name] for name in ("learning_rate", "beta1", "beta2", "epsilon")}
    return gluon.Trainer(network.collect_params(), "adam", options, kvstore=store, update_on_kvstore=False)
