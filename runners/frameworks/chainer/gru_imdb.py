"""GRU on IMDB: word embedding, one recurrent layer, a classifier on its last output, in Chainer."""

import chainer
import numpy as np
from chainer import functions as F
from chainer import links as L

from runners.frameworks.chainer import loading
from runners.worker.datasets import imdb

USE_IDEEP = "never"  # Its copies cost more than its products win: plain NumPy was measured to be 1.5 times as fast.


# step: data
def real_reviews(request, split):
    """Read all reviews of a split into memory, as word ids, and their labels."""
    words, labels = imdb(request["data"]["directory"], split, request["workload"])
    return np.array(words, "int64").reshape(len(labels), -1), np.array(labels, "int64")


# step: data
def real_batches(request):
    return loading.in_memory(request, *real_reviews(request, "train"))


# step: model
class Network(chainer.Chain):
    def __init__(self, vocabulary, embedding, units, classes):
        super().__init__()
        with self.init_scope():
            self.embedding = L.EmbedID(vocabulary, embedding, initialW=chainer.initializers.Normal(0.1))
            self.gru = L.NStepGRU(n_layers=1, in_size=embedding, out_size=units, dropout=0)
            self.output = L.Linear(units, classes)

    def forward(self, words):
        reviews = F.separate(self.embedding(words), axis=0)
        last, _ = self.gru(None, list(reviews))  # every review has all its positions, padding included
        return self.output(last[0])


# step: model
def network(workload):
    return Network(*(workload["network"][name] for name in ("vocabulary", "embedding", "units", "classes")))


# step: loss
def loss(network, words, labels):
    return F.softmax_cross_entropy(network(words), labels)


# step: optimizer
def optimizer(network, workload):
    settings = workload["optimizer"]
    adam = chainer.optimizers.Adam(
        settings["learning_rate"], settings["beta1"], settings["beta2"], eps=settings["epsilon"]
    )
    return adam.setup(network)


def quality(network, request, place):
    """Return the share of the whole test set that is classified correctly."""
    return loading.accuracy(network, place, *real_reviews(request, "test"))
