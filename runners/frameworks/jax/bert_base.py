"""BERT-Base pre-training, in JAX."""

from functools import partial

import jax
import optax
from flax import nnx
from jax import numpy as jnp


# step: model
class Layer(nnx.Module):
    """Attention, then two dense layers; each adds to what it was given and is normalised after that."""

    def __init__(self, settings, dense, norm, dtype, rngs):
        hidden, dropout = settings["hidden"], settings["dropout"]
        self.attention = nnx.MultiHeadAttention(
            settings["heads"],
            hidden,
            dropout_rate=dropout,
            broadcast_dropout=False,
            deterministic=False,
            kernel_init=nnx.initializers.normal(settings["initial_deviation"]),
            decode=False,
            dtype=dtype,
            rngs=rngs,
        )
        self.attention_norm = norm(hidden)
        self.intermediate = dense(hidden, settings["intermediate"])
        self.output = dense(settings["intermediate"], hidden)
        self.output_norm = norm(hidden)
        self.dropout = nnx.Dropout(dropout, rngs=rngs)

    def __call__(self, states, mask):
        states = self.attention_norm(states + self.dropout(self.attention(states, mask=mask)))
        change = self.output(nnx.gelu(self.intermediate(states), approximate=False))
        return self.output_norm(states + self.dropout(change))


# step: model
class Bert(nnx.Module):
    """Encoder with both heads: the words at some positions, and whether the second sentence follows the first."""

    def __init__(self, settings, dtype, rngs):
        hidden, vocabulary = settings["hidden"], settings["vocabulary"]
        normal = nnx.initializers.normal(settings["initial_deviation"])
        embedding = partial(nnx.Embed, features=hidden, embedding_init=normal, dtype=dtype, rngs=rngs)
        dense = partial(nnx.Linear, kernel_init=normal, dtype=dtype, rngs=rngs)
        norm = partial(nnx.LayerNorm, epsilon=settings["layer_norm_epsilon"], dtype=dtype, rngs=rngs)
        self.words = embedding(vocabulary)
        self.positions = embedding(settings["positions"])
        self.types = embedding(settings["token_types"])
        self.norm = norm(hidden)
        self.dropout = nnx.Dropout(settings["dropout"], rngs=rngs)
        self.layers = nnx.List([Layer(settings, dense, norm, dtype, rngs) for _ in range(settings["layers"])])
        self.pooler = dense(hidden, hidden)
        self.masked = dense(hidden, hidden)
        self.masked_norm = norm(hidden)
        self.decoder_bias = nnx.Param(jnp.zeros(vocabulary))
        self.next_sentence = dense(hidden, 2)

    def __call__(self, words, types, mask, positions):
        places = jnp.arange(words.shape[1])
        states = self.dropout(self.norm(self.words(words) + self.positions(places) + self.types(types)))
        mask = mask[:, None, None, :].astype(bool)
        for layer in self.layers:
            states = layer(states, mask)
        first = jnp.tanh(self.pooler(states[:, 0]))
        chosen = jnp.take_along_axis(states, positions[:, :, None], axis=1)
        chosen = self.masked_norm(nnx.gelu(self.masked(chosen), approximate=False))
        found = self.words.attend(chosen).astype(jnp.float32) + self.decoder_bias
        return found, self.next_sentence(first).astype(jnp.float32)


# step: model
def network(workload, dtype, rngs):
    return Bert(workload["network"], dtype, rngs)


# step: loss
def loss(network, words, types, mask, positions, missing, follows):
    found, next_sentence = network(words, types, mask, positions)
    of_words = optax.softmax_cross_entropy_with_integer_labels(found, missing).mean()
    return of_words + optax.softmax_cross_entropy_with_integer_labels(next_sentence, follows).mean()


# step: optimizer
def optimizer(workload):
    settings = workload["optimizer"]
    return optax.chain(
        optax.clip_by_global_norm(settings["clip_norm"]),
        optax.adamw(
            settings["learning_rate"],
            settings["beta1"],
            settings["beta2"],
            settings["epsilon"],
            weight_decay=settings["weight_decay"],
            mask=decaying,
        ),
    )


# step: optimizer
def decaying(parameters):
    """Tell for each parameter whether it decays: biases and layer normalisation don't."""
    spared = ("bias", "norm")
    return jax.tree_util.tree_map_with_path(
        lambda path, _: not any(name in jax.tree_util.keystr(path) for name in spared), parameters
    )
