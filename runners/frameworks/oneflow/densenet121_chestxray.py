"""DenseNet-121 on chest X-rays: 14 findings, each present or not; in OneFlow."""

import numpy as np
import oneflow as flow
from oneflow import nn
from oneflow.nn import functional

from runners.frameworks.oneflow import images
from runners.worker.datasets import chestxray
from runners.worker.quality import mean_auc

loader = images.loader


# step: data
def real_pictures(request, split, crop):
    paths, findings = chestxray(request["data"]["directory"], split, request["workload"])
    return images.Pictures(paths, np.array(findings, dtype=np.float32), crop)


# step: data
def real_batches(request):
    """Return an endless iterator over full batches of random crops."""
    return images.batches(real_pictures(request, "train", images.random_crop), request)


# step: model
class DenseLayer(nn.Module):
    """Append `growth` channels, computed from all channels so far."""

    def __init__(self, channels, growth, bottleneck, epsilon):
        super().__init__()
        self.norm1 = nn.BatchNorm2d(channels, eps=epsilon)
        self.conv1 = nn.Conv2d(channels, bottleneck * growth, kernel_size=1, bias=False)
        self.norm2 = nn.BatchNorm2d(bottleneck * growth, eps=epsilon)
        self.conv2 = nn.Conv2d(bottleneck * growth, growth, kernel_size=3, padding=1, bias=False)
        self.relu = nn.ReLU()

    def forward(self, x):
        new = self.conv1(self.relu(self.norm1(x)))
        new = self.conv2(self.relu(self.norm2(new)))
        return flow.cat([x, new], dim=1)


# step: model
def transition(channels, epsilon):
    """Return layers that halve channels, height and width."""
    return [
        nn.BatchNorm2d(channels, eps=epsilon),
        nn.ReLU(),
        nn.Conv2d(channels, channels // 2, kernel_size=1, bias=False),
        nn.AvgPool2d(2, stride=2),
    ]


# step: model
def network(workload):
    sizes = workload["network"]
    growth, epsilon, channels = sizes["growth"], sizes["batch_norm_epsilon"], sizes["stem"]
    layers = [
        nn.Conv2d(3, channels, kernel_size=7, stride=2, padding=3, bias=False),
        nn.BatchNorm2d(channels, eps=epsilon),
        nn.ReLU(),
        nn.MaxPool2d(kernel_size=3, stride=2, padding=1),
    ]
    for number, block in enumerate(sizes["blocks"]):
        if number:
            layers += transition(channels, epsilon)
            channels //= 2
        for _ in range(block):
            layers.append(DenseLayer(channels, growth, sizes["bottleneck"], epsilon))
            channels += growth
    layers += [nn.BatchNorm2d(channels, eps=epsilon), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten()]
    return nn.Sequential(*layers, nn.Linear(channels, sizes["classes"])).apply(initial)


# step: model
def initial(layer):
    """Draw the convolutions' initial weights, Kaiming normal; the last bias is 0."""
    if isinstance(layer, nn.Conv2d):
        nn.init.kaiming_normal_(layer.weight)
    if isinstance(layer, nn.Linear):
        nn.init.zeros_(layer.bias)


# step: loss
def loss(network, images, findings):
    return functional.binary_cross_entropy_with_logits(network(images), findings)


# step: optimizer
def optimizer(network, workload):
    settings = workload["optimizer"]
    return flow.optim.Adam(
        network.parameters(),
        lr=settings["learning_rate"],
        betas=(settings["beta1"], settings["beta2"]),
        eps=settings["epsilon"],
    )


def quality(trained, request, device):
    """Return the mean area under the ROC curve of the 14 findings over the whole test set."""
    pictures = real_pictures(request, "test", images.middle_crop)
    loader = flow.utils.data.DataLoader(pictures, request["batch_per_device"], num_workers=images.workers(request))
    scores = [trained(batch.to(device)).numpy() for batch, _ in loader]
    return mean_auc(np.concatenate(scores).tolist(), pictures.targets.tolist())
