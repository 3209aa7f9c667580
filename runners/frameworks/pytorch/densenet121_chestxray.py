"""DenseNet-121 with a yes or no for each of 14 findings, in PyTorch: torchvision's."""

import torch
from torch.nn import functional
from torch.utils.data import DataLoader

from runners.frameworks.pytorch import loading
from runners.frameworks.pytorch.vision import models, transforms
from runners.worker.datasets import chestxray
from runners.worker.quality import mean_auc


# step: data
def pictures(request, split, *cut):
    """List the X-rays of a split with their findings; each is made 264 × 264 and cut to 224 × 224."""
    paths, findings = chestxray(request["data"]["directory"], split, request["workload"])
    steps = [transforms.Resize((264, 264)), *cut, transforms.ToTensor(), loading.NORMALISE]
    return loading.Pictures(paths, torch.tensor(findings, dtype=torch.float32), transforms.Compose(steps))


# step: data
def real_batches(request, place):
    chosen = pictures(request, "train", transforms.RandomCrop(224), transforms.RandomHorizontalFlip())
    return loading.decoded(request, place, chosen)


# step: model
def network(workload):
    return models.densenet121(num_classes=workload["network"]["classes"])


# step: loss
def loss(network, images, findings):
    return functional.binary_cross_entropy_with_logits(network(images), findings)


# step: optimizer
def optimizer(network, workload):
    settings = workload["optimizer"]
    return torch.optim.Adam(
        network.parameters(),
        lr=settings["learning_rate"],
        betas=(settings["beta1"], settings["beta2"]),
        eps=settings["epsilon"],
    )


def quality(trained, request, place):
    """Return the mean area under the ROC curve over the findings, on the whole test set."""
    loader = DataLoader(
        pictures(request, "test", transforms.CenterCrop(224)),
        batch_size=64,
        num_workers=loading.loader_workers(request),
    )
    scores, truths = [], []
    for images, findings in loader:
        scores += trained(images.to(place)).float().tolist()
        truths += findings.tolist()
    return mean_auc(scores, truths)
