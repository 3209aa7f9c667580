"""GRU on IMDB: one recurrent layer over the words of a film review, in PyTorch."""

import torch
from torch import nn
from torch.nn import functional


# step: model
class Network(nn.Module):
    def __init__(self, vocabulary, embedding, units, classes):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, embedding)
        self.gru = nn.GRU(embedding, units, batch_first=True)
        self.output = nn.Linear(units, classes)

    def forward(self, words):
        states, _ = self.gru(self.embedding(words))
        return self.output(states[:, -1])


# step: model
def network(workload):
    return Network(*(workload["network"][size] for size in ("vocabulary", "embedding", "units", "classes")))


# step: loss
def loss(network, words, labels):
    return functional.cross_entropy(network(words), labels)


# step: optimizer
def optimizer(network, workload):
    settings = workload["optimizer"]
    return torch.optim.Adam(
        network.parameters(),
        lr=settings["learning_rate"],
        betas=(settings["beta1"], settings["beta2"]),
        eps=settings["epsilon"],
    )
