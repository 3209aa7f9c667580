"""ResNet-50 v1.5 and its features: bottleneck blocks; the weights have the order of the paper's usual implementations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from runners.reference import layers, weights

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from runners.reference.layers import Array, Weights

INPUTS = ("images",)
_STEM, _EXPANSION = 64, 4
_LAST_GAIN = 0.25  # of a block's last convolution: sums of many blocks would grow with the depth


def drawn(network: Mapping[str, Any]) -> weights.Drawn:
    """Return the trainable arrays in their order."""
    found = weights.convolution("conv1", network["input"][0], _STEM, 7) | weights.normalisation("bn1", _STEM)
    inputs = _STEM
    for name, width, _stride, first in _blocks(network):
        found |= _unit(f"{name}.%s1", inputs, width, 1) | _unit(f"{name}.%s2", width, width, 3)
        found |= _unit(f"{name}.%s3", width, width * _EXPANSION, 1, _LAST_GAIN)
        if first:
            found |= _unit(f"{name}.downsample.%s", inputs, width * _EXPANSION, 1)
        inputs = width * _EXPANSION
    return found | (weights.dense("fc", inputs, network["classes"]) if "classes" in network else {})


def forward(given: Weights, network: Mapping[str, Any], images: Array) -> dict[str, Array]:
    """Return the logits (samples, classes); the averages before the last layer where the network has no classes."""
    epsilon = network["batch_norm_epsilon"]
    values = layers.convolution(images, given, "conv1", stride=2, padding=3)
    values = layers.relu(layers.batch_normalisation(values, given, "bn1", epsilon))
    values = layers.max_pool(values, size=3, stride=2, padding=1)
    for name, _width, stride, first in _blocks(network):
        values = _block(given, network, values, name, stride=stride, first=first)
    averages = values.mean(axis=(2, 3))
    return {"logits": layers.dense(averages, given, "fc")} if "classes" in network else {"features": averages}


def _block(given: Weights, network: Mapping[str, Any], values: Array, name: str, *, stride: int, first: bool) -> Array:
    """Add a shortcut and three convolutions, the one in the middle with the stride in version 1.5."""
    strides = (1, stride, 1) if network["stride_in"] == "3x3" else (stride, 1, 1)

    def unit(images: Array, part: str, stride: int, padding: int = 0) -> Array:
        images = layers.convolution(images, given, f"{name}.{part % 'conv'}", stride, padding)
        return layers.batch_normalisation(images, given, f"{name}.{part % 'bn'}", network["batch_norm_epsilon"])

    shortcut = unit(values, "downsample.%s", stride) if first else values
    values = layers.relu(unit(values, "%s1", strides[0]))
    values = layers.relu(unit(values, "%s2", strides[1], padding=1))
    return layers.relu(unit(values, "%s3", strides[2]) + shortcut)


def _blocks(network: Mapping[str, Any]) -> Iterator[tuple[str, int, int, bool]]:
    """Yield each block's name, width and stride, and whether it is the first of its stage."""
    for stage, count in enumerate(network["blocks"], start=1):
        for place in range(count):
            stride = 2 if stage > 1 and not place else 1
            yield f"layer{stage}.{place}", _STEM << (stage - 1), stride, not place


def _unit(name: str, inputs: int, outputs: int, kernel: int, gain: float = 2.0) -> weights.Drawn:
    """Return the weights of a convolution and its batch normalisation."""
    convolution = weights.convolution(name % "conv", inputs, outputs, kernel, gain)
    return convolution | weights.normalisation(name % "bn", outputs)
