"""What weights a layer has, by name and in the order of their use, and how the reference draws them.

Kernels have He's deviation, so that numbers keep their size through any depth; scales lie near 1, and biases and offsets
are small but not zero, so that one that is left out or in a wrong place is seen.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from runners.reference.layers import Weights

SMALL = 0.1


@dataclass(frozen=True)
class Weight:
    """A trainable array: its shape, and mean and deviation of the normal distribution that it is drawn from."""

    shape: tuple[int, ...]
    deviation: float
    mean: float = 0.0


Drawn = dict[str, Weight]


def convolution(name: str, inputs: int, outputs: int, kernel: int, gain: float = 2.0) -> Drawn:
    """Return the kernel (out, in, height, width) of a convolution without bias."""
    deviation = math.sqrt(gain / (inputs * kernel * kernel))
    return {f"{name}.weight": Weight((outputs, inputs, kernel, kernel), deviation)}


def dense(name: str, inputs: int, outputs: int, gain: float = 2.0) -> Drawn:
    """Return the matrix (out, in) and the bias of a dense layer."""
    return {f"{name}.weight": Weight((outputs, inputs), math.sqrt(gain / inputs)), **bias(name, outputs)}


def normalisation(name: str, features: int) -> Drawn:
    """Return scale and offset of a normalisation."""
    return {f"{name}.weight": Weight((features,), SMALL, mean=1.0), **bias(name, features)}


def bias(name: str, features: int) -> Drawn:
    """Return the bias of a layer."""
    return {f"{name}.bias": Weight((features,), SMALL)}


def draw(drawn: Drawn, seed: int) -> Weights:
    """Draw every array, float32."""
    chance = np.random.default_rng(seed)
    return {
        name: chance.standard_normal(weight.shape, "float32") * np.float32(weight.deviation) + np.float32(weight.mean)
        for name, weight in drawn.items()
    }
