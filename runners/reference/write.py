"""The file with a workload's reference: random weights, a small batch, and what the network makes of it.

The worker reads it; runners/worker/reference.py says what stands in it.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np

from runners.reference import bert, densenet, gru, plain, resnet
from runners.reference.weights import draw
from runners.worker import synthetic

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from runners.reference.layers import Array

FAMILIES = {
    "bert-base": bert,
    "cifar10-cnn": plain,
    "densenet121-chestxray": densenet,
    "gru-imdb": gru,
    "resnet50": resnet,
    "resnet50-features": resnet,
    "vgg16": plain,
}
_SEED = 0
_SMALL = 100_000_000  # multiply-adds: below, a larger batch costs nothing
_BATCHES = 16, 2


def write(path: Path, workload: Mapping[str, Any]) -> None:
    """Write the reference of a workload, {"id", and the keys of its file}: afterwards the file is whole or absent."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with fresh.open("wb") as file:
            np.savez(file, **arrays(workload))  # type: ignore[arg-type]
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)


def arrays(workload: Mapping[str, Any]) -> dict[str, Array]:
    """Return weights, inputs and outputs under the keys of the file, in its order."""
    family, network = FAMILIES[workload["id"]], workload["network"]
    weights = draw(family.drawn(network), _SEED)
    size = _BATCHES[workload["multiply_adds"] > _SMALL]
    batch = synthetic.batch(np.random.RandomState(_SEED), size, workload)  # type: ignore[no-untyped-call]
    inputs = dict(zip(family.INPUTS, batch, strict=False))  # labels follow the inputs
    outputs = family.forward(weights, network, **inputs)
    parts = {"weights": weights, "inputs": inputs, "outputs": outputs}
    return {f"{part}/{name}": array for part, named in parts.items() for name, array in named.items()}
