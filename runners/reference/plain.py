"""Networks that are one chain of convolutions and dense layers: the CIFAR-10 CNN and VGG-16."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from runners.reference import layers, weights

if TYPE_CHECKING:
    from collections.abc import Mapping

    from runners.reference.layers import Array, Weights

INPUTS = ("images",)
_CNN_GROUP = 2  # convolutions between two poolings of the CIFAR-10 CNN


def drawn(network: Mapping[str, Any]) -> weights.Drawn:
    """Return the trainable arrays in their order."""
    channels, side, _ = network["input"]
    found: weights.Drawn = {}
    for group, sizes in enumerate(_groups(network), start=1):
        for place, (inputs, outputs) in enumerate(pairwise([channels, *sizes]), start=1):
            name = f"convolution{group}.{place}"
            found |= weights.convolution(name, inputs, outputs, kernel=3) | weights.bias(name, outputs)
        channels, side = sizes[-1], side // 2
    sizes = [channels * side * side, *[network["hidden"]] * _hidden(network), network["classes"]]
    for place, (inputs, outputs) in enumerate(pairwise(sizes), start=1):
        found |= weights.dense(f"dense{place}", inputs, outputs)
    return found


def forward(given: Weights, network: Mapping[str, Any], images: Array) -> dict[str, Array]:
    """Return the logits (samples, classes); the order of ReLU and max-pooling makes no difference."""
    values = images
    for group, sizes in enumerate(_groups(network), start=1):
        for place in range(1, len(sizes) + 1):
            values = layers.relu(layers.convolution(values, given, f"convolution{group}.{place}", padding=1))
        values = layers.max_pool(values, size=2, stride=2)
    values = values.reshape(len(values), -1)
    for place in range(1, _hidden(network) + 1):
        values = layers.relu(layers.dense(values, given, f"dense{place}"))
    return {"logits": layers.dense(values, given, f"dense{_hidden(network) + 1}")}


def _groups(network: Mapping[str, Any]) -> list[list[int]]:
    """Return the numbers of channels, grouped by the poolings between them."""
    sizes = network["convolutions"]
    if isinstance(sizes[0], list):
        return list(sizes)
    return [sizes[start : start + _CNN_GROUP] for start in range(0, len(sizes), _CNN_GROUP)]


def _hidden(network: Mapping[str, Any]) -> int:
    return 2 if isinstance(network["convolutions"][0], list) else 1
