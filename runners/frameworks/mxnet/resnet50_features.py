"""ResNet-50 up to its average pool, which gives the features of an image, in MXNet."""

import mxnet as mx

from runners.frameworks.mxnet.resnet50 import layers


# step: model
def network(workload, device):
    body = layers(workload["network"])
    body.initialize(mx.init.Xavier(rnd_type="gaussian", factor_type="out", magnitude=2), ctx=device)
    body.hybridize()
    return body
