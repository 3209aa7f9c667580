"""What a submission's page shows of the runs of a result: a row a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from collector.estimate import percentiles
from collector.rates import throughput
from sitegen import figures, labels
from sitegen.tables import Cell, Heading, Table, number_cell, text_cell

if TYPE_CHECKING:
    from collector.schema import Result, Run
    from sitegen.labels import Edition

RUN_COLUMNS = (
    "run",
    "started",
    "steps",
    "window",
    "rate",
    "first_step",
    "step_range",
    "loss",
    "peak",
    "load",
    "quality",
)


def runs_table(edition: Edition, result: Result, anchor: str) -> Table:
    """Return the runs of a result; columns that no run fills are left out."""
    words = edition.words
    text = {"started", "steps", "step_range", "loss", "load"}
    rows = [_run_cells(edition, result, number, run) for number, run in enumerate(result.runs, start=1)]
    filled = [column for column in range(len(RUN_COLUMNS)) if any(row[column].text for row in rows)]
    keys = [RUN_COLUMNS[column] for column in filled]
    return Table(
        id=f"runs-{anchor.rsplit('-', 1)[-1]}",
        caption=words("site.submission.run"),
        headings=tuple(Heading(key, words(f"site.submission.{key}"), key not in text) for key in keys),
        rows=tuple(tuple(row[column] for column in filled) for row in rows),
    )


def _run_cells(edition: Edition, result: Result, number: int, run: Run) -> tuple[Cell, ...]:
    started = run.started_at.strftime("%Y-%m-%d %H:%M:%S") if run.started_at else ""
    steps = edition.words("site.submission.steps_value", warmup=run.warmup_steps, measured=run.measured_steps or 0)
    return (
        number_cell(number, str(number)),
        text_cell(started),
        text_cell(steps),
        _seconds_cell(edition, run.window_seconds),
        _rate_cell(edition, result, run),
        _seconds_cell(edition, run.first_step_seconds),
        text_cell(_step_range(edition, run)),
        text_cell(f"{figures.measured(run.loss[0])} → {figures.measured(run.loss[-1])}" if run.loss else ""),
        number_cell(run.peak_device_memory_bytes, figures.memory(run.peak_device_memory_bytes))
        if run.peak_device_memory_bytes
        else Cell(),
        text_cell(_load(run)),
        number_cell(run.quality.value, figures.measured(run.quality.value)) if run.quality else Cell(),
    )


def _seconds_cell(edition: Edition, seconds: float | None) -> Cell:
    if seconds is None:
        return Cell()
    return number_cell(seconds, f"{figures.measured(seconds)}{figures.NBSP}{edition.words('shared.unit.s')}")


def _rate_cell(edition: Edition, result: Result, run: Run) -> Cell:
    rate = throughput(run)
    if rate is None:
        return Cell()
    unit = labels.unit_name(edition, "samples/s", result.workload)
    return number_cell(rate, f"{figures.measured(rate)}{figures.NBSP}{unit}")


def _step_range(edition: Edition, run: Run) -> str:
    """Return median, 10th and 90th percentile of the steps in milliseconds."""
    if not run.step_seconds:
        return ""
    low, middle, high = (step * 1000 for step in percentiles(run.step_seconds, (0.1, 0.5, 0.9)).values())
    places = figures.decimals(middle)
    low_high = f"{figures.fixed(low, places)}–{figures.fixed(high, places)}"
    return f"{figures.fixed(middle, places)}{figures.NBSP}{edition.words('shared.unit.ms')} ({low_high})"


def _load(run: Run) -> str:
    """Return the host's load average over a minute before and after the run: others may have worked there too."""
    ends = [part.get("load_average_1min") for part in (run.telemetry.start, run.telemetry.end)]
    if not all(isinstance(end, int | float) for end in ends):
        return ""
    return " → ".join(f"{end:.1f}" for end in ends)
