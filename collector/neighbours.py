"""A measured value beside those of other submitters: the same framework under the same key."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING

from collector import comparability
from collector.normalise import Entry, described, normalise
from collector.problems import Problem, problem
from collector.rates import throughput
from collector.schema import identity
from collector.wording import json_path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from collector.normalise import Cell
    from collector.schema import Submission
    from collector.vocabulary import Vocabulary

FEWEST = 3  # values of other submitters: fewer have no range
DEVIATIONS = 3
NORMAL = 1.4826  # times the median absolute deviation is the standard deviation of normal values
LEAST = 0.02  # of the median: machines of one kind differ that much without a cause


@dataclass(frozen=True)
class _Value:
    file: str
    submitter: str
    position: int
    rate: float


def unusual(submissions: Mapping[str, Submission], vocabulary: Vocabulary) -> tuple[Problem, ...]:
    """Return a warning for each throughput more than 3 robust deviations outside the range of the others'."""
    groups: dict[tuple[object, ...], list[_Value]] = defaultdict(list)
    for file, submission in submissions.items():
        if submission.origin == "measured":
            for key, value in _values(file, submission, vocabulary):
                groups[key].append(value)
    return tuple(found for values in groups.values() for value in values for found in _judged(value, values))


def _values(file: str, submission: Submission, words: Vocabulary) -> Iterator[tuple[tuple[object, ...], _Value]]:
    who = submission.submitter.name.casefold()
    entry = Entry(file, identity(submission), yours=False, submission=submission)
    for cell in normalise(entry, words) if described(submission) else ():
        key = comparability.key(cell, "throughput")
        rates = [rate for run in cell.result.runs if (rate := throughput(run)) is not None]
        if key is not None and rates and cell.result.outcome == "ok":
            yield (key, *_build(cell)), _Value(file, who, cell.position, median(rates))


def _build(cell: Cell) -> tuple[str | None, ...]:
    """Return what a value belongs to beside its key; releases may differ by less than machines do."""
    return cell.framework, cell.stack.api, cell.result.variant, cell.stack.language


def _judged(value: _Value, group: Sequence[_Value]) -> Iterator[Problem]:
    others = [other.rate for other in group if other.submitter != value.submitter]
    if len(others) < FEWEST:
        return
    middle = median(others)
    deviation = max(NORMAL * median(abs(rate - middle) for rate in others), LEAST * middle)
    low, high = min(others), max(others)
    if low - DEVIATIONS * deviation <= value.rate <= high + DEVIATIONS * deviation:
        return
    path = json_path(["results", value.position])
    expected = f"{low:.4g} to {high:.4g} samples/s, as in {len(others)} others of its kind"
    yield problem("unlike-neighbours", value.file, path, f"{value.rate:.4g} samples/s", expected)
