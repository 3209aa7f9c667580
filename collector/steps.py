"""What the steps within the runs show: quantiles, whether they settled, stalls. Host time stamps, seconds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from collector.estimate import median, percentiles

if TYPE_CHECKING:
    from collections.abc import Sequence

    from collector.schema import Run

EDGE = 20  # steps at either end of the window whose medians must agree
SETTLED = 0.03
STALL = 2.0  # times the run's median
WARMUP, MEASURED = 20, 100  # the comparable default; less is allowed and marked


@dataclass(frozen=True)
class Steps:
    """Quantiles over the steps of all runs, and their stability; None where it can't be told."""

    median: float | None
    p10: float | None
    p90: float | None
    p99: float | None
    longest: float | None
    first: float | None
    settled: bool | None
    stalls: int | None
    short: bool | None


def steps(runs: Sequence[Run], *, epochs: bool) -> Steps:
    """Summarise the steps of all runs; a window of whole `epochs` has a length of its own and is never short."""
    measured = [step for run in runs for step in run.step_seconds]
    first = [run.first_step_seconds for run in runs if run.first_step_seconds is not None]
    at = percentiles(measured, (0.5, 0.1, 0.9, 0.99, 1.0)) if measured else {}
    return Steps(
        median=at.get(0.5),
        p10=at.get(0.1),
        p90=at.get(0.9),
        p99=at.get(0.99),
        longest=at.get(1.0),
        first=median(first) if first else None,
        settled=_all_settled(runs),
        stalls=sum(map(_stalls, runs)) if measured else None,
        short=any(map(_short, runs)) if runs and not epochs else None,
    )


def _all_settled(runs: Sequence[Run]) -> bool | None:
    # Below 40 steps the two ends overlap and agree whatever happened.
    if not runs or any(len(run.step_seconds) < 2 * EDGE for run in runs):
        return None
    return all(_settled(run.step_seconds) for run in runs)


def _settled(seconds: Sequence[float]) -> bool:
    start, end = median(seconds[:EDGE]), median(seconds[-EDGE:])
    return abs(start - end) <= SETTLED * start


def _stalls(run: Run) -> int:
    if not run.step_seconds:
        return 0
    limit = STALL * median(run.step_seconds)
    return sum(step > limit for step in run.step_seconds)


def _short(run: Run) -> bool:
    return (run.warmup_steps or 0) < WARMUP or (run.measured_steps or 0) < MEASURED
