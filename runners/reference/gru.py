"""GRU on IMDB: the form with two biases, in which the reset gate acts on the product of state and matrix."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from runners.reference import layers, weights

if TYPE_CHECKING:
    from collections.abc import Mapping

    from runners.reference.layers import Array, Weights

INPUTS = ("words",)
_GATES = 3  # reset, update, new


def drawn(network: Mapping[str, Any]) -> weights.Drawn:
    """Return the trainable arrays in their order."""
    features, units = network["embedding"], network["units"]
    stacked = _GATES * units
    return {
        "embedding.weight": weights.Weight((network["vocabulary"], features), 1.0),
        "gru.weight_input": weights.Weight((stacked, features), 1 / math.sqrt(features)),
        "gru.weight_hidden": weights.Weight((stacked, units), 1 / math.sqrt(units)),
        "gru.bias_input": weights.Weight((stacked,), weights.SMALL),
        "gru.bias_hidden": weights.Weight((stacked,), weights.SMALL),
        **weights.dense("output", units, network["classes"]),
    }


def forward(given: Weights, network: Mapping[str, Any], words: Array) -> dict[str, Array]:
    """Return the logits (samples, classes) of the state after the last word."""
    state = np.zeros((len(words), network["units"]))
    for features in given["embedding.weight"][words].transpose(1, 0, 2).astype("float64"):
        state = step(given, features, state)
    return {"logits": layers.dense(state, given, "output")}


def step(given: Weights, features: Array, state: Array) -> Array:
    """Return the state after one more word of each sample."""
    from_input = features @ given["gru.weight_input"].T + given["gru.bias_input"]
    from_state = state @ given["gru.weight_hidden"].T + given["gru.bias_hidden"]
    input_reset, input_update, input_new = np.split(from_input, _GATES, axis=-1)
    state_reset, state_update, state_new = np.split(from_state, _GATES, axis=-1)
    reset, update = layers.sigmoid(input_reset + state_reset), layers.sigmoid(input_update + state_update)
    new = np.tanh(input_new + reset * state_new)
    return np.asarray((1 - update) * new + update * state)
