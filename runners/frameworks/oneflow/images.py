"""Pictures from files, in OneFlow's DataLoader: decoded, cropped, flipped and normalised by its worker processes."""

import itertools
import math
import os
import random

import numpy as np
import oneflow as flow
from oneflow.utils.data import DataLoader, Dataset
from oneflow.utils.data.distributed import DistributedSampler
from PIL import Image

from runners.worker.contract import Unusable

MEAN = np.array([0.485, 0.456, 0.406], dtype=np.float32)
DEVIATION = np.array([0.229, 0.224, 0.225], dtype=np.float32)
SIDE = 224
TRIES = 10  # at a crop that fits, before the largest square will do


class Pictures(Dataset):
    """Pictures on disk with their targets; `crop` makes one of 224 × 224 of a picture of any size."""

    def __init__(self, paths, targets, crop):
        self.paths, self.targets, self.crop = paths, targets, crop

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, number):
        try:
            with Image.open(self.paths[number]) as picture:
                pixels = np.asarray(self.crop(picture.convert("RGB")), dtype=np.float32)
        except OSError as error:
            raise Unusable(f"{self.paths[number]} can't be decoded: {error}. Unpack the data set anew.") from error
        normal = (pixels / 255 - MEAN) / DEVIATION
        return flow.from_numpy(np.ascontiguousarray(normal.transpose(2, 0, 1))), self.targets[number]


def batches(pictures, request):
    """Return an endless iterator over full batches; each epoch is divided anew among the processes of the job."""
    place, size = request["process"], request["batch_per_device"]
    sampler = DistributedSampler(
        pictures, place["count"], place["rank"], shuffle=True, seed=request["seed"], drop_last=True
    )
    if len(sampler) < size:
        raise Unusable(
            f"Each process has {len(sampler)} pictures; a batch of {size} needs more. Measure a smaller batch."
        )
    random.seed(request["seed"] + place["rank"])  # for loading without worker processes, which have seeds of their own
    number = workers(request)
    ready = DataLoader(
        pictures, size, sampler=sampler, num_workers=number, drop_last=True, persistent_workers=number > 0
    )
    return endless(ready, sampler)


def endless(ready, sampler):
    for epoch in itertools.count():
        sampler.set_epoch(epoch)
        yield from ready


def loader(request):
    """Tell what loads the pictures, as the contract's `loader` does."""
    return {"loader": "oneflow.utils.data.DataLoader", "workers": workers(request), "cache": None}


def workers(request):
    """Return how many processes load pictures: by default the CPUs that are there for this process."""
    if request["loader_workers"] is not None:
        return request["loader_workers"]
    scale = request["scale"]
    return max(1, len(os.sched_getaffinity(0)) * scale["nodes"] // scale["devices"])


def random_resized_crop(picture):
    """Cut out 8 to 100 % of the area at a ratio from 3:4 to 4:3, where that fits, and flip every other picture."""
    width, height = picture.size
    for _ in range(TRIES):
        area = width * height * random.uniform(0.08, 1)
        ratio = math.exp(random.uniform(math.log(3 / 4), math.log(4 / 3)))
        wide, high = round(math.sqrt(area * ratio)), round(math.sqrt(area / ratio))
        if 0 < wide <= width and 0 < high <= height:
            break
    else:
        wide = high = min(width, height)
    left, top = random.randrange(width - wide + 1), random.randrange(height - high + 1)
    cut = picture.resize((SIDE, SIDE), Image.BILINEAR, box=(left, top, left + wide, top + high))
    return flipped(cut)


def random_crop(picture, side=264):
    """Cut 224 × 224 out of 264 × 264, and flip every other picture."""
    picture = picture.resize((side, side), Image.BILINEAR)
    left, top = random.randrange(side - SIDE + 1), random.randrange(side - SIDE + 1)
    return flipped(picture.crop((left, top, left + SIDE, top + SIDE)))


def middle_crop(picture, side=264):
    """Cut the middle 224 × 224 out of 264 × 264."""
    left = top = (side - SIDE) // 2
    return picture.resize((side, side), Image.BILINEAR).crop((left, top, left + SIDE, top + SIDE))


def flipped(picture):
    return picture.transpose(Image.FLIP_LEFT_RIGHT) if random.random() < 0.5 else picture


def centre_crop(picture, short=256):
    """Cut 224 × 224 out of the middle, the shorter side being scaled to `short`."""
    width, height = picture.size
    scale = short / min(width, height)
    picture = picture.resize((round(width * scale), round(height * scale)), Image.BILINEAR)
    left, top = (picture.width - SIDE) // 2, (picture.height - SIDE) // 2
    return picture.crop((left, top, left + SIDE, top + SIDE))
