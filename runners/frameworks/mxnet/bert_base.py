"""BERT-Base pre-training: masked words and next sentence, in MXNet."""

import mxnet as mx
from mxnet import gluon
from mxnet.gluon import nn

from runners.frameworks.mxnet.bert_optimizer import AdamW, ClippingTrainer

MASKED = -10000.0  # added to the attention scores of padding


# step: model
class Attention(nn.HybridBlock):
    def __init__(self, hidden, heads, dropout):
        super().__init__()
        self.heads, self.scale = heads, (hidden // heads) ** -0.5
        with self.name_scope():
            self.query = nn.Dense(hidden, flatten=False)
            self.key = nn.Dense(hidden, flatten=False)
            self.value = nn.Dense(hidden, flatten=False)
            self.output = nn.Dense(hidden, flatten=False)
            self.dropout = nn.Dropout(dropout)

    def hybrid_forward(self, F, states, padding):
        query, key, value = (self.split(F, layer(states)) for layer in (self.query, self.key, self.value))
        scores = F.batch_dot(query * self.scale, key, transpose_b=True)
        weights = self.dropout(F.softmax(F.broadcast_add(scores, padding)))
        heads = F.reshape(F.batch_dot(weights, value), shape=(-4, -1, self.heads, 0, 0))
        return self.output(F.reshape(F.transpose(heads, axes=(0, 2, 1, 3)), shape=(0, 0, -3)))

    def split(self, F, states):
        """Turn (batch, length, hidden) into (batch × heads, length, hidden / heads)."""
        heads = F.reshape(states, shape=(0, 0, -4, self.heads, -1))
        return F.reshape(F.transpose(heads, axes=(0, 2, 1, 3)), shape=(-3, 0, 0))


# step: model
class Layer(nn.HybridBlock):
    def __init__(self, sizes):
        super().__init__()
        hidden, epsilon = sizes["hidden"], sizes["layer_norm_epsilon"]
        with self.name_scope():
            self.attention = Attention(hidden, sizes["heads"], sizes["dropout"])
            self.attention_norm = nn.LayerNorm(epsilon=epsilon)
            self.intermediate = nn.Dense(sizes["intermediate"], flatten=False)
            self.gelu = nn.GELU()  # the exact one, by erf
            self.output = nn.Dense(hidden, flatten=False)
            self.output_norm = nn.LayerNorm(epsilon=epsilon)
            self.dropout = nn.Dropout(sizes["dropout"])

    def hybrid_forward(self, F, states, padding):  # noqa: ARG002 - Gluon passes F
        states = self.attention_norm(states + self.dropout(self.attention(states, padding)))
        return self.output_norm(states + self.dropout(self.output(self.gelu(self.intermediate(states)))))


# step: model
class Bert(nn.HybridBlock):
    def __init__(self, sizes):
        super().__init__()
        hidden, vocabulary, epsilon = sizes["hidden"], sizes["vocabulary"], sizes["layer_norm_epsilon"]
        self.heads = sizes["heads"]
        with self.name_scope():
            self.word = nn.Embedding(vocabulary, hidden)
            self.position = nn.Embedding(sizes["positions"], hidden)
            self.type = nn.Embedding(sizes["token_types"], hidden)
            self.norm = nn.LayerNorm(epsilon=epsilon)
            self.dropout = nn.Dropout(sizes["dropout"])
            self.layers = nn.HybridSequential()
            self.layers.add(*(Layer(sizes) for _ in range(sizes["layers"])))
            self.pooler = nn.Dense(hidden, activation="tanh")
            self.masked = nn.HybridSequential()
            self.masked.add(
                nn.Dense(hidden, flatten=False),
                nn.GELU(),
                nn.LayerNorm(epsilon=epsilon),
                nn.Dense(vocabulary, flatten=False, params=self.word.params),  # its weight is the word embedding
            )
            self.next = nn.Dense(2)

    def hybrid_forward(self, F, words, types, mask, positions):
        """Return scores of the words at `positions` and of the next sentence."""
        place = F.expand_dims(self.position(F.contrib.arange_like(words, axis=1)), axis=0)
        states = self.dropout(self.norm(F.broadcast_add(self.word(words) + self.type(types), place)))
        padding = F.repeat(F.expand_dims((1 - F.cast(mask, "float32")) * MASKED, axis=1), self.heads, axis=0)
        for layer in self.layers:
            states = layer(states, padding)
        first = self.pooler(F.slice_axis(states, axis=1, begin=0, end=1))
        rows = F.broadcast_like(F.expand_dims(F.contrib.arange_like(positions, axis=0), axis=1), positions)
        chosen = F.gather_nd(states, F.stack(rows, positions))
        return self.masked(chosen), self.next(first)


# step: model
def network(workload, device):
    bert = Bert(workload["network"])
    bert.initialize(mx.init.Normal(workload["network"]["initial_deviation"]), ctx=device)
    bert.hybridize()
    return bert


cross_entropy = gluon.loss.SoftmaxCrossEntropyLoss()


# step: loss
def loss(network, words, types, mask, positions, missing, follows):
    scores, next_scores = network(words, types, mask, positions)
    return cross_entropy(scores, missing) + cross_entropy(next_scores, follows)


# step: optimizer
def optimizer(network, workload, store):
    settings = workload["optimizer"]
    network.collect_params(".*(bias|gamma|beta)").setattr("wd_mult", 0)
    names = ("learning_rate", "beta1", "beta2", "epsilon", "weight_decay")
    adam = AdamW(**{name: settings[name] for name in names})
    return ClippingTrainer(network.collect_params(), adam, settings["clip_norm"], store)
