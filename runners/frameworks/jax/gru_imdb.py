"""GRU on IMDB: one recurrent layer over the words of a film review, in JAX."""

import numpy as np
import optax
from flax import nnx
from jax import numpy as jnp

from runners.worker.datasets import imdb


# step: data
def real_reviews(directory, split, workload):
    """Read all reviews of a split into RAM, as word ids, and their labels."""
    ids, labels = imdb(directory, split, workload)
    return np.array(ids, np.int32).reshape(len(labels), -1), np.array(labels, np.int32)


# step: data
def real_batches(request):
    """Yield full batches without end; each epoch goes through all reviews in a new order, shared by the processes."""
    words, labels = real_reviews(request["data"]["directory"], "train", request["workload"])
    size, place = request["batch_per_device"], request["process"]
    chance = np.random.default_rng(request["seed"])
    while True:
        order = chance.permutation(len(words))[place["rank"] :: place["count"]]
        for start in range(0, len(words) // place["count"] - size + 1, size):
            chosen = order[start : start + size]
            yield words[chosen], labels[chosen]


# step: model
class Network(nnx.Module):
    def __init__(self, settings, dtype, rngs):
        units, embedding = settings["units"], settings["embedding"]
        self.embedding = nnx.Embed(settings["vocabulary"], embedding, dtype=dtype, rngs=rngs)
        cell = nnx.GRUCell(embedding, units, dtype=dtype, rngs=rngs)
        # Flax's cell has one bias; the specified one has another on the state's side, inside the reset gate's product.
        orthogonal = nnx.initializers.orthogonal()
        cell.dense_h = nnx.Linear(units, 3 * units, kernel_init=orthogonal, dtype=dtype, rngs=rngs)
        self.gru = nnx.RNN(cell, rngs=rngs)
        self.output = nnx.Linear(units, settings["classes"], dtype=dtype, rngs=rngs)

    def __call__(self, words):
        states = self.gru(self.embedding(words))
        return self.output(states[:, -1]).astype(jnp.float32)


# step: model
def network(workload, dtype, rngs):
    return Network(workload["network"], dtype, rngs)


def in_our_order(embedding, weight_input, weight_hidden, bias_input, bias_hidden, *output):
    """Put the reference's weights into the order in which the network was built."""
    return (embedding, weight_input, bias_input, weight_hidden, bias_hidden, *output)


# step: loss
def loss(network, words, labels):
    return optax.softmax_cross_entropy_with_integer_labels(network(words), labels).mean()


# step: optimizer
def optimizer(workload):
    settings = workload["optimizer"]
    return optax.adam(settings["learning_rate"], settings["beta1"], settings["beta2"], settings["epsilon"])


def quality(answer, request):
    """Return the share of the whole test set that is classified correctly."""
    words, labels = real_reviews(request["data"]["directory"], "test", request["workload"])
    right = 0
    for start in range(0, len(words), 1000):
        right += (answer(words[start : start + 1000]).argmax(axis=1) == labels[start : start + 1000]).sum().item()
    return right / len(words)
