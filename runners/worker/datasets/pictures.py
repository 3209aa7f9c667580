"""Pictures with one class each: CIFAR-10's binary files, and folders of JPEG or PNG files as ImageNet has them."""

import os

from runners.worker.contract import Unusable
from runners.worker.datasets import files

CIFAR10_FOLDERS = ("cifar-10-batches-bin",)
CIFAR10_RECORD = 1 + 3 * 32 * 32  # label, then the red, green and blue planes, row by row
CIFAR10_FILES = {"train": [f"data_batch_{number}.bin" for number in range(1, 6)], "test": ["test_batch.bin"]}
CIFAR10_REMEDY = "Unpack the binary version of CIFAR-10 there, or name another data directory."

IMAGENET_FOLDERS = ("imagenet",)  # imagenet-1k and imagenet-sample too
IMAGENET_CLASSES = 1000
IMAGENET_REMEDY = "Unpack ImageNet there, one folder a class below train and val, or name another data directory."
SUFFIXES = (".jpeg", ".jpg", ".png")


def cifar10(directory, split, samples):
    """Return the records of "train" or "test" as one bytearray of `samples` records of 3,073 bytes."""
    names = CIFAR10_FILES[split]
    folder = files.data_set(directory, "CIFAR-10", CIFAR10_FOLDERS)
    records = bytearray()
    for name in names:
        records += _cifar10_file(os.path.join(folder, name), samples // len(names))
    return records


def _cifar10_file(path, samples):
    with files.readable(path, CIFAR10_REMEDY), open(path, "rb") as file:
        records = file.read()
    expected = samples * CIFAR10_RECORD
    if len(records) != expected:
        raise Unusable(
            f"{path} has {len(records)} bytes; {samples} records of {CIFAR10_RECORD}, {expected} in all, are expected."
            f" {CIFAR10_REMEDY}"
        )
    label = max(records[::CIFAR10_RECORD])
    if label > 9:  # noqa: PLR2004 - ten classes
        raise Unusable(f"{path} has the label {label}; labels from 0 to 9 are expected. {CIFAR10_REMEDY}")
    return records


def image_folder(directory, split):
    """Return the paths of all pictures of a split ("train", "val"), their labels, and the names of the classes.

    Labels are the places of the classes' folders in sorted order, pictures are sorted by class and name.
    """
    root = os.path.join(files.data_set(directory, "ImageNet", IMAGENET_FOLDERS), split)
    classes = [name for name in files.listing(root, IMAGENET_REMEDY) if os.path.isdir(os.path.join(root, name))]
    if not 0 < len(classes) <= IMAGENET_CLASSES:
        raise Unusable(
            f"{root} has {len(classes)} folders; one a class, 1 to {IMAGENET_CLASSES} in all, are expected. {IMAGENET_REMEDY}"
        )
    paths, labels = [], []
    for label, name in enumerate(classes):
        folder = os.path.join(root, name)
        found = [file for file in files.listing(folder, IMAGENET_REMEDY) if file.lower().endswith(SUFFIXES)]
        paths += [os.path.join(folder, file) for file in found]
        labels += [label] * len(found)
    if not paths:
        raise Unusable(f"{root} has no file with a name in {', '.join(SUFFIXES)}. {IMAGENET_REMEDY}")
    return paths, labels, classes
