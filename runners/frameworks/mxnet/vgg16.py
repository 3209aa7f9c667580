"""VGG-16 without batch normalisation, in MXNet: the model zoo's network with the model zoo's initial weights."""

from mxnet import gluon
from mxnet.gluon.data.vision import transforms
from mxnet.gluon.model_zoo import vision

from runners.frameworks.mxnet import loading
from runners.worker.datasets import image_folder


# step: data
def real_batches(request):
    paths, labels, _ = image_folder(request["data"]["directory"], "train")
    crop = transforms.RandomResizedCrop(224, scale=(0.08, 1), ratio=(3 / 4, 4 / 3))
    return loading.decoded(request, loading.Pictures(request, paths, labels, crop, transforms.RandomFlipLeftRight()))


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
