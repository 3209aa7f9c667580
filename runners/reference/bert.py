"""BERT-Base with both heads: layer normalisation after each sum, decoder tied to the word embeddings."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from runners.reference import layers, weights

if TYPE_CHECKING:
    from collections.abc import Mapping

    from runners.reference.layers import Array, Weights

INPUTS = ("words", "types", "mask", "positions")
_FORBIDDEN = -1e9  # attention to what the mask excludes


def drawn(network: Mapping[str, Any]) -> weights.Drawn:
    """Return the trainable arrays in their order."""
    hidden, intermediate = network["hidden"], network["intermediate"]

    def dense(name: str, inputs: int = hidden, outputs: int = hidden) -> weights.Drawn:
        return weights.dense(name, inputs, outputs, gain=1.0)

    found: weights.Drawn = {}
    for name, rows in (("word", "vocabulary"), ("position", "positions"), ("type", "token_types")):
        found[f"{name}.weight"] = weights.Weight((network[rows], hidden), 1 / math.sqrt(hidden))
    found |= weights.normalisation("embedding_norm", hidden)
    for layer in _layers(network):
        found |= dense(f"{layer}.query") | dense(f"{layer}.key") | dense(f"{layer}.value")
        found |= dense(f"{layer}.attention") | weights.normalisation(f"{layer}.attention_norm", hidden)
        found |= dense(f"{layer}.intermediate", hidden, intermediate) | dense(f"{layer}.output", intermediate, hidden)
        found |= weights.normalisation(f"{layer}.output_norm", hidden)
    found |= dense("pooler") | dense("masked") | weights.normalisation("masked_norm", hidden)
    return found | weights.bias("decoder", network["vocabulary"]) | dense("next", hidden, 2)


def forward(
    given: Weights, network: Mapping[str, Any], words: Array, types: Array, mask: Array, positions: Array
) -> dict[str, Array]:
    """Return logits of the masked words (samples, predictions, vocabulary) and of the next sentence (samples, 2)."""
    epsilon = network["layer_norm_epsilon"]
    values = given["word.weight"][words].astype("float64") + given["type.weight"][types]
    values = values + given["position.weight"][: words.shape[1]]
    values = layers.layer_normalisation(values, given, "embedding_norm", epsilon)
    for layer in _layers(network):
        seen = layers.dense(_attention(given, network, values, mask, layer), given, f"{layer}.attention")
        values = layers.layer_normalisation(values + seen, given, f"{layer}.attention_norm", epsilon)
        new = layers.dense(layers.gelu(layers.dense(values, given, f"{layer}.intermediate")), given, f"{layer}.output")
        values = layers.layer_normalisation(values + new, given, f"{layer}.output_norm", epsilon)
    return {"masked": _masked(given, values, positions, epsilon), "next": _next(given, values)}


def _attention(given: Weights, network: Mapping[str, Any], values: Array, mask: Array, layer: str) -> Array:
    samples, length, hidden = values.shape

    def heads(name: str) -> Array:
        projected = layers.dense(values, given, f"{layer}.{name}")
        return projected.reshape(samples, length, network["heads"], -1).transpose(0, 2, 1, 3)

    query, key, value = heads("query"), heads("key"), heads("value")
    scores = query @ key.transpose(0, 1, 3, 2) / math.sqrt(query.shape[-1])
    shares = layers.softmax(scores + np.where(mask, 0, _FORBIDDEN)[:, None, None, :])
    seen: Array = shares @ value
    return seen.transpose(0, 2, 1, 3).reshape(samples, length, hidden)


def _masked(given: Weights, values: Array, positions: Array, epsilon: float) -> Array:
    chosen = np.take_along_axis(values, positions[:, :, None], axis=1)
    chosen = layers.gelu(layers.dense(chosen, given, "masked"))
    chosen = layers.layer_normalisation(chosen, given, "masked_norm", epsilon)
    logits: Array = chosen @ given["word.weight"].astype("float64").T
    return logits + given["decoder.bias"]


def _next(given: Weights, values: Array) -> Array:
    return layers.dense(np.tanh(layers.dense(values[:, 0], given, "pooler")), given, "next")


def _layers(network: Mapping[str, Any]) -> list[str]:
    return [f"layer{place}" for place in range(1, network["layers"] + 1)]
