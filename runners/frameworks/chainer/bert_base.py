"""BERT-Base pre-training: masked words and next sentence, in Chainer.

Matrices of (sentences × words, features) throughout: Chainer's dense layers and layer normalisation want two axes.
"""

import math

import chainer
from chainer import functions as F
from chainer import links as L


# step: model
class Layer(chainer.Chain):
    """Attention, then two dense layers; each adds to what it was given and is normalised after that."""

    def __init__(self, settings, normal):
        super().__init__()
        hidden, inner, epsilon = settings["hidden"], settings["intermediate"], settings["layer_norm_epsilon"]
        self.heads, self.dropout = settings["heads"], settings["dropout"]
        with self.init_scope():
            self.query = L.Linear(hidden, hidden, initialW=normal)
            self.key = L.Linear(hidden, hidden, initialW=normal)
            self.value = L.Linear(hidden, hidden, initialW=normal)
            self.attention_output = L.Linear(hidden, hidden, initialW=normal)
            self.attention_norm = L.LayerNormalization(hidden, eps=epsilon)
            self.intermediate = L.Linear(hidden, inner, initialW=normal)
            self.output = L.Linear(inner, hidden, initialW=normal)
            self.output_norm = L.LayerNormalization(hidden, eps=epsilon)

    def forward(self, states, mask):
        attended = F.dropout(self.attention_output(self.attend(states, mask)), self.dropout)
        states = self.attention_norm(states + attended)
        change = F.dropout(self.output(gelu(self.intermediate(states))), self.dropout)
        return self.output_norm(states + change)

    def attend(self, states, mask):
        sentences, length = mask.shape[0], mask.shape[-1]
        size = states.shape[1] // self.heads
        query, key, value = (
            F.transpose(project(states).reshape(sentences, length, self.heads, size), (0, 2, 1, 3))
            for project in (self.query, self.key, self.value)
        )
        scores = F.matmul(query, key, transb=True) / math.sqrt(size)
        shares = F.dropout(F.softmax(scores + F.broadcast_to(mask, scores.shape), axis=3), self.dropout)
        return F.transpose(F.matmul(shares, value), (0, 2, 1, 3)).reshape(states.shape)


# step: model
class Bert(chainer.Chain):
    """Encoder with both heads: the words at some positions, and whether the second sentence follows the first."""

    def __init__(self, settings):
        super().__init__()
        hidden, epsilon = settings["hidden"], settings["layer_norm_epsilon"]
        normal = chainer.initializers.Normal(settings["initial_deviation"])
        self.dropout = settings["dropout"]
        with self.init_scope():
            self.words = L.EmbedID(settings["vocabulary"], hidden, initialW=normal)
            self.positions = L.EmbedID(settings["positions"], hidden, initialW=normal)
            self.types = L.EmbedID(settings["token_types"], hidden, initialW=normal)
            self.norm = L.LayerNormalization(hidden, eps=epsilon)
            self.layers = chainer.ChainList(*(Layer(settings, normal) for _ in range(settings["layers"])))
            self.pooler = L.Linear(hidden, hidden, initialW=normal)
            self.masked = L.Linear(hidden, hidden, initialW=normal)
            self.masked_norm = L.LayerNormalization(hidden, eps=epsilon)
            self.decoder = L.Bias(shape=(settings["vocabulary"],))  # its weights are those of the word embedding
            self.next_sentence = L.Linear(hidden, 2, initialW=normal)

    def forward(self, words, types, mask, positions):
        sentences, length = words.shape
        places = self.xp.broadcast_to(self.xp.arange(length), words.shape)
        states = self.words(words) + self.positions(places) + self.types(types)
        states = F.dropout(self.norm(states.reshape(sentences * length, -1)), self.dropout)
        mask = (mask[:, None, None, :].astype("float32") - 1) * 1e4
        for layer in self.layers:
            states = layer(states, mask)
        first = F.tanh(self.pooler(states[::length]))
        chosen = states[(positions + self.xp.arange(sentences)[:, None] * length).ravel()]
        chosen = self.masked_norm(gelu(self.masked(chosen)))
        found = self.decoder(F.linear(chosen, self.words.W))
        return found.reshape(*positions.shape, -1), self.next_sentence(first)


# step: model
def gelu(x):
    return x * (1 + F.erf(x / math.sqrt(2))) / 2


# step: model
def network(workload):
    return Bert(workload["network"])


# step: loss
def loss(network, words, types, mask, positions, missing, follows):
    found, next_sentence = network(words, types, mask, positions)
    found = found.reshape(missing.size, -1)
    return F.softmax_cross_entropy(found, missing.ravel()) + F.softmax_cross_entropy(next_sentence, follows)


# step: optimizer
def optimizer(network, workload):
    settings = workload["optimizer"]
    adam = chainer.optimizers.Adam(
        settings["learning_rate"],
        settings["beta1"],
        settings["beta2"],
        eps=settings["epsilon"],
        weight_decay_rate=settings["learning_rate"] * settings["weight_decay"],  # Chainer's own isn't scaled
    )
    adam.setup(network)
    for parameter in network.params():
        if parameter.ndim == 1:  # biases and layer normalisation
            parameter.update_rule.hyperparam.weight_decay_rate = 0
    adam.add_hook(chainer.optimizer_hooks.GradientClipping(settings["clip_norm"]))
    return adam
