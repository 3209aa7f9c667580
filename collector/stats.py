"""What submissions hold, counted, and the names in them that the vocabulary doesn't know."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from collector.vocabulary import near_misses
from collector.wording import counted, visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from collector.normalise import Cell
    from collector.vocabulary import Vocabulary

NOT_STATED = "not stated"
Key = TypeVar("Key", str, tuple[str, str])


@dataclass(frozen=True)
class Stats:
    """Numbers of results by framework, device, workload and outcome, in canonical names, the most frequent first."""

    submissions: int
    results: int
    by: Mapping[str, Mapping[str, int]]


@dataclass(frozen=True)
class Unknown:
    """A name that the vocabulary lacks, with the number of results that it stands in."""

    what: str
    name: str
    results: int
    near: tuple[str, ...]


def stats(cells: Sequence[Cell]) -> Stats:
    """Count results by what they are about; outcomes as submitted."""
    parts = {
        "framework": Counter(cell.framework for cell in cells),
        "device": Counter(cell.device or NOT_STATED for cell in cells),
        "workload": Counter(cell.result.workload for cell in cells),
        "outcome": Counter(str(cell.result.outcome) for cell in cells),
    }
    by = {part: dict(_frequent_first(counts)) for part, counts in parts.items()}
    return Stats(len({cell.entry.file for cell in cells}), len(cells), by)


def unknown(cells: Iterable[Cell], vocabulary: Vocabulary) -> tuple[Unknown, ...]:
    """Return the names that a maintainer has to look at, those in most results first."""
    counts = Counter(found for cell in cells for found in set(_names_unknown(cell, vocabulary)))
    return tuple(
        Unknown(what, name, times, tuple(_near(what, name, vocabulary)))
        for (what, name), times in _frequent_first(counts)
    )


def _frequent_first(counts: Counter[Key]) -> list[tuple[Key, int]]:
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def _names_unknown(cell: Cell, vocabulary: Vocabulary) -> Iterator[tuple[str, str]]:
    names = [device.name for device in cell.machine.devices]
    names += [cell.machine.cpu.name] if cell.machine.cpu else []
    for name in filter(None, names):
        if vocabulary.canonical_hardware(name) is None:
            yield "device", name
    if vocabulary.canonical_framework(cell.stack.framework) is None:
        yield "framework", cell.stack.framework
    if vocabulary.named_workload(cell.result.workload) is None:
        yield "workload", cell.result.workload
    for reported in cell.result.reported:
        if reported.metric not in vocabulary.metrics:
            yield "metric", reported.metric


def _near(what: str, name: str, vocabulary: Vocabulary) -> list[str]:
    if what == "device":
        return vocabulary.devices_like(name)
    known = {
        "framework": vocabulary.frameworks,
        "workload": {**vocabulary.workloads, **vocabulary.foreign},
        "metric": vocabulary.metrics,
    }
    return near_misses(name, known[what])


def stats_text(found: Stats) -> str:
    """Return the counts as text, a block a part."""
    lines = [f"{counted(found.submissions, 'submission')}, {counted(found.results, 'result')}"]
    for part, counts in found.by.items():
        lines += ["", part, *(f"{number:>8,}  {visible(name)}" for name, number in counts.items())]
    return "\n".join(lines) + "\n"


def unknown_text(found: Sequence[Unknown]) -> str:
    """Return the unknown names as text, a line each."""
    lines = [
        f"{entry.results:>8,}  {entry.what}  {visible(entry.name)}"
        + (f"  (like {', '.join(map(visible, entry.near))}?)" if entry.near else "")
        for entry in found
    ]
    return "\n".join(lines or ["every name is in the vocabulary"]) + "\n"
