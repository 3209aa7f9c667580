"""What follows from cells: one figure a result and metric, with everything that the raw facts say about it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC
from typing import TYPE_CHECKING, Literal

from collector import comparability, relate, validity
from collector.estimate import Estimate, estimate, median, spread
from collector.rates import throughput, work
from collector.steps import Steps, steps
from collector.tabulate import row

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from collector.normalise import Cell
    from collector.schema import Reported, Run
    from collector.vocabulary import Vocabulary

Trust = Literal["published", "self-reported", "raw-samples", "reproduced"]
Standing = Literal["current", "superseded", "withdrawn"]

FLAGS = ("short", "unsettled", "stalls", "single", "pair", "unproved", "spread", "superlinear")
SPREAD = 0.02  # more variation over runs than nine of ten public results show
SUPERLINEAR = 1.02  # times the number of devices: more than that is the baseline's weakness or a mistake (protocol P8)


@dataclass(frozen=True)
class Figure:
    """One metric of one result; `runs` holds a value a run, `estimate` is None unless `outcome` is ok."""

    cell: Cell
    metric: str
    key: str | None
    outcome: str
    reason: str | None
    runs: tuple[float, ...]
    estimate: Estimate | None
    raw_text: str | None
    steps: Steps
    proof: validity.Proof
    trust: Trust
    standing: Standing
    date: str | None
    utilisation: float | None = None
    speedup: float | None = None

    @property
    def spread(self) -> float | None:
        """Variation over runs, a fraction."""
        return spread(self.runs)

    @property
    def flags(self) -> tuple[str, ...]:
        """What a reader of a measured value must know about it, in the order of `FLAGS`."""
        if self.estimate is None or self.cell.entry.submission.origin != "measured":
            return ()
        found = {
            "short": self.steps.short,
            "unsettled": self.steps.settled is False,
            "stalls": bool(self.steps.stalls),
            "single": len(self.runs) == 1,
            "pair": len(self.runs) == 2,  # noqa: PLR2004 - a pair
            "unproved": self.proof != "proved",
            "spread": (self.spread or 0) > SPREAD,
            "superlinear": (self.speedup or 0) > SUPERLINEAR * (self.cell.result.scale.devices or 1),
        }
        return tuple(name for name in FLAGS if found[name])


def derive(cells: Sequence[Cell], vocabulary: Vocabulary) -> tuple[Figure, ...]:
    """Return the figures of all cells in their order, each with what submissions say about one another."""
    figures = alone(cells, vocabulary)
    records = [row(figure, vocabulary) for figure in figures]
    relate.together(
        records,
        {(record["yours"], record["submitter"], record["supersedes"]) for record in records if record["supersedes"]},
    )
    return tuple(
        replace(figure, trust=record["trust"], standing=record["standing"])
        for figure, record in zip(figures, records, strict=True)
    )


def alone(cells: Sequence[Cell], vocabulary: Vocabulary) -> tuple[Figure, ...]:
    """Return the figures of all cells in their order, as far as each submission tells by itself."""
    figures = [_within_peak(figure, vocabulary) for cell in cells for figure in _figures(cell, vocabulary)]
    return tuple(relate.scaled(figures, vocabulary))


def _figures(cell: Cell, vocabulary: Vocabulary) -> Iterator[Figure]:
    metric = _metric(cell)
    values = [_run_value(run, metric) for run in cell.result.runs]
    if cell.result.reported and not any(values):  # a log's own summary counts only where its runs say nothing
        for metric in dict.fromkeys(reported.metric for reported in cell.result.reported):
            yield _reported_figure(cell, metric, vocabulary)
        return
    yield _measured_figure(cell, metric, values)
    if cell.result.outcome == "ok":
        for quality in sorted({run.quality.metric for run in cell.result.runs if run.quality}):
            values = [run.quality.value if run.quality else None for run in cell.result.runs]
            yield _measured_figure(cell, quality, values)


def _measured_figure(cell: Cell, metric: str, by_run: list[float | None]) -> Figure:
    blank, runs = _blank(cell, metric), tuple(value for value in by_run if value is not None)
    if blank.outcome != "ok":
        return blank
    why = validity.why_invalid(cell) or (None if runs else "No run states its samples, steps and window.")
    if why:
        return replace(blank, outcome="invalid", reason=why)
    seed = comparability.text(comparability.setting(cell, metric))
    return replace(blank, runs=runs, estimate=estimate([runs], seed))


def _reported_figure(cell: Cell, metric: str, vocabulary: Vocabulary) -> Figure:
    here = [reported for reported in cell.result.reported if reported.metric == metric]
    whole = next((reported for reported in here if reported.run_index is None), None)
    values = [_in_unit(reported, vocabulary) for reported in here if reported.run_index is not None]
    runs = tuple(value for value in values if value is not None)
    value = _in_unit(whole, vocabulary) if whole else median(runs) if runs else None
    blank = replace(_blank(cell, metric), raw_text=(whole or here[0]).raw_text)
    if blank.outcome != "ok":
        return blank
    if value is None:
        return replace(blank, outcome="not_run", reason="The source has no figure for this metric.")
    return replace(blank, runs=runs, estimate=Estimate(value, None, None, len(runs) or 1))


def _blank(cell: Cell, metric: str) -> Figure:
    """Return a figure with everything but its value."""
    return Figure(
        cell=cell,
        metric=metric,
        key=comparability.key(cell, metric),
        outcome=cell.result.outcome,
        reason=cell.result.reason,
        runs=(),
        estimate=None,
        raw_text=None,
        steps=steps(cell.result.runs, epochs=cell.result.window == "epochs"),
        proof=validity.proof(cell),
        trust=_trust(cell),
        standing="withdrawn" if cell.entry.submission.withdrawn else "current",
        date=_date(cell),
    )


def _metric(cell: Cell) -> str:
    workload = cell.workload
    if workload is None:
        return "throughput"
    return workload.fixed_metric if cell.result.window == "epochs" and workload.fixed_metric else workload.metric


def _run_value(run: Run, metric: str) -> float | None:
    if not run.window_seconds or run.window_seconds < 0:
        return None
    if metric == "fixed-epochs-seconds":
        return run.window_seconds
    rate = throughput(run)
    return 1000 / rate if rate and metric == "seconds-per-1000-images" else rate


def _in_unit(reported: Reported, vocabulary: Vocabulary) -> float | None:
    metric = vocabulary.metrics[reported.metric]
    factor = 1 if reported.unit == metric.unit else metric.other_units.get(reported.unit)
    return None if reported.value is None or factor is None else reported.value * factor


def _trust(cell: Cell) -> Trust:
    if cell.entry.submission.origin in ("published", "computed"):
        return "published"
    runs = cell.result.runs
    return "raw-samples" if runs and all(run.step_seconds for run in runs) else "self-reported"


def _date(cell: Cell) -> str | None:
    """Return the newest day (UTC) of the result's runs, else of the submission's, else of the source's retrieval."""
    submission = cell.entry.submission
    for runs in (cell.result.runs, [run for result in submission.results for run in result.runs]):
        days = [run.started_at.astimezone(UTC).date() for run in runs if run.started_at]
        if days:
            return max(days).isoformat()
    return submission.source.retrieved_on.isoformat() if submission.source else None


def _within_peak(figure: Figure, vocabulary: Vocabulary) -> Figure:
    """Add the utilisation; a measured value beyond the device's dense peak is impossible and therefore invalid."""
    used = _utilisation(figure, vocabulary)
    if used is None or used <= 1 or figure.cell.entry.submission.origin != "measured":
        return replace(figure, utilisation=used)
    reason = f"The value is {used:.0%} of what the device can do at most."
    return replace(figure, outcome="invalid", reason=reason, runs=(), estimate=None)


def _utilisation(figure: Figure, vocabulary: Vocabulary) -> float | None:
    """Return the share of the dense peak that the work of each device takes."""
    cell, result = figure.cell, figure.cell.result
    hardware = vocabulary.hardware.get(cell.device or "")
    peak = hardware.peak.get(result.precision or "") if hardware else None
    rate = _samples_per_second(figure)
    workload = cell.specification
    if peak is None or rate is None or workload is None or result.mode is None or result.scale.devices is None:
        return None
    return work(rate, workload, result.mode, result.scale.devices) / peak


def _samples_per_second(figure: Figure) -> float | None:
    if figure.estimate is None or figure.estimate.value <= 0:
        return None
    if figure.metric == "throughput":
        return figure.estimate.value
    return 1000 / figure.estimate.value if figure.metric == "seconds-per-1000-images" else None
