"""What figures say about each other: speedup within a submission, reproduction across submitters."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from collector import comparability

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from collector.derive import Figure
    from collector.vocabulary import Vocabulary

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


def reproduced(figures: Sequence[Figure]) -> Iterator[Figure]:
    """Raise the trust of measured figures that another submitter reached on the same hardware and release."""
    alike = defaultdict(list)
    for figure in figures:
        alike[identity(figure)].append(figure)
    for figure in figures:
        again = any(_confirms(other, figure) for other in alike[identity(figure)])
        yield replace(figure, trust="reproduced") if again else figure


def identity(figure: Figure) -> tuple[str | None, ...]:
    """Return what a row of a board is: framework release, interface, build and language under one key."""
    cell = figure.cell
    names = (cell.framework, cell.stack.framework_version, cell.stack.api, cell.result.variant, cell.stack.language)
    return (figure.key, *names)


def _confirms(other: Figure, figure: Figure) -> bool:
    if not (_counts(other) and _counts(figure) and other.estimate and figure.estimate):
        return False
    one, two = figure.cell.entry.submission.submitter.name, other.cell.entry.submission.submitter.name
    low, high = sorted((figure.estimate.value, other.estimate.value))
    return one.casefold() != two.casefold() and 0 < high <= low * REPRODUCED


def _counts(figure: Figure) -> bool:
    """Say whether a figure can reproduce or be reproduced: measured, public, standing, and fully described."""
    entry, stack = figure.cell.entry, figure.cell.stack
    described = figure.key is not None and stack.framework_version is not None
    return described and entry.submission.origin == "measured" and not entry.yours and figure.standing == "current"
