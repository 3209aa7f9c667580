"""Real data as bytes, checked: the files' official formats, without any framework and without NumPy."""

import os

from runners.worker.contract import Unusable

CIFAR10_FOLDER = "cifar-10-batches-bin"
CIFAR10_RECORD = 1 + 3 * 32 * 32  # label, then the red, green and blue planes, row by row
CIFAR10_FILES = {"train": [f"data_batch_{number}.bin" for number in range(1, 6)], "test": ["test_batch.bin"]}


def cifar10(directory, split, samples):
    """Return the records of "train" or "test" as one bytearray of `samples` records of 3,073 bytes.

    `directory` is the official folder or its parent.
    """
    folder = os.path.join(_given(directory, "CIFAR-10"), CIFAR10_FOLDER)
    folder = folder if os.path.isdir(folder) else directory
    files = CIFAR10_FILES[split]
    records = bytearray()
    for name in files:
        records += _cifar10_file(os.path.join(folder, name), samples // len(files))
    return records


def _cifar10_file(path, samples):
    remedy = "Unpack the binary version of CIFAR-10 there, or name another data directory."
    try:
        with open(path, "rb") as file:
            records = file.read()
    except OSError as error:
        raise Unusable(f"{path} can't be read: {error.strerror}. {remedy}") from error
    expected = samples * CIFAR10_RECORD
    if len(records) != expected:
        raise Unusable(
            f"{path} has {len(records)} bytes; {samples} records of {CIFAR10_RECORD}, {expected} in all, are expected. {remedy}"
        )
    label = max(records[::CIFAR10_RECORD])
    if label > 9:  # noqa: PLR2004 - ten classes
        raise Unusable(f"{path} has the label {label}; labels from 0 to 9 are expected. {remedy}")
    return records


def _given(directory, name):
    if directory is None:
        raise Unusable(f"{name} is wanted, and no data directory is given. Name one with --data-dir.")
    return directory
