"""Pre-training of BERT-Base: masked words and whether one sentence follows the other; in OneFlow."""

import math

import oneflow as flow
from oneflow import nn
from oneflow.nn import functional


# step: model
class Embeddings(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.word = nn.Embedding(sizes["vocabulary"], sizes["hidden"])
        self.position = nn.Embedding(sizes["positions"], sizes["hidden"])
        self.type = nn.Embedding(sizes["token_types"], sizes["hidden"])
        self.norm = nn.LayerNorm(sizes["hidden"], eps=sizes["layer_norm_epsilon"])
        self.dropout = nn.Dropout(sizes["dropout"])

    def forward(self, words, types):
        positions = flow.arange(words.shape[1], device=words.device).unsqueeze(0)
        return self.dropout(self.norm(self.word(words) + self.position(positions) + self.type(types)))


# step: model
class Attention(nn.Module):
    def __init__(self, hidden, heads, dropout):
        super().__init__()
        self.heads = heads
        self.query = nn.Linear(hidden, hidden)
        self.key = nn.Linear(hidden, hidden)
        self.value = nn.Linear(hidden, hidden)
        self.output = nn.Linear(hidden, hidden)
        self.dropout = nn.Dropout(dropout)

    def split(self, x):
        """Turn (batch, length, hidden) into (batch, heads, length, hidden / heads)."""
        return x.reshape(x.shape[0], x.shape[1], self.heads, -1).permute(0, 2, 1, 3)

    def forward(self, x, masked):
        query, key, value = self.split(self.query(x)), self.split(self.key(x)), self.split(self.value(x))
        scores = flow.matmul(query, key.transpose(-1, -2)) / math.sqrt(query.shape[-1]) + masked
        mixed = flow.matmul(self.dropout(scores.softmax(dim=-1)), value)
        return self.output(mixed.permute(0, 2, 1, 3).reshape(x.shape[0], x.shape[1], x.shape[2]))


# step: model
class Layer(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        hidden, epsilon = sizes["hidden"], sizes["layer_norm_epsilon"]
        self.attention = Attention(hidden, sizes["heads"], sizes["dropout"])
        self.norm1 = nn.LayerNorm(hidden, eps=epsilon)
        self.intermediate = nn.Linear(hidden, sizes["intermediate"])
        self.output = nn.Linear(sizes["intermediate"], hidden)
        self.norm2 = nn.LayerNorm(hidden, eps=epsilon)
        self.gelu = nn.GELU()
        self.dropout = nn.Dropout(sizes["dropout"])

    def forward(self, x, masked):
        x = self.norm1(x + self.dropout(self.attention(x, masked)))
        return self.norm2(x + self.dropout(self.output(self.gelu(self.intermediate(x)))))


# step: model
class Decoder(nn.Module):
    """The projection onto the vocabulary, tied to the word embedding but for its bias."""

    def __init__(self, vocabulary):
        super().__init__()
        self.bias = nn.Parameter(flow.zeros(vocabulary))

    def forward(self, x, embedding):
        return flow.matmul(x, embedding, transpose_b=True) + self.bias


# step: model
class Bert(nn.Module):
    """The encoder with both heads; returns scores (batch, predictions, vocabulary) and (batch, 2)."""

    def __init__(self, sizes):
        super().__init__()
        hidden = sizes["hidden"]
        self.embeddings = Embeddings(sizes)
        self.layers = nn.ModuleList([Layer(sizes) for _ in range(sizes["layers"])])
        self.pooler = nn.Linear(hidden, hidden)
        self.transform = nn.Sequential(
            nn.Linear(hidden, hidden), nn.GELU(), nn.LayerNorm(hidden, eps=sizes["layer_norm_epsilon"])
        )
        self.decoder = Decoder(sizes["vocabulary"])
        self.next_sentence = nn.Linear(hidden, 2)

    def forward(self, words, types, mask, positions):
        x = self.embeddings(words, types)
        masked = (1.0 - mask.float()).unsqueeze(1).unsqueeze(2) * -10000.0
        for layer in self.layers:
            x = layer(x, masked)
        chosen = flow.gather(x, 1, positions.unsqueeze(2).expand(-1, -1, x.shape[2]))
        missing = self.decoder(self.transform(chosen), self.embeddings.word.weight)
        return missing, self.next_sentence(flow.tanh(self.pooler(x[:, 0])))


# step: model
def network(workload):
    deviation = workload["network"]["initial_deviation"]

    def initial(layer):
        if isinstance(layer, (nn.Linear, nn.Embedding)):
            nn.init.normal_(layer.weight, std=deviation)
        if isinstance(layer, nn.Linear):
            nn.init.zeros_(layer.bias)

    return Bert(workload["network"]).apply(initial)


# step: loss
def loss(network, words, types, mask, positions, missing, follows):
    word_scores, sentence_scores = network(words, types, mask, positions)
    of_words = functional.cross_entropy(word_scores.flatten(0, 1), missing.flatten())
    return of_words + functional.cross_entropy(sentence_scores, follows)


# step: optimizer
def optimizer(network, workload):
    """Return AdamW; biases and layer normalisation, which are the vectors among the parameters, do not decay."""
    settings = workload["optimizer"]
    parameters = list(network.parameters())
    return flow.optim.AdamW(
        [
            {"params": [one for one in parameters if one.ndim > 1], "weight_decay": settings["weight_decay"]},
            {"params": [one for one in parameters if one.ndim == 1], "weight_decay": 0.0},
        ],
        lr=settings["learning_rate"],
        betas=(settings["beta1"], settings["beta2"]),
        eps=settings["epsilon"],
    )
