"""A value beside others of its kind: the same framework under the same settings, by other submitters or in other releases."""

from __future__ import annotations

import json
import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

from collector import comparability
from collector.canonical import short_hash
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
TELLING = 4  # digits: fewer agree by chance
LEAST = 0.02  # of the median: machines of one kind differ that much without a cause


@dataclass(frozen=True)
class Value:
    """The value of a result with the hash of what it may be compared under, the framework's release apart.

    `measured`: the throughput (samples/s) of a measured result whose settings are all stated; else a value as its source
    states it.
    """

    group: str
    file: str
    submitter: str
    position: int
    value: float
    release: str | None
    measured: bool


def values(entry: Entry, vocabulary: Vocabulary) -> Iterator[Value]:
    """Yield the values of a submission that others can be held against."""
    submission = entry.submission
    who = submission.submitter.name.casefold()
    for cell in normalise(entry, vocabulary) if described(submission) else ():
        measured = submission.origin == "measured"
        for name, value in _measured(cell) if measured else _stated(cell):
            group = short_hash(f"{name} {json.dumps(_build(cell))}")
            place = (group, entry.file, who, cell.position)
            yield Value(*place, value, cell.stack.framework_version, measured)


def _measured(cell: Cell) -> Iterator[tuple[str, float]]:
    key = comparability.key(cell, "throughput")
    rates = [rate for run in cell.result.runs if (rate := throughput(run)) is not None]
    if key is not None and rates and cell.result.outcome == "ok":
        yield key, median(rates)


def _stated(cell: Cell) -> Iterator[tuple[str, float]]:
    for reported in cell.result.reported:
        if reported.value is not None and reported.run_index is None:
            setting = comparability.text(comparability.setting(cell, reported.metric))
            yield f"{cell.device} {reported.unit} {setting}", reported.value


def compared(found: Sequence[Value]) -> tuple[Problem, ...]:
    """Return what is to be said of values beside each other."""
    return (*unusual(found), *carried_over(found))


def carried_over(found: Iterable[Value]) -> tuple[Problem, ...]:
    """Return a warning for each value that equals one of an older release of the framework to all of its digits."""
    alike: dict[tuple[str, float], list[Value]] = defaultdict(list)
    for value in found:
        if value.release is not None and len(_digits(value.value)) >= TELLING:
            alike[value.group, value.value].append(value)
    problems = []
    for group in alike.values():
        oldest = min(group, key=lambda value: (_release(value), value.file, value.position))
        for value in group:
            if value.release != oldest.release:
                path, older = json_path(["results", value.position]), json_path(["results", oldest.position])
                expected = f"another value than that of {oldest.release} in {oldest.file}::{older}"
                problems.append(
                    problem("carried-over", value.file, path, f"{value.value:.15g} of {value.release}", expected)
                )
    return tuple(problems)


def _digits(value: float) -> str:
    """Return the significant digits of a number."""
    return f"{abs(value):.15e}".partition("e")[0].replace(".", "").rstrip("0")


def _release(value: Value) -> tuple[list[int], str]:
    """Return what releases are sorted by, whatever they look like."""
    return [int(part) for part in re.findall(r"\d+", value.release or "")], value.release or ""


def unusual(found: Iterable[Value]) -> tuple[Problem, ...]:
    """Return a warning for each throughput more than 3 robust deviations outside the range of the others'."""
    groups: dict[str, list[Value]] = defaultdict(list)
    for value in found:
        if value.measured:
            groups[value.group].append(value)
    return tuple(problem for group in groups.values() for problem in _outside(group))


def _build(cell: Cell) -> tuple[str | None, ...]:
    """Return what a value belongs to beside its key; releases may differ by less than machines do."""
    return cell.framework, cell.stack.api, cell.result.variant, cell.stack.language


def _outside(group: Sequence[Value]) -> Iterator[Problem]:
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


def _judged(rate: Value, others: Sequence[float]) -> Iterator[Problem]:
    """Compare a value with those of others, which are sorted."""
    middle = median(others)
    deviation = max(NORMAL * median(abs(other - middle) for other in others), LEAST * middle)
    low, high = others[0], others[-1]
    if low - DEVIATIONS * deviation <= rate.value <= high + DEVIATIONS * deviation:
        return
    path = json_path(["results", rate.position])
    expected = f"{low:.4g} to {high:.4g} samples/s, as in {len(others)} others of its kind"
    yield problem("unlike-neighbours", rate.file, path, f"{rate.value:.4g} samples/s", expected)
