"""GRU on IMDB: embedding, one GRU layer, the last output decides; in OneFlow."""

import oneflow as flow
from oneflow import nn
from oneflow.nn import functional


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
