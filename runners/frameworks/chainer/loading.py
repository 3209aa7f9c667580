"""Real data by Chainer's own data sets and iterators: each process of a job takes its share of every epoch."""

import multiprocessing
import os
import random

import chainer
import numpy as np
from PIL import Image

from runners.worker.contract import Unusable

MEAN, DEVIATION = (np.array(of, "float32").reshape(3, 1, 1) for of in ((0.485, 0.456, 0.406), (0.229, 0.224, 0.225)))
SIZE = 224


class Pictures(chainer.dataset.DatasetMixin):
    """Decoded, cut by `cut` and normalised pictures with their labels."""

    def __init__(self, paths, labels, cut):
        self.paths, self.labels, self.cut = paths, labels, cut

    def __len__(self):
        return len(self.paths)

    def get_example(self, i):
        try:
            with Image.open(self.paths[i]) as file:
                picture = self.cut(file.convert("RGB"))
        except OSError as error:
            raise Unusable(f"{self.paths[i]} is no picture: {error}. Replace or remove it.") from error
        pixels = np.asarray(picture, "float32").transpose(2, 0, 1) / 255
        return (pixels - MEAN) / DEVIATION, self.labels[i]


class Epochs(chainer.iterators.OrderSampler):
    """Draw a new order for each epoch, the same in every process, and take this one's share of it: full batches only."""

    def __init__(self, request, samples):
        self.process, self.samples = request["process"], samples
        size, count = request["batch_per_device"], self.process["count"]
        self.length = samples // (size * count) * size
        self.chance = np.random.RandomState(request["seed"])
        if not self.length:
            raise Unusable(
                f"{samples} samples have no full batch of {size} for each of {count} processes. Ask for less."
            )

    def __call__(self, current_order, current_position):  # noqa: ARG002 - Chainer calls it so
        order = self.chance.permutation(self.samples)
        return order[self.process["rank"] :: self.process["count"]][: self.length]


def in_memory(request, *columns):
    """Return an endless iterator over batches of what is in memory already, and how `loader` describes it."""
    order = Epochs(request, len(columns[0]))
    examples = chainer.datasets.TupleDataset(*columns)
    iterator = chainer.iterators.SerialIterator(examples, request["batch_per_device"], order_sampler=order)
    return map(chainer.dataset.concat_examples, iterator), {"loader": "SerialIterator", "workers": 0, "cache": "warm"}


def from_files(request, pictures):
    """Return an endless iterator over batches that processes decode ahead of time, and how `loader` describes it."""
    iterator = decoded(request, pictures, request["batch_per_device"], order_sampler=Epochs(request, len(pictures)))
    facts = {"loader": type(iterator).__name__, "workers": loader_workers(request), "cache": None}
    return map(chainer.dataset.concat_examples, iterator), facts


def loader_workers(request):
    """Return the number of processes that load: as requested, else the cores shared out among the node's processes."""
    if request["loader_workers"] is not None:
        return request["loader_workers"]
    scale = request["scale"]
    return max(1, len(os.sched_getaffinity(0)) * scale["nodes"] // scale["devices"])


def decoded(request, pictures, size, **how):
    """Return Chainer's iterator over lists of examples, decoded ahead of time by processes, or here if there are none."""
    workers = loader_workers(request)
    if not workers:
        return chainer.iterators.SerialIterator(pictures, size, **how)
    multiprocessing.set_start_method("forkserver", force=True)  # neither MPI nor OpenMP survives a plain fork
    return chainer.iterators.MultiprocessIterator(pictures, size, n_processes=workers, n_prefetch=4, **how)


def random_resized_crop(picture):
    """Cut out 8 to 100 % of the area, 3:4 to 4:3, at any place, and bring it to size; flip every other one."""
    width, height = picture.size
    for _ in range(10):
        area = width * height * random.uniform(0.08, 1)
        ratio = np.exp(random.uniform(np.log(3 / 4), np.log(4 / 3)))
        across, down = round((area * ratio) ** 0.5), round((area / ratio) ** 0.5)
        if 0 < across <= width and 0 < down <= height:
            break
    else:  # a very long picture: a square
        across = down = min(width, height)
    left, top = random.randint(0, width - across), random.randint(0, height - down)
    picture = picture.resize((SIZE, SIZE), Image.BILINEAR, box=(left, top, left + across, top + down))
    return flipped(picture)


def random_crop(picture):
    """Bring to 264 × 264, cut out 224 × 224 at any place; flip every other one."""
    left, top = (random.randint(0, 264 - SIZE) for _ in range(2))
    picture = picture.resize((264, 264), Image.BILINEAR)
    return flipped(picture.crop((left, top, left + SIZE, top + SIZE)))


def flipped(picture):
    return picture.transpose(Image.FLIP_LEFT_RIGHT) if random.random() < 0.5 else picture


def centre_crop(picture):
    """Bring the shorter side to 256, cut out the middle 224 × 224."""
    scale = 256 / min(picture.size)
    return middle(picture.resize([round(side * scale) for side in picture.size], Image.BILINEAR))


def centre_crop_of_264(picture):
    """Bring to 264 × 264, cut out the middle 224 × 224."""
    return middle(picture.resize((264, 264), Image.BILINEAR))


def middle(picture):
    left, top = ((side - SIZE) // 2 for side in picture.size)
    return picture.crop((left, top, left + SIZE, top + SIZE))


def accuracy(network, place, samples, labels):
    """Return the share of the samples that a network classifies correctly."""
    right = 0
    for start in range(0, len(labels), 1000):
        chosen = slice(start, start + 1000)
        answers = network(place.send(samples[chosen])).array.argmax(axis=1)
        right += int((chainer.get_device("@numpy").send(answers) == labels[chosen]).sum())
    return right / len(labels)
