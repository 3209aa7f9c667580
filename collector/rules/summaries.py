"""Stated summaries against the single runs that stand beside them."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING

from collector.findings import Context, Finding, results
from collector.rates import throughput

if TYPE_CHECKING:
    from collections.abc import Iterator

    from collector.schema import Reported, Result, Submission

SLACK = 0.005  # protocol, rule 3


def summary_follows_from_runs(submission: Submission, _context: Context) -> Iterator[Finding]:
    """A stated throughput agrees with the run that it is of; a stated median with the single runs."""
    for path, result in results(submission):
        for position, reported in enumerate(result.reported):
            expected = _expected(result, reported)
            if reported.value is not None and expected and abs(reported.value / expected - 1) > SLACK:
                place, of = (
                    f"{path}.reported[{position}].value",
                    "the runs" if reported.run_index is None else "the run",
                )
                wanted = f"about {expected:.6g} {reported.unit}, which follows from {of}"
                yield Finding("summary-differs", place, f"{reported.value:.6g} {reported.unit}", wanted)


def _expected(result: Result, reported: Reported) -> float | None:
    """Return what the runs give for a stated figure, or None where they say nothing about it."""
    rates = [rate for run in result.runs if (rate := throughput(run)) is not None]
    complete = len(rates) == len(result.runs) > 0
    if reported.metric == "throughput" and complete:
        if reported.run_index is None:
            return median(rates)
        return rates[reported.run_index] if reported.run_index < len(rates) else None
    singles = [
        other.value
        for other in result.reported
        if other.value is not None
        and other.run_index is not None
        and (other.metric, other.unit) == (reported.metric, reported.unit)
    ]
    is_median = reported.run_index is None and "median" in (reported.statistic or "")
    return median(singles) if is_median and singles else None
