"""Real data as endless full batches, shuffled anew each epoch: in memory by index, pictures by worker processes."""

import itertools
import os

import torch
from PIL import Image
from torch.utils.data import DataLoader, Dataset, DistributedSampler

from runners.frameworks.pytorch.vision import transforms
from runners.worker.contract import Unusable

NORMALISE = transforms.Normalize(
    (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)
)  # mean and deviation of ImageNet's channels


class Pictures(Dataset):
    """Files with their labels; a picture is decoded when it is asked for."""

    def __init__(self, paths, labels, transform):
        self.paths, self.labels, self.transform = paths, labels, transform

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, number):
        with Image.open(self.paths[number]) as picture:
            return self.transform(picture.convert("RGB")), self.labels[number]


def in_memory(request, place, *columns):
    """Tell what loads, and return batches of tensors that have all samples in memory."""
    steps = full_batches(request, len(columns[0]))
    return {"loader": "tensors in memory", "workers": 0, "cache": "warm"}, _indexed(request, place, columns, steps)


def _indexed(request, place, columns, steps):
    size, samples = request["batch_per_device"], len(columns[0])
    rank, count = request["process"]["rank"], request["process"]["count"]
    chance = torch.Generator().manual_seed(request["seed"])  # the same in all processes, which share each epoch out
    while True:
        order = torch.randperm(samples, generator=chance)[: steps * count * size].view(steps, count, size)
        for chosen in order[:, rank]:
            batch = [column[chosen] for column in columns]
            yield [part.pin_memory() for part in batch] if place.type == "cuda" else batch


def decoded(request, place, pictures):
    """Tell what loads, and return batches of pictures."""
    full_batches(request, len(pictures))
    workers = loader_workers(request)
    return {"loader": "torch.utils.data.DataLoader", "workers": workers, "cache": None}, _loaded(
        request, place, pictures, workers
    )


def _loaded(request, place, pictures, workers):
    seed, rank, count = request["seed"], request["process"]["rank"], request["process"]["count"]
    share = DistributedSampler(pictures, count, rank, shuffle=True, seed=seed, drop_last=True)
    loader = DataLoader(
        pictures,
        batch_size=request["batch_per_device"],
        sampler=share,
        num_workers=workers,
        pin_memory=place.type == "cuda",
        drop_last=True,
        generator=torch.Generator().manual_seed(seed + rank),
        persistent_workers=workers > 0,
    )
    for epoch in itertools.count():
        share.set_epoch(epoch)
        yield from loader


def loader_workers(request):
    """Return the number of processes that load: as requested, else the cores shared out among the node's processes."""
    if request["loader_workers"] is not None:
        return request["loader_workers"]
    scale = request["scale"]
    return max(1, len(os.sched_getaffinity(0)) * scale["nodes"] // scale["devices"])


def full_batches(request, samples):
    """Return the number of full batches in each process's share of an epoch, at least one."""
    size, count = request["batch_per_device"], request["process"]["count"]
    if samples < size * count:
        raise Unusable(
            f"{samples} samples have no full batch of {size} for each of {count} processes. Choose a smaller batch."
        )
    return samples // (size * count)


def accuracy(network, place, samples, labels):
    """Return the share of the samples that a network classifies correctly."""
    right = 0
    for chosen in torch.arange(len(labels)).split(1000):
        answers = network(samples[chosen].to(place)).argmax(dim=1)
        right += (answers.cpu() == labels[chosen]).sum().item()
    return right / len(labels)
