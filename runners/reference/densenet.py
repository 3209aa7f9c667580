"""DenseNet-121: in a block every layer reads the outputs of all layers before it; transitions halve channels and sides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from runners.reference import layers, weights

if TYPE_CHECKING:
    from collections.abc import Mapping

    from runners.reference.layers import Array, Weights

INPUTS = ("images",)


def drawn(network: Mapping[str, Any]) -> weights.Drawn:
    """Return the trainable arrays in their order."""
    channels, growth = network["stem"], network["growth"]
    width = network["bottleneck"] * growth
    found = weights.convolution("conv0", network["input"][0], channels, 7) | weights.normalisation("norm0", channels)
    for block, count in enumerate(network["blocks"], start=1):
        for place in range(1, count + 1):
            name = f"block{block}.layer{place}"
            found |= weights.normalisation(f"{name}.norm1", channels)
            found |= weights.convolution(f"{name}.conv1", channels, width, 1)
            found |= weights.normalisation(f"{name}.norm2", width)
            found |= weights.convolution(f"{name}.conv2", width, growth, 3)
            channels += growth
        if block < len(network["blocks"]):
            found |= weights.normalisation(f"transition{block}.norm", channels)
            found |= weights.convolution(f"transition{block}.conv", channels, channels // 2, 1)
            channels //= 2
    return found | weights.normalisation("norm5", channels) | weights.dense("classifier", channels, network["classes"])


def forward(given: Weights, network: Mapping[str, Any], images: Array) -> dict[str, Array]:
    """Return the logits (samples, classes)."""

    def activated(images: Array, name: str) -> Array:
        return layers.relu(layers.batch_normalisation(images, given, name, network["batch_norm_epsilon"]))

    values = activated(layers.convolution(images, given, "conv0", stride=2, padding=3), "norm0")
    values = layers.max_pool(values, size=3, stride=2, padding=1)
    for block, count in enumerate(network["blocks"], start=1):
        for place in range(1, count + 1):
            name = f"block{block}.layer{place}"
            new = layers.convolution(activated(values, f"{name}.norm1"), given, f"{name}.conv1")
            new = layers.convolution(activated(new, f"{name}.norm2"), given, f"{name}.conv2", padding=1)
            values = np.concatenate([values, new], axis=1)
        if block < len(network["blocks"]):
            values = layers.convolution(activated(values, f"transition{block}.norm"), given, f"transition{block}.conv")
            values = layers.mean_pool(values, size=2)
    return {"logits": layers.dense(activated(values, "norm5").mean(axis=(2, 3)), given, "classifier")}
