"""Real pictures, loaded with Grain: decoded by Pillow, cropped, flipped, normalised; each process takes its share."""

import os

import grain
import jax
import numpy as np
from PIL import Image

from runners.worker.contract import Unusable
from runners.worker.datasets import chestxray, image_folder

MEAN = np.array([0.485, 0.456, 0.406], np.float32)
DEVIATION = np.array([0.229, 0.224, 0.225], np.float32)
SIZE, RESIZED, XRAY = 224, 256, 264
AREA, RATIO = (0.08, 1.0), (3 / 4, 4 / 3)
TRIES = 10


def training_batches(request):
    """Return an endless iterator over shuffled batches of randomly cropped pictures and their classes."""
    paths, labels, _ = image_folder(request["data"]["directory"], "train")
    samples = list(zip(paths, labels, strict=True))
    return endless(request, shuffled(request, samples).random_map(RandomCrop()))


def inference_batches(request):
    """Return an endless iterator over batches of centre crops."""
    paths, _, _ = image_folder(request["data"]["directory"], "train")
    return endless(request, shuffled(request, paths).map(CentreCrop()))


def xray_batches(request):
    """Return an endless iterator over shuffled batches of X-rays and their findings."""
    paths, findings = chestxray(request["data"]["directory"], "train", request["workload"])
    samples = list(zip(paths, np.float32(findings), strict=True))
    return endless(request, shuffled(request, samples).random_map(RandomShift()))


def xray_test_batches(request):
    """Return an iterator over all X-rays of the test set, in order, and their findings."""
    paths, findings = chestxray(request["data"]["directory"], "test", request["workload"])
    samples = list(zip(paths, np.float32(findings), strict=True))
    return loaded(request, grain.MapDataset.source(samples).map(CentreShift()).batch(request["batch_per_device"]))


def shuffled(request, samples):
    """Return this process's share of an epoch, in another order each time: as many full batches as every other has."""
    place, size = request["process"], request["batch_per_device"]
    share = len(samples) // place["count"] // size * size
    if not share:
        raise Unusable(
            f"{len(samples)} pictures are no batch of {size} for each of {place['count']} processes. Use more."
        )
    dataset = grain.MapDataset.source(samples).seed(request["seed"]).shuffle()
    return dataset[place["rank"] :: place["count"]][:share]


def endless(request, dataset):
    return iter(loaded(request, dataset.batch(request["batch_per_device"]).repeat()))


def loaded(request, dataset):
    """Load in processes of their own, or in threads where none are wanted."""
    jax.config.parse_flags_with_absl()  # Grain reads its own flags, which exist after this
    count = workers(request)
    found = dataset.to_iter_dataset()
    return found.mp_prefetch(grain.MultiprocessingOptions(num_workers=count)) if count else found


def workers(request):
    """Return the number of processes that load: as requested, else the cores shared out among the node's processes."""
    if request["loader_workers"] is not None:
        return request["loader_workers"]
    scale = request["scale"]
    return max(1, len(os.sched_getaffinity(0)) * scale["nodes"] // scale["devices"])


def loader(request):
    """Tell how pictures come; whether the files are in the system's cache nobody knows."""
    return {"loader": "grain", "workers": workers(request), "cache": None}


class RandomCrop(grain.transforms.RandomMap):
    """A part of 8 to 100 % of the area, its sides 3:4 to 4:3, resized to 224 × 224, perhaps flipped."""

    def random_map(self, sample, chance):
        path, label = sample
        with Image.open(path) as image:
            part = random_part(*image.size, chance)
            cropped = image.convert("RGB").resize((SIZE, SIZE), Image.Resampling.BILINEAR, box=part)
        return flipped(normalised(cropped), chance), np.int32(label)


class CentreCrop(grain.transforms.Map):
    """The middle 224 × 224 of a picture whose shorter side was made 256."""

    def map(self, path):
        with Image.open(path) as image:
            scale = RESIZED / min(image.size)
            width, height = (round(side * scale) for side in image.size)
            resized = image.convert("RGB").resize((width, height), Image.Resampling.BILINEAR)
        left, top = (width - SIZE) // 2, (height - SIZE) // 2
        return (normalised(resized.crop((left, top, left + SIZE, top + SIZE))),)


class RandomShift(grain.transforms.RandomMap):
    """224 × 224 of a picture made 264 × 264, anywhere, perhaps flipped."""

    def random_map(self, sample, chance):
        path, findings = sample
        left, top = chance.integers(XRAY - SIZE + 1, size=2)
        return flipped(normalised(shifted(path, left, top)), chance), findings


class CentreShift(grain.transforms.Map):
    """The middle 224 × 224 of a picture made 264 × 264."""

    def map(self, sample):
        path, findings = sample
        middle = (XRAY - SIZE) // 2
        return normalised(shifted(path, middle, middle)), findings


def shifted(path, left, top):
    with Image.open(path) as image:
        resized = image.convert("RGB").resize((XRAY, XRAY), Image.Resampling.BILINEAR)
    return resized.crop((left, top, left + SIZE, top + SIZE))


def random_part(width, height, chance):
    """Draw a box inside a picture; the largest one in the middle if none of the tries fits."""
    for _ in range(TRIES):
        area = width * height * chance.uniform(*AREA)
        ratio = np.exp(chance.uniform(*np.log(RATIO)))
        wide, high = round((area * ratio) ** 0.5), round((area / ratio) ** 0.5)
        if 0 < wide <= width and 0 < high <= height:
            left, top = chance.integers(width - wide + 1), chance.integers(height - high + 1)
            return left, top, left + wide, top + high
    wide, high = min(width, round(height * RATIO[1])), min(height, round(width / RATIO[0]))
    left, top = (width - wide) // 2, (height - high) // 2
    return left, top, left + wide, top + high


def normalised(image):
    return (np.asarray(image, np.float32) / 255 - MEAN) / DEVIATION


def flipped(pixels, chance):
    return pixels[:, ::-1] if chance.random() < 0.5 else pixels
