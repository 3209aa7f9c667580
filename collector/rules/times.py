"""Steps, windows, epochs and dates: what a clock can't have shown is a problem."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING

from collector.findings import Context, Finding, results, runs, specification
from collector.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from collector.schema import Run, Submission

WINDOW_SLACK = 0.005  # protocol, rule 3; and times are rounded to the microsecond
ROUNDING = 1e-6
UNIT_SLIP = 100  # a device that lags behind its host explains less, milliseconds for seconds explain more
SUSTAINED_STEPS, SUSTAINED_SECONDS = 1000, 600  # protocol P5
COARSE = 50  # rounded to whole units, a smaller value is wrong by up to 1 % or more
EARLIEST = date(2006, 1, 1)  # before the first CUDA release there was nothing to measure
TIME_UNITS = {"s", "ms", "min", "h"}


def positive_times(submission: Submission, _context: Context) -> Iterator[Finding]:
    """Whatever is timed takes more than no time."""
    for path, _result, run in runs(submission):
        for field, times in _times(run).items():
            wrong = [(position, seconds) for position, seconds in enumerate(times) if seconds <= 0]
            if wrong:
                position, seconds = wrong[0]
                place = f"{path}.{field}[{position}]" if isinstance(getattr(run, field), list) else f"{path}.{field}"
                more = f" and {len(wrong) - 1:,} more in the list" if wrong[1:] else ""
                yield Finding("non-positive-time", place, f"{seconds} s{more}", "more than 0 s")


def number_of_steps(submission: Submission, _context: Context) -> Iterator[Finding]:
    """Lists of steps are as long as stated, losses no more; logs and whole epochs may have no list of steps at all."""
    for path, result, run in runs(submission):
        optional = submission.origin != "measured" or result.window == "epochs"
        for stated, field in (("measured_steps", "step_seconds"), ("warmup_steps", "warmup_step_seconds")):
            number, length = getattr(run, stated), len(getattr(run, field))
            if number is not None and number != length and not (optional and length == 0):
                expected = f"{number:,}, the {stated} stated"
                yield Finding("step-count", f"{path}.{field}", counted(length, "value"), expected)
        if run.measured_steps is not None and len(run.loss) > run.measured_steps:
            expected = f"at most {run.measured_steps:,}, the measured_steps stated"
            yield Finding("step-count", f"{path}.loss", counted(len(run.loss), "value"), expected)


def window_spans_steps(submission: Submission, _context: Context) -> Iterator[Finding]:
    """The window lasts at least as long as steps and epochs in it.

    It may last longer: steps are stamped on the host, and the window ends when the device does. The first step is waited
    for: where the window agrees with it, the other steps were only queued.
    """
    for path, _result, run in runs(submission):
        for field, times in (("step_seconds", run.step_seconds), ("epoch_seconds", run.epoch_seconds or [])):
            if run.window_seconds is None or run.window_seconds <= 0 or not times:
                continue
            total, place = sum(times), f"{path}.window_seconds"
            if run.window_seconds < total * (1 - WINDOW_SLACK) - ROUNDING * len(times):
                expected = f"at least {total:.6g} s, the sum of {field}"
                yield Finding("window-shorter-than-steps", place, f"{run.window_seconds} s", expected)
            queued = run.window_seconds <= (run.first_step_seconds or 0) * (run.measured_steps or 0) * UNIT_SLIP
            if run.window_seconds > total * UNIT_SLIP > 0 and not queued:
                expected = f"about {total:.6g} s, the sum of {field}"
                yield Finding("window-longer-than-steps", place, f"{run.window_seconds} s", expected)


def digits_of_times(submission: Submission, context: Context) -> Iterator[Finding]:
    """Times have digits after the point where rounding would matter."""
    for path, _result, run in runs(submission):
        whole = all(float(seconds).is_integer() for seconds in run.step_seconds)
        if whole and len(run.step_seconds) > 1:
            yield Finding("whole-seconds", f"{path}.step_seconds", "whole seconds only", "fractions of a second")
        if whole and run.window_seconds is not None and _coarse(run.window_seconds):
            yield Finding("whole-seconds", f"{path}.window_seconds", f"{run.window_seconds:g} s", "its fraction too")
    for path, result in results(submission):
        for position, reported in enumerate(result.reported):
            timed = reported.unit in TIME_UNITS and reported.metric in context.vocabulary.metrics
            if timed and reported.value is not None and _coarse(reported.value):
                place = f"{path}.reported[{position}].value"
                yield Finding("whole-seconds", place, f"{reported.value:g} {reported.unit}", "its fraction too")


def sustained_is_long(submission: Submission, _context: Context) -> Iterator[Finding]:
    """A sustained window is long enough to be called so."""
    for path, result, run in runs(submission):
        short = (run.measured_steps or 0) < SUSTAINED_STEPS and (run.window_seconds or 0) < SUSTAINED_SECONDS
        if result.window == "sustained" and short:
            found = f"{counted(run.measured_steps or 0, 'step')} in {run.window_seconds or 0:.6g} s"
            yield Finding("window-too-short", path, found, f"{SUSTAINED_STEPS:,} steps or {SUSTAINED_SECONDS} s")


def whole_epochs(submission: Submission, context: Context) -> Iterator[Finding]:
    """A window of epochs has as many as the workload asks for, over all of its data."""
    for path, result, run in runs(submission):
        workload = specification(result, context)
        if result.window != "epochs" or result.outcome != "ok" or workload is None or workload.real is None:
            continue
        epochs, wanted = len(run.epoch_seconds or ()), workload.real.epochs
        if epochs != wanted:
            yield Finding("fixed-epochs", f"{path}.epoch_seconds", counted(epochs, "epoch"), str(wanted))
        elif run.measured_steps and run.samples_per_step:
            samples, whole = run.measured_steps * run.samples_per_step, epochs * workload.real.train_samples
            if abs(samples - whole) > epochs * run.samples_per_step:  # the last batch may be left out, or filled up
                expected = f"about {whole:,}, {epochs} times {workload.real.train_samples:,}"
                yield Finding("fixed-epochs", f"{path}.measured_steps", f"{samples:,} samples", expected)


def order_of_runs(submission: Submission, _context: Context) -> Iterator[Finding]:
    """Runs stand in the order of their start."""
    for path, result in results(submission):
        started = [(index, run.started_at) for index, run in enumerate(result.runs) if run.started_at]
        for (before, earlier), (index, later) in pairwise(started):
            if later < earlier:
                found = f"{later.isoformat()}, before that of run {before}"
                yield Finding("runs-out-of-order", f"{path}.runs[{index}].started_at", found, "a later start")


def plausible_dates(submission: Submission, context: Context) -> Iterator[Finding]:
    """No date lies in the future (by a day for time zones), none before there was anything to measure."""
    latest = context.today + timedelta(days=1) if context.today else date.max
    for path, day in _days(submission):
        if not EARLIEST <= day <= latest:
            limit = f" to {context.today}" if context.today else " or later"
            yield Finding("implausible-date", path, day.isoformat(), f"{EARLIEST}{limit}")


def _times(run: Run) -> dict[str, list[float]]:
    """Return every time of a run by field, single ones as lists of one."""
    single = {"first_step_seconds": run.first_step_seconds, "window_seconds": run.window_seconds}
    lists = {
        "warmup_step_seconds": run.warmup_step_seconds,
        "step_seconds": run.step_seconds,
        "epoch_seconds": run.epoch_seconds or [],
    }
    return {field: [seconds] for field, seconds in single.items() if seconds is not None} | lists


def _coarse(value: float) -> bool:
    return 0 < value < COARSE and value.is_integer()


def _days(submission: Submission) -> Iterator[tuple[str, date]]:
    if submission.source:
        yield "$.source.retrieved_on", submission.source.retrieved_on
    if submission.withdrawn:
        yield "$.withdrawn.on", submission.withdrawn.on
    for path, _result, run in runs(submission):
        if run.started_at:
            yield f"{path}.started_at", _utc_day(run.started_at)


def _utc_day(moment: datetime) -> date:
    try:
        return moment.astimezone(UTC).date()
    except OverflowError:  # the first and the last day of the calendar
        return moment.date()
