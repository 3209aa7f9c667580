"""Layers in evaluation mode: images are (samples, channels, height, width), everything is computed in double precision.

A layer takes its weights by the layer's name: `name.weight`, and `name.bias` where it has one.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Weights = Mapping[str, Array]

_erf = np.vectorize(math.erf, otypes=["float64"])


def convolution(images: Array, weights: Weights, name: str, stride: int = 1, padding: int = 0) -> Array:
    """Sum, over the places of the kernel, matrix products of its weights there and the image shifted there."""
    kernel = weights[f"{name}.weight"].astype("float64")
    padded = np.pad(images, ((0, 0), (0, 0), (padding, padding), (padding, padding)))
    samples, channels, *sides = padded.shape
    outputs, _, *kernel_sides = kernel.shape
    height, width = ((side - part) // stride + 1 for side, part in zip(sides, kernel_sides, strict=True))
    total = np.zeros((samples, outputs, height * width))
    for row, column in np.ndindex(*kernel_sides):
        rows = slice(row, row + stride * (height - 1) + 1, stride)
        columns = slice(column, column + stride * (width - 1) + 1, stride)
        total += kernel[:, :, row, column] @ padded[:, :, rows, columns].reshape(samples, channels, -1)
    total = total.reshape(samples, outputs, height, width)
    bias = weights.get(f"{name}.bias", np.zeros(1))
    return np.asarray(total + bias[:, None, None])


def dense(features: Array, weights: Weights, name: str) -> Array:
    """Multiply the last axis by a matrix (out, in) and add the bias."""
    product: Array = features @ weights[f"{name}.weight"].astype("float64").T
    return np.asarray(product + weights[f"{name}.bias"])


def batch_normalisation(images: Array, weights: Weights, name: str, epsilon: float) -> Array:
    """Normalise by running statistics, which are mean 0 and variance 1 as in a new network."""
    scale = weights[f"{name}.weight"].astype("float64") / math.sqrt(1 + epsilon)
    return images * scale[:, None, None] + weights[f"{name}.bias"][:, None, None]


def layer_normalisation(features: Array, weights: Weights, name: str, epsilon: float) -> Array:
    """Normalise the last axis by its own mean and variance."""
    centred = features - features.mean(axis=-1, keepdims=True)
    deviation = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + epsilon)
    return np.asarray(centred / deviation * weights[f"{name}.weight"] + weights[f"{name}.bias"])


def max_pool(images: Array, size: int, stride: int, padding: int = 0) -> Array:
    """Take the largest value of each window; padding never wins."""
    edges = (padding, padding)
    padded = np.pad(images, ((0, 0), (0, 0), edges, edges), constant_values=-np.inf)
    return _windows(padded, size, stride).max(axis=(-2, -1))  # type: ignore[no-any-return]


def mean_pool(images: Array, size: int) -> Array:
    """Take the mean of windows that don't overlap."""
    return _windows(images, size, size).mean(axis=(-2, -1))  # type: ignore[no-any-return]


def relu(values: Array) -> Array:
    """Replace negative values by 0."""
    return np.maximum(values, 0)


def gelu(values: Array) -> Array:
    """Multiply by the normal distribution function, exactly."""
    return np.asarray(values * (1 + _erf(values / math.sqrt(2))) / 2)


def sigmoid(values: Array) -> Array:
    """Return 1 / (1 + exp(-x))."""
    return 1 / (1 + np.exp(-values))


def softmax(values: Array) -> Array:
    """Turn the last axis into shares of 1."""
    powers = np.exp(values - values.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)  # type: ignore[no-any-return]


def _windows(images: Array, size: int, stride: int) -> Array:
    windows = np.lib.stride_tricks.sliding_window_view(images, (size, size), axis=(2, 3))
    return windows[:, :, ::stride, ::stride]
