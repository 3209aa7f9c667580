"""Finding, listing and reading the files of a data set; what is missing or broken is said with its place and a remedy."""

import contextlib
import os

from runners.worker.contract import Unusable


def data_set(directory, title, prefixes):
    """Return the folder in the directory whose name begins with the first of the prefixes that fits, else the directory."""
    if directory is None:
        raise Unusable(f"{title} is wanted, and no data directory is given. Name one with --data-dir.")
    for prefix in prefixes:
        for name in listing(directory, "Name another data directory with --data-dir."):
            folder = os.path.join(directory, name)
            if name.lower().startswith(prefix) and os.path.isdir(folder):
                return folder
    return directory


def listing(folder, remedy):
    """Return the sorted names in a folder, hidden ones left out."""
    with readable(folder, remedy):
        return sorted(name for name in os.listdir(folder) if not name.startswith("."))


def read_text(path, remedy):
    """Return a whole text file; a byte order mark is not part of it."""
    with readable(path, remedy), open(path, encoding="utf-8-sig", newline="") as file:
        return file.read()


@contextlib.contextmanager
def readable(path, remedy):
    """Say which file or folder can't be read, and why."""
    try:
        yield
    except OSError as error:
        raise Unusable(f"{path} can't be read: {error.strerror}. {remedy}") from error
    except UnicodeDecodeError as error:
        raise Unusable(f"{path} is not UTF-8: {error.reason} at byte {error.start}. {remedy}") from error


def expect(found, expected, what, where, remedy):
    """Refuse another number of samples than the workload has: an epoch would be another one."""
    if found != expected:
        raise Unusable(f"{where} has {found} {what}; {expected} are expected. {remedy}")
