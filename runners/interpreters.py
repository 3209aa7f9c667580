"""The Python interpreters of this machine: found on ROSETTA_PYTHONS, on PATH and in pyenv, asked for their version."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from packaging.version import InvalidVersion, Version

if TYPE_CHECKING:
    from collections.abc import Iterator

    from packaging.specifiers import SpecifierSet

# An interpreter without venv and ensurepip (Debian splits them off) can't make an environment.
_QUESTION = "import ensurepip, platform, venv; print(platform.python_version())"
_PROGRAM = re.compile(r"python3(\.\d+)?")
OLDEST = Version("3.6")  # the worker's floor
_SECONDS = 20  # a shim that asks a network drive is slow; one that hangs is not an interpreter


@dataclass(frozen=True)
class Interpreter:
    """A Python that can make virtual environments."""

    python: Path
    version: Version

    @property
    def tag(self) -> str:
        """Return the short name of the release line, such as `cp311`."""
        return f"cp{self.version.major}{self.version.minor}"


def find() -> list[Interpreter]:
    """Return the interpreters that work: first the one that runs us, then the newest."""
    found = {}
    for path in _candidates():
        key = os.path.realpath(path)
        if key not in found and (version := _version(path)):
            found[key] = Interpreter(path, version)
    own, *others = found.values()
    return [own, *sorted(others, key=lambda interpreter: interpreter.version, reverse=True)]


def fitting(interpreters: list[Interpreter], requires: SpecifierSet) -> Interpreter | None:
    """Return the first interpreter that a framework can use."""
    return next((entry for entry in interpreters if requires.contains(entry.version, prereleases=True)), None)


def _candidates() -> Iterator[Path]:
    yield Path(sys.executable)
    for entry in filter(None, os.environ.get("ROSETTA_PYTHONS", "").split(os.pathsep)):
        yield from _below(Path(entry).expanduser())
    for folder in filter(None, os.environ.get("PATH", "").split(os.pathsep)):
        yield from sorted(path for path in Path(folder).glob("python3*") if _PROGRAM.fullmatch(path.name))
    pyenv = Path(os.environ.get("PYENV_ROOT", "~/.pyenv")).expanduser()
    yield from sorted(pyenv.glob("versions/*/bin/python"))


def _below(path: Path) -> Iterator[Path]:
    yield from [path] if path.is_file() else [*path.glob("bin/python"), *path.glob("*/bin/python")]


def _version(python: Path) -> Version | None:
    # pyenv's shims are programs too: only one that answers is an interpreter.
    try:
        answer = subprocess.run(
            [python, "-I", "-c", _QUESTION], capture_output=True, encoding="utf-8", timeout=_SECONDS, check=True
        )
        version = Version(answer.stdout.strip())
    except (OSError, ValueError, subprocess.SubprocessError, InvalidVersion):
        return None
    return version if version >= OLDEST else None
