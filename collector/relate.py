"""What figures say about each other: speedup within a submission, reproduction across submitters."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from collector import comparability

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping, Sequence

    from collector.derive import Figure
    from collector.tabulate import Record
    from collector.vocabulary import Vocabulary

    Replaced = tuple[bool, str, str]
    Build = tuple[str, str, str, str | None, str | None]

REPRODUCED = 1.05  # two values are at most this factor apart


def scaled(figures: Sequence[Figure], vocabulary: Vocabulary) -> list[Figure]:
    """Add the speedup against the one-device cell of the same submission, stack, variant and key."""
    values = {_build(figure, figure.key): figure.estimate.value for figure in figures if figure.estimate and figure.key}
    return [replace(figure, speedup=_speedup(figure, values, vocabulary)) for figure in figures]


def _build(figure: Figure, key: str | None) -> Build:
    cell = figure.cell
    return (cell.entry.file, cell.entry.id, cell.result.stack, cell.result.variant, key)


def _speedup(figure: Figure, values: dict[Build, float], vocabulary: Vocabulary) -> float | None:
    metric = vocabulary.metrics[figure.metric]
    if figure.estimate is None or figure.key is None or metric.unit == "fraction":
        return None
    baseline = values.get(_build(figure, comparability.baseline_key(figure.cell, figure.metric)))
    if not baseline or not figure.estimate.value:
        return None
    return figure.estimate.value / baseline if metric.better == "higher" else baseline / figure.estimate.value


def together(records: Sequence[Record], superseded: Container[Replaced]) -> None:
    """Set standing and trust of rows, given at least all of a workload, by what other submissions say.

    `superseded` are the submissions that were replaced, of all workloads, each with whether it is local and by whom: only
    its own submitter replaces one, and nothing local replaces what is public.
    """
    for record in records:
        if (
            record["standing"] == "current"
            and (record["yours"], record["submitter"], record["submission"]) in superseded
        ):
            record["standing"] = "superseded"
    _reproduce(records)


def _reproduce(records: Sequence[Record]) -> None:
    """Raise the trust of measured values that another submitter reached on the same hardware and release."""
    alike = defaultdict(list)
    for record in records:
        if _counts(record):
            alike[identity(record)].append(record)
    for group in alike.values():
        if len({_submitter(record) for record in group}) > 1:
            for record in _near_another(group):
                record["trust"] = "reproduced"


def _near_another(group: Sequence[Record]) -> Iterator[Record]:
    """Yield the rows whose value another submitter reached, in one pass over the values in order."""
    ordered = sorted(group, key=lambda record: float(record["value"]))
    near: Counter[str] = Counter()  # submitters of the values between `first` and `last`
    first = last = 0
    for record in ordered:
        while last < len(ordered) and ordered[last]["value"] <= record["value"] * REPRODUCED:
            near[_submitter(ordered[last])] += 1
            last += 1
        while record["value"] > ordered[first]["value"] * REPRODUCED:
            near[_submitter(ordered[first])] -= 1
            first += 1
        if sum(map(bool, near.values())) > 1:
            yield record


def identity(record: Mapping[str, Any]) -> tuple[str | None, ...]:
    """Return what a row of a board is: framework release, interface, build and language under one key."""
    return tuple(record[name] for name in ("key", "framework", "framework_version", "api", "variant", "language"))


def _submitter(record: Record) -> str:
    return str(record["submitter"]).casefold()


def _counts(record: Record) -> bool:
    """Say whether a row can reproduce or be reproduced: measured, public, standing, and fully described."""
    described = record["key"] is not None and record["framework_version"] is not None
    measured = record["origin"] == "measured" and not record["yours"] and record["standing"] == "current"
    return described and measured and (record["value"] or 0) > 0
