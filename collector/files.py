"""Submission files on disk: which there are, what they are called, reading one, writing one."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from collector.problems import problem
from collector.read import MAX_BYTES, Reading, read

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path


def submission_files(folder: Path) -> list[Path]:
    """Return every .json file below a folder by name; links are among them, so that none is lost silently."""
    found = [path for path in folder.rglob("*.json") if not path.is_dir()]
    return sorted(found, key=lambda path: path.relative_to(folder).parts)


def named(folder: Path, root: Path) -> Mapping[str, Path]:
    """Return the submission files below a folder by the path that is shown, which is the same on every machine."""
    whole = folder.resolve()
    base = root if whole.is_relative_to(root) else whole.parent.parent
    found = {shown(path.relative_to(base)): path for path in submission_files(whole)}
    return dict(sorted(found.items()))


def shown(path: Path) -> str:
    """Return a path as UTF-8 has it, whatever the locale makes of its bytes."""
    return os.fsencode(path.as_posix()).decode("utf-8", "backslashreplace")


def content(path: Path) -> bytes:
    """Return the bytes of a file, no more than show that it is too large; raises OSError.

    A link isn't followed: what it leads to is nobody's business, and may be something else on another machine.
    """
    if path.is_symlink():
        raise OSError(None, "a link")
    if path.exists() and not path.is_file():
        raise OSError(None, "a pipe or a device")  # reading it might never end
    with path.open("rb") as stream:
        return stream.read(MAX_BYTES + 1)


def reading(path: Path, file: str) -> Reading:
    """Read a submission; `file` is its name in problems."""
    try:
        found = content(path)
    except OSError as error:
        return unreadable(error, file)
    return read(found, file)


def unreadable(error: OSError, file: str) -> Reading:
    """Return what is known of a file that can't be read."""
    found = (error.strerror or type(error).__name__).lower()
    return Reading(None, (problem("unreadable-file", file, "$", found, "a readable file"),))


def write(path: Path, chunks: Iterable[bytes]) -> None:
    """Write a temporary neighbour, then rename it: a reader never sees half a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with temporary.open("wb") as stream:
            stream.writelines(chunks)
        temporary.replace(path)
    except OSError:  # a full disk still lets go of what didn't fit
        temporary.unlink(missing_ok=True)
        raise
