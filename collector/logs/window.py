"""From the marks of a log to a run's window: which steps count, how long they took, how many samples a step has."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING

from collector.logs.lines import by_epoch
from collector.steps import MEASURED, WARMUP
from collector.transcribe import ImporterError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from collector.logs.lines import Log, Mark

LONGEST = 1e9  # seconds, 32 years
MOST_SAMPLES = 2**40  # of a step
NEAR = 0.02  # rates and stamps of a log agree this well, or they are of different things


@dataclass(frozen=True)
class Window:
    """The measured steps; `step_seconds` is empty where the log doesn't print every one of them."""

    warmup: int
    measured: int
    seconds: float
    step_seconds: tuple[float, ...]
    losses: tuple[float, ...]
    not_finite: int | None
    notes: tuple[str, ...]


def samples_seen(log: Log) -> float | None:
    """Return the samples a step that rates and times together show, or None where the log has only one of them."""
    if log.samples:
        return log.samples
    shown = [
        later.rate * (later.seconds - earlier.seconds) / (later.step - earlier.step)
        for epoch in by_epoch(log.marks)
        for earlier, later in pairwise(epoch)
        if later.rate and later.seconds is not None and earlier.seconds is not None
    ]
    sound = [samples for samples in shown if 0 < samples < MOST_SAMPLES]
    return median(sound) if sound else None


def window(log: Log, samples: int, *, sustained: bool) -> Window:
    """Return the window of an epoch that has it, else the longest there is: 100 steps after 20, or, sustained, all after 20.

    `samples` is what a step works on in the scope of the printed rates. Raises ImporterError where no two steps have a time.
    """
    epochs = [epoch for marks in by_epoch(log.marks) if len(epoch := _timed(marks, samples)) > 1]
    if not epochs:
        raise ImporterError(
            "The log has no two steps with times or rates, so there is no window; take a log that isn't cut so short."
        )
    offset = _offset([mark.step for mark in log.marks])
    cuts = [_cut(epoch, offset, sustained=sustained) for epoch in epochs]
    wanted = [cut for cut in cuts if _steps(cut) >= MEASURED and cut[0].step + offset >= WARMUP]
    chosen = max(wanted, key=_steps) if sustained and wanted else (wanted or [max(cuts, key=_steps)])[0]
    return _window(chosen, offset)


def _timed(marks: Sequence[Mark], samples: int) -> list[Mark]:
    """Return the marks that have a time; where there are only rates, the time since the first follows from them."""
    if any(mark.seconds is not None for mark in marks):
        found = [mark for mark in marks if mark.seconds is not None and math.isfinite(mark.seconds)]
        for earlier, later in pairwise(found):
            if (later.seconds or 0) <= (earlier.seconds or 0):
                raise ImporterError(
                    f"Line {later.line}: the clock stands still or goes back between the steps {earlier.step} and"
                    f" {later.step}; such times can't be used."
                )
        return found
    return _by_rates(marks, samples)


def _by_rates(marks: Sequence[Mark], samples: int) -> list[Mark]:
    timed: list[Mark] = []
    elapsed = 0.0
    for mark in marks:
        if mark.rate is None or not math.isfinite(mark.rate) or mark.rate <= 0:
            raise ImporterError(f"Line {mark.line}: the rate of step {mark.step} is {mark.rate}; it must be above 0.")
        elapsed += (mark.step - timed[-1].step) * samples / mark.rate if timed else 0
        timed.append(replace(mark, seconds=elapsed))
    return timed


def _offset(steps: Sequence[int]) -> int:
    """Return 1 where steps are counted from 0 (a step 0 is printed, or 19, 39, 59 …), else 0."""
    gaps = [later - earlier for earlier, later in pairwise(steps) if later > earlier]
    usual = min(gaps, default=1)
    return int(min(steps) == 0 or (usual > 1 and all((step + 1) % usual == 0 for step in steps)))


def _cut(marks: Sequence[Mark], offset: int, *, sustained: bool) -> list[Mark]:
    """Return the marks from the last step of the warm-up to the last measured one."""
    warm = [mark for mark in marks if mark.step + offset >= WARMUP]
    from_here = warm if len(warm) > 1 else list(marks)
    if sustained:
        return from_here
    enough = next((i for i, mark in enumerate(from_here) if mark.step - from_here[0].step >= MEASURED), None)
    return from_here if enough is None else from_here[: enough + 1]


def _steps(marks: Sequence[Mark]) -> int:
    return marks[-1].step - marks[0].step


def _window(marks: Sequence[Mark], offset: int) -> Window:
    at = [mark.seconds or 0.0 for mark in marks]  # all of them are timed
    times = [later - earlier for earlier, later in pairwise(at)]
    gaps = [later.step - earlier.step for earlier, later in pairwise(marks)]
    if not 0 < sum(times) < LONGEST:
        raise ImporterError(
            f"From line {marks[0].line} on the steps would take {sum(times):.3g} s; such a log can't be used."
        )
    losses = [mark.loss for mark in marks[1:] if mark.loss is not None]
    return Window(
        warmup=marks[0].step + offset,
        measured=_steps(marks),
        seconds=math.fsum(times),
        step_seconds=tuple(times) if set(gaps) == {1} else (),
        losses=tuple(loss for loss in losses if math.isfinite(loss)),
        not_finite=next((mark.line for mark in marks if mark.loss is not None and not math.isfinite(mark.loss)), None),
        notes=tuple(_gaps(marks, gaps)),
    )


def _gaps(marks: Sequence[Mark], gaps: Sequence[int]) -> list[str]:
    usual = min(gaps)
    found = [f"{a.step} and {b.step}" for (a, b), gap in zip(pairwise(marks), gaps, strict=True) if gap > usual * 1.5]
    said = [] if usual == 1 else [f"The log prints every {usual} steps; single step times aren't known."]
    if found:
        said.append(
            f"The log prints nothing between the steps {found[0]}{f' and {len(found) - 1} times more' if found[1:] else ''}."
        )
    return said
