"""GRU on IMDB: embedding, one GRU layer, the last output decides; in OneFlow."""

import numpy as np
import oneflow as flow
from oneflow import nn
from oneflow.nn import functional

from runners.frameworks.oneflow import arrays
from runners.worker.datasets import imdb


# step: data
def real_reviews(request, split):
    """Read all reviews of a split into RAM as word ids (reviews, length), and their labels."""
    words, labels = imdb(request["data"]["directory"], split, request["workload"])
    words = np.array(words, dtype=np.int64).reshape(len(labels), -1)
    return flow.from_numpy(words), flow.from_numpy(np.array(labels, dtype=np.int64))


# step: data
def real_batches(request):
    return arrays.batches(*real_reviews(request, "train"), request)


# step: model
class Classifier(nn.Module):
    """Embedding, GRU, and a dense layer on the output at the last position."""

    def __init__(self, vocabulary, embedding, units, classes):
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, embedding)
        self.gru = nn.GRU(embedding, units, batch_first=True)
        self.dense = nn.Linear(units, classes)

    def forward(self, words):
        outputs, _ = self.gru(self.embedding(words))
        return self.dense(outputs[:, -1])


# step: model
def network(workload):
    sizes = workload["network"]
    return Classifier(sizes["vocabulary"], sizes["embedding"], sizes["units"], sizes["classes"])


# step: loss
def loss(network, words, labels):
    return functional.cross_entropy(network(words), labels)


# step: optimizer
def optimizer(network, workload):
    settings = workload["optimizer"]
    return flow.optim.Adam(
        network.parameters(),
        lr=settings["learning_rate"],
        betas=(settings["beta1"], settings["beta2"]),
        eps=settings["epsilon"],
    )


def quality(trained, request, device):
    """Return the share of the whole test set that is classified correctly."""
    return arrays.accuracy(trained, *real_reviews(request, "test"), device)
