"""BERT-Base pre-training, in PyTorch. Written out: nn.TransformerEncoderLayer drops out once more, after the GELU."""

import torch
from torch import nn
from torch.nn import functional


# step: model
class Layer(nn.Module):
    """Attention, then two dense layers; each adds to what it was given and is normalised after that."""

    def __init__(self, hidden, heads, intermediate, dropout, epsilon):
        super().__init__()
        self.heads = heads
        self.query = nn.Linear(hidden, hidden)
        self.key = nn.Linear(hidden, hidden)
        self.value = nn.Linear(hidden, hidden)
        self.attention_output = nn.Linear(hidden, hidden)
        self.attention_norm = nn.LayerNorm(hidden, eps=epsilon)
        self.intermediate = nn.Linear(hidden, intermediate)
        self.output = nn.Linear(intermediate, hidden)
        self.output_norm = nn.LayerNorm(hidden, eps=epsilon)
        self.dropout = nn.Dropout(dropout)

    def forward(self, states, mask):
        attended = self.dropout(self.attention_output(self.attend(states, mask)))
        states = self.attention_norm(states + attended)
        change = self.dropout(self.output(functional.gelu(self.intermediate(states))))
        return self.output_norm(states + change)

    def attend(self, states, mask):
        query, key, value = (
            project(states).unflatten(2, (self.heads, -1)).transpose(1, 2)
            for project in (self.query, self.key, self.value)
        )
        dropout = self.dropout.p if self.training else 0.0
        mixed = functional.scaled_dot_product_attention(query, key, value, attn_mask=mask, dropout_p=dropout)
        return mixed.transpose(1, 2).flatten(2)


# step: model
class Bert(nn.Module):
    """Encoder with both heads: the words at some positions, and whether the second sentence follows the first."""

    def __init__(self, settings):
        super().__init__()
        hidden, epsilon = settings["hidden"], settings["layer_norm_epsilon"]
        self.words = nn.Embedding(settings["vocabulary"], hidden)
        self.positions = nn.Embedding(settings["positions"], hidden)
        self.types = nn.Embedding(settings["token_types"], hidden)
        self.norm = nn.LayerNorm(hidden, eps=epsilon)
        self.dropout = nn.Dropout(settings["dropout"])
        sizes = hidden, settings["heads"], settings["intermediate"], settings["dropout"], epsilon
        self.layers = nn.ModuleList(Layer(*sizes) for _ in range(settings["layers"]))
        self.pooler = nn.Linear(hidden, hidden)
        self.masked = nn.Linear(hidden, hidden)
        self.masked_norm = nn.LayerNorm(hidden, eps=epsilon)
        self.decoder = nn.Linear(hidden, settings["vocabulary"])
        self.decoder.weight = self.words.weight
        self.next_sentence = nn.Linear(hidden, 2)

    def forward(self, words, types, mask, positions):
        places = torch.arange(words.shape[1], device=words.device)
        states = self.dropout(self.norm(self.words(words) + self.positions(places) + self.types(types)))
        mask = mask.bool()[:, None, None, :]
        for layer in self.layers:
            states = layer(states, mask)
        first = torch.tanh(self.pooler(states[:, 0]))
        chosen = states.gather(1, positions[:, :, None].expand(-1, -1, states.shape[2]))
        chosen = self.masked_norm(functional.gelu(self.masked(chosen)))
        return self.decoder(chosen), self.next_sentence(first)


# step: model
def network(workload):
    """Build the network with normally distributed weights; biases are 0."""
    settings = workload["network"]
    bert = Bert(settings)
    for layer in bert.modules():
        if isinstance(layer, (nn.Linear, nn.Embedding)):
            nn.init.normal_(layer.weight, std=settings["initial_deviation"])
        if isinstance(layer, nn.Linear):
            nn.init.zeros_(layer.bias)
    return bert


# step: loss
def loss(network, words, types, mask, positions, missing, follows):
    found, next_sentence = network(words, types, mask, positions)
    return functional.cross_entropy(found.flatten(0, 1), missing.flatten()) + functional.cross_entropy(
        next_sentence, follows
    )


# step: optimizer
def optimizer(network, workload):
    settings = workload["optimizer"]
    parameters = list(network.parameters())
    groups = [
        {"params": [parameter for parameter in parameters if parameter.ndim > 1]},
        # Biases and layer normalisation
        {"params": [parameter for parameter in parameters if parameter.ndim == 1], "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(
        groups,
        lr=settings["learning_rate"],
        betas=(settings["beta1"], settings["beta2"]),
        eps=settings["epsilon"],
        weight_decay=settings["weight_decay"],
    )
