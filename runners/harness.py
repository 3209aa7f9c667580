"""Which code of ours measures: its version, its commit, and a hash of the sources that a run depends on."""

from __future__ import annotations

import hashlib
import importlib.metadata
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from collector import schema

if TYPE_CHECKING:
    from runners.manifests import Framework

ROOT = Path(__file__).resolve().parent.parent


def describe(command: str, profile: str | None) -> schema.Harness:
    """Return the facts about our own code; commit and dirty are None outside a git checkout."""
    ours = _git("rev-parse", "--show-toplevel") == str(ROOT)  # not a checkout that we happen to be installed in
    commit = _git("rev-parse", "HEAD") if ours else None
    changes = _git("status", "--porcelain")
    return schema.Harness(
        version=importlib.metadata.version("rosetta-bench"),
        commit=commit,
        dirty=None if commit is None or changes is None else bool(changes),
        command=command,
        profile=profile,
    )


def sources(framework: Framework) -> str:
    """Return a hash of the worker's and the framework's modules: changed code is measured anew."""
    return digest(ROOT / "runners" / "worker", framework.folder)


def digest(*folders: Path) -> str:
    """Return a hash of all modules below some folders."""
    hashed = hashlib.sha256()
    for folder in folders:
        for path in sorted(folder.rglob("*.py")):
            hashed.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return hashed.hexdigest()


def _git(*arguments: str) -> str | None:
    try:
        answer = subprocess.run(
            ["git", "-C", str(ROOT), *arguments], capture_output=True, encoding="utf-8", errors="replace", check=True
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return answer.stdout.strip()
