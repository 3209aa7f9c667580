"""GRU on IMDB: one recurrent layer over the words of a film review, in PyTorch."""

import torch
from torch import nn
from torch.nn import functional

from runners.frameworks.pytorch import loading
from runners.worker.datasets import imdb


# step: data
def real_reviews(request, split):
    """Read the word ids of all reviews of a split into RAM, and their labels."""
    words, labels = imdb(request["data"]["directory"], split, request["workload"])
    words = torch.frombuffer(words, dtype=torch.int32).view(len(labels), -1)
    return words.long(), torch.frombuffer(labels, dtype=torch.uint8).long()


# step: data
def real_batches(request, place):
    return loading.in_memory(request, place, *real_reviews(request, "train"))


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


def quality(trained, request, place):
    """Return the share of the whole test set that is classified correctly."""
    return loading.accuracy(trained, place, *real_reviews(request, "test"))
