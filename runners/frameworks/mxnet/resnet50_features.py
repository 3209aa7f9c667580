"""ResNet-50 up to its average pool, which gives the features of an image, in MXNet."""

import mxnet as mx
from mxnet.gluon.data.vision import transforms

from runners.frameworks.mxnet import loading
from runners.frameworks.mxnet.resnet50 import layers
from runners.worker.datasets import image_folder


# step: data
def real_batches(request):
    paths, labels, _ = image_folder(request["data"]["directory"], "train")
    steps = transforms.Resize(256, keep_ratio=True), transforms.CenterCrop(224)
    loader, batches = loading.decoded(request, loading.Pictures(request, paths, labels, *steps))
    return loader, ([images] for images, _ in batches)


# step: model
def network(workload, device):
    body = layers(workload["network"])
    body.initialize(mx.init.Xavier(rnd_type="gaussian", factor_type="out", magnitude=2), ctx=device)
    body.hybridize()
    return body
