"""DenseNet-121 on chest X-rays: 14 findings, each present or not, in MXNet; the network is the model zoo's."""

import mxnet as mx
import numpy as np
from mxnet import gluon
from mxnet.gluon import nn
from mxnet.gluon.data.vision import transforms
from mxnet.gluon.model_zoo import vision

from runners.frameworks.mxnet import loading
from runners.worker.datasets import chestxray
from runners.worker.quality import mean_auc


# step: data
def pictures(request, split, *cut):
    """List the X-rays of a split with their findings; each is made 264 × 264 and cut to 224 × 224."""
    paths, findings = chestxray(request["data"]["directory"], split, request["workload"])
    return loading.Pictures(request, paths, np.array(findings, dtype="float32"), transforms.Resize((264, 264)), *cut)


# step: data
def real_batches(request):
    crop = nn.Lambda(lambda picture: mx.image.random_crop(picture, (224, 224))[0])
    return loading.decoded(request, pictures(request, "train", crop, transforms.RandomFlipLeftRight()))


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


def quality(trained, request, device):
    """Return the mean area under the ROC curve over the findings, on the whole test set."""
    chosen = pictures(request, "test", transforms.CenterCrop(224))
    scores, truths = [], []
    for images, findings in gluon.data.DataLoader(chosen, batch_size=64, num_workers=loading.loader_workers(request)):
        scores += trained(images.as_in_context(device)).asnumpy().tolist()
        truths += findings.asnumpy().tolist()
    return mean_auc(scores, truths)
