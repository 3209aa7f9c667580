"""A measured value beside those of other submitters: the same framework under the same key."""

from __future__ import annotations

import hashlib
import json
from bisect import bisect_left, bisect_right
from collections import defaultdict
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

from collector import comparability
from collector.normalise import described, normalise
from collector.problems import Problem, problem
from collector.rates import throughput
from collector.wording import json_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from collector.normalise import Cell, Entry
    from collector.vocabulary import Vocabulary

FEWEST = 3  # values of other submitters: fewer have no range
DEVIATIONS = 3
NORMAL = 1.4826  # times the median absolute deviation is the standard deviation of normal values
LEAST = 0.02  # of the median: machines of one kind differ that much without a cause


@dataclass(frozen=True)
class Rate:
    """The throughput of a result, samples/s, with the hash of what it may be compared under."""

    group: str
    file: str
    submitter: str
    position: int
    value: float


def rates(entry: Entry, vocabulary: Vocabulary) -> Iterator[Rate]:
    """Yield the throughput of every measured result whose settings are all stated."""
    submission = entry.submission
    who = submission.submitter.name.casefold()
    for cell in normalise(entry, vocabulary) if submission.origin == "measured" and described(submission) else ():
        key = comparability.key(cell, "throughput")
        values = [rate for run in cell.result.runs if (rate := throughput(run)) is not None]
        if key is not None and values and cell.result.outcome == "ok":
            group = hashlib.sha256(f"{key} {json.dumps(_build(cell))}".encode("utf-8", "backslashreplace")).hexdigest()[
                :32
            ]
            yield Rate(group, entry.file, who, cell.position, median(values))


def unusual(values: Iterable[Rate]) -> tuple[Problem, ...]:
    """Return a warning for each throughput more than 3 robust deviations outside the range of the others'."""
    groups: dict[str, list[Rate]] = defaultdict(list)
    for value in values:
        groups[value.group].append(value)
    return tuple(found for group in groups.values() for found in _outside(group))


def _build(cell: Cell) -> tuple[str | None, ...]:
    """Return what a value belongs to beside its key; releases may differ by less than machines do."""
    return cell.framework, cell.stack.api, cell.result.variant, cell.stack.language


def _outside(group: Sequence[Rate]) -> Iterator[Problem]:
    """Judge the values at both ends: one between values of others lies within their range."""
    ordered = sorted(group, key=lambda rate: rate.value)
    ends = {ordered[0].submitter, ordered[-1].submitter}
    numbers = [rate.value for rate in ordered]
    for submitter in sorted(ends):
        others = [rate.value for rate in ordered if rate.submitter != submitter]
        if len(others) < FEWEST:
            continue
        beyond = {*range(bisect_left(numbers, others[0])), *range(bisect_right(numbers, others[-1]), len(numbers))}
        for place in sorted(beyond):
            yield from _judged(ordered[place], others)


def _judged(rate: Rate, others: Sequence[float]) -> Iterator[Problem]:
    """Compare a value with those of others, which are sorted."""
    middle = median(others)
    deviation = max(NORMAL * median(abs(other - middle) for other in others), LEAST * middle)
    low, high = others[0], others[-1]
    if low - DEVIATIONS * deviation <= rate.value <= high + DEVIATIONS * deviation:
        return
    path = json_path(["results", rate.position])
    expected = f"{low:.4g} to {high:.4g} samples/s, as in {len(others)} others of its kind"
    yield problem("unlike-neighbours", rate.file, path, f"{rate.value:.4g} samples/s", expected)
