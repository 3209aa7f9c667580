"""GRU on IMDB: a classifier of film reviews, in MXNet."""

import mxnet as mx
import numpy as np
from mxnet import gluon
from mxnet.gluon import nn, rnn

from runners.frameworks.mxnet import loading
from runners.worker.datasets import imdb


# step: data
def real_reviews(request, split):
    """Read the word ids of all reviews of a split into RAM, and their labels."""
    words, labels = imdb(request["data"]["directory"], split, request["workload"])
    words = np.frombuffer(words, dtype="int32").reshape(len(labels), -1)
    return words.astype("int64"), np.frombuffer(labels, dtype="uint8").astype("int64")


# step: data
def real_batches(request):
    return loading.in_memory(request, *real_reviews(request, "train"))


# step: model
class Classifier(nn.HybridBlock):
    def __init__(self, vocabulary, embedding, units, classes):
        super().__init__()
        with self.name_scope():
            self.embedding = nn.Embedding(vocabulary, embedding)
            self.gru = rnn.GRU(units, layout="NTC", input_size=embedding)
            self.output = nn.Dense(classes)

    def hybrid_forward(self, F, words):
        states = self.gru(self.embedding(words))
        return self.output(F.slice_axis(states, axis=1, begin=-1, end=None))


# step: model
def network(workload, device):
    sizes = workload["network"]
    classifier = Classifier(sizes["vocabulary"], sizes["embedding"], sizes["units"], sizes["classes"])
    classifier.initialize(mx.init.Xavier(), ctx=device)
    classifier.hybridize()
    return classifier


cross_entropy = gluon.loss.SoftmaxCrossEntropyLoss()


# step: loss
def loss(network, words, labels):
    return cross_entropy(network(words), labels)


# step: optimizer
def optimizer(network, workload, store):
    settings = workload["optimizer"]
    # MXNet adds epsilon before the second moment's bias is corrected.
    options = {name: settings[name] for name in ("learning_rate", "beta1", "beta2", "epsilon")}
    return gluon.Trainer(network.collect_params(), "adam", options, kvstore=store, update_on_kvstore=False)


def quality(trained, request, device):
    """Return the share of the whole test set that is classified correctly."""
    return loading.accuracy(trained, device, *real_reviews(request, "test"))
