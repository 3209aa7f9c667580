"""Real data as endless full batches, shuffled anew each epoch: in memory by index, pictures by worker processes."""

import multiprocessing
import os
import random

import mxnet as mx
import numpy as np
from mxnet import gluon
from mxnet.gluon.data.vision import transforms

from runners.worker.contract import Unusable

NORMALISE = transforms.Normalize(
    (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)
)  # mean and deviation of ImageNet's channels


class Pictures(gluon.data.Dataset):
    """Files with their labels; a picture is decoded when it is asked for."""

    def __init__(self, request, paths, labels, *steps):
        self.paths, self.labels = paths, labels
        self.transform = transforms.Compose([*steps, transforms.ToTensor(), NORMALISE])
        self.seed, self.seeded = f"{request['seed']} {request['process']['rank']}", None

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, number):
        self.seed_here(multiprocessing.current_process().name)
        return self.transform(mx.image.imread(self.paths[number])), self.labels[number]

    def seed_here(self, name):
        """Let each loading process draw crops and flips of its own: they all begin as copies of one process."""
        if self.seeded != name:
            self.seeded = name
            random.seed(f"{self.seed} {name}")
            mx.random.seed(random.getrandbits(31))


class Share(gluon.data.Sampler):
    """The full batches of every epoch that are this process's, as arrays of indices without end."""

    def __init__(self, request, samples):
        self.place, self.samples = request["process"], samples
        self.size = request["batch_per_device"]
        self.chance = np.random.RandomState(request["seed"])  # the same in all processes, which share each epoch out
        if samples < self.size * self.place["count"]:
            raise Unusable(
                f"{samples} samples have no full batch of {self.size} for each of {self.place['count']} processes. Ask for less."
            )

    def __len__(self):
        return self.samples // (self.size * self.place["count"])

    def __iter__(self):
        shape = len(self), self.place["count"], self.size
        while True:
            order = self.chance.permutation(self.samples)[: np.prod(shape)].reshape(shape)
            yield from order[:, self.place["rank"]]


def in_memory(request, *columns):
    """Tell what loads, and return batches of NumPy arrays that have all samples in memory."""
    share = Share(request, len(columns[0]))
    batches = ([mx.nd.array(column[chosen], dtype=column.dtype) for column in columns] for chosen in share)
    return {"loader": "arrays in memory", "workers": 0, "cache": "warm"}, batches


def decoded(request, pictures):
    """Tell what loads, and return batches of pictures."""
    workers = loader_workers(request)
    share = Share(request, len(pictures))
    loader = gluon.data.DataLoader(pictures, batch_sampler=share, num_workers=workers)
    return {"loader": "gluon.data.DataLoader", "workers": workers, "cache": None}, iter(loader)


def loader_workers(request):
    """Return the number of processes that load: as requested, else the cores shared out among the node's processes."""
    if request["loader_workers"] is not None:
        return request["loader_workers"]
    scale = request["scale"]
    return max(1, len(os.sched_getaffinity(0)) * scale["nodes"] // scale["devices"])


def accuracy(network, device, samples, labels):
    """Return the share of the samples that a network classifies correctly."""
    right = 0
    for start in range(0, len(labels), 1000):
        chosen = slice(start, start + 1000)
        answers = network(mx.nd.array(samples[chosen], ctx=device, dtype=samples.dtype)).argmax(axis=1)
        right += int((answers.asnumpy() == labels[chosen]).sum())
    return right / len(labels)
