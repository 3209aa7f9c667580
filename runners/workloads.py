"""The workloads that can be measured: `data/workloads/*.toml`, typed for us and raw for the worker's request."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from collector import vocabulary
from runners.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

FOLDER = Path(__file__).resolve().parent.parent / "data" / "workloads"


@dataclass(frozen=True)
class Workload:
    """A workload's specification and the same as plain values, key by key as in its file."""

    id: str
    specification: vocabulary.Workload
    document: Mapping[str, Any]


def load(folder: Path = FOLDER) -> dict[str, Workload]:
    """Read every workload; raises UsageError that names the file which is wrong."""
    return {path.stem: _read(path) for path in sorted(folder.glob("*.toml"))}


def _read(path: Path) -> Workload:
    try:
        document = tomllib.loads(path.read_text("utf-8"))
        return Workload(path.stem, vocabulary.Workload.model_validate(document), document)
    except ValueError as error:
        raise UsageError(f"data/workloads/{path.name} can't be read: {error}") from error
