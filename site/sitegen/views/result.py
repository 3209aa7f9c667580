"""What a submission's page shows of one result: its settings, runs, proof and charts."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sitegen import figures, labels
from sitegen.charts import Chart, Point, Series
from sitegen.views.board import flag_chip
from sitegen.views.proof import Proof, proof
from sitegen.views.runs import runs_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from collector.schema import Result
    from sitegen.labels import Edition
    from sitegen.records import Record
    from sitegen.tables import Chip, Table

Facts = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class ResultView:
    """`values` are (metric, value with unit, what stands behind it); `absent` says why there is none.

    `arithmetic` says how a run's speed comes about, `raw` where the single steps are in the file.
    """

    id: str
    title: str
    link: str
    framework: str
    settings: Facts
    values: tuple[tuple[str, str, str], ...]
    absent: str | None
    flags: tuple[Chip, ...]
    proof: Proof
    runs: Table | None
    arithmetic: str | None
    raw: str | None
    charts: tuple[Chart, ...]
    notes: tuple[str, ...]


def result_view(
    edition: Edition, result: Result, framework: str, records: Sequence[Record], submission: str, position: int
) -> ResultView:
    """Return the view of the result at a position of a submission; `records` are its rows of the tidy table."""
    anchor = f"{submission}-{position + 1}"
    return ResultView(
        id=f"r-{anchor}",
        title=labels.workload_title(edition, result.workload),
        link=f"workloads/{result.workload}/",
        framework=framework,
        settings=_settings(edition, result),
        values=tuple(_value(edition, record) for record in records if record["value"] is not None),
        absent=_absent(edition, result, records),
        flags=tuple(
            flag_chip(edition, name)
            for name in dict.fromkeys(n for record in records for n in (record["flags"] or "").split())
        ),
        proof=proof(edition, result, next((record["equality"] for record in records), None)),
        runs=runs_table(edition, result, anchor) if result.runs else None,
        arithmetic=_arithmetic(edition, result),
        raw=_raw(edition, result, position),
        charts=tuple(_charts(edition, result, anchor)),
        notes=tuple(result.notes),
    )


def _value(edition: Edition, record: Record) -> tuple[str, str, str]:
    unit = labels.unit_name(edition, record["unit"], record["workload"])
    value, places = record["value"], figures.decimals(record["value"])
    return (
        labels.metric_title(edition, record["metric"]),
        f"{figures.fixed(value, places)}{figures.NBSP}{unit}",
        _behind(edition, record, places),
    )


def _behind(edition: Edition, record: Record, places: int) -> str:
    """Return what a value is: the median of how many runs, with which interval."""
    words, runs = edition.words, record["runs"]
    if record["low"] is not None and record["high"] is not None:
        interval = f"{figures.fixed(record['low'], places)} – {figures.fixed(record['high'], places)}"
        return words("site.submission.of_runs", n=runs, interval=interval)
    return words("site.submission.of_one") if runs == 1 else words("site.submission.of_few", n=runs)


def _arithmetic(edition: Edition, result: Result) -> str | None:
    samples = {run.samples_per_step for run in result.runs if run.samples_per_step is not None}
    if len(samples) != 1:
        return None
    return edition.words("site.submission.arithmetic", samples=samples.pop())


def _raw(edition: Edition, result: Result, position: int) -> str | None:
    """Return which fields of the submission's file hold the single steps."""
    if not any(run.step_seconds for run in result.runs):
        return None
    runs = f"results[{position}].runs[…]"
    fields = ", ".join(f"{runs}.{name}" for name in ("warmup_step_seconds", "step_seconds", "loss"))
    return edition.words("site.submission.raw", fields=fields)


def _absent(edition: Edition, result: Result, records: Sequence[Record]) -> str | None:
    """Return the outcome and reason that the collector derived, or else those in the file."""
    outcome, reason = result.outcome, result.reason
    for record in records:
        outcome, reason = record["outcome"], record["reason"]
    if outcome == "ok":
        return None
    return " – ".join(filter(None, (edition.words.named("outcome", f"{outcome}.name"), reason)))


def _settings(edition: Edition, result: Result) -> Facts:
    words = edition.words
    options = ", ".join(f"{key}={json.dumps(value)}" for key, value in sorted(result.options.items()))
    pairs = [
        ("mode", words.named("mode", result.mode)),
        ("precision", words.named("precision", result.precision)),
        ("loss_scale", result.loss_scale),
        ("data_kind", words.named("data_kind", result.data.kind)),
        ("batch", result.batch.per_device),
        ("batch_level", words.named("batch_level", result.batch.level)),
        ("accumulation", result.batch.accumulation),
        ("nodes", result.scale.nodes),
        ("devices", result.scale.devices),
        ("launcher", result.scale.launcher),
        ("threads_per_process", result.threads_per_process),
        ("window", words.named("window", result.window)),
        ("option_class", words.named("option_class", result.class_)),
        ("options", options or None),
        ("variant", result.variant),
        ("seed", result.seed),
    ]
    return tuple((words(f"shared.setting.{key}"), str(value)) for key, value in pairs if value is not None)


def _charts(edition: Edition, result: Result, anchor: str) -> list[Chart]:
    words = edition.words
    runs = [run for run in result.runs if run.step_seconds]
    charts = []
    if runs:
        warmup = min(len(run.warmup_step_seconds) for run in runs)
        times = [[second * 1000 for second in (*run.warmup_step_seconds, *run.step_seconds)] for run in runs]
        alt = words("site.submission.step_alt", runs=len(runs), warmup=warmup)
        title = words("site.submission.steps_caption", warmup=warmup)
        names = (title, words("site.submission.step_chart"))
        charts.append(
            _lines(edition, f"steps-{anchor}", names, alt, times, shaded=warmup, unit=words("shared.unit.ms"))
        )
    losses = [run.loss for run in result.runs if len(run.loss) > 1]
    if losses:
        alt = words("site.submission.loss_alt", runs=len(losses))
        names = (words("site.submission.loss_caption"), words("site.submission.loss_chart"))
        charts.append(_lines(edition, f"loss-{anchor}", names, alt, losses))
    return charts


def _lines(
    edition: Edition,
    chart_id: str,
    names: tuple[str, str],
    alt: str,
    runs: list[list[float]],
    *,
    shaded: int = 0,
    unit: str = "",
) -> Chart:
    """Return a line a run; `names` are the chart's title and that of its values."""
    words = edition.words
    title, value_title = names
    return Chart(
        id=chart_id,
        kind="lines",
        title=title,
        alt=alt,
        value_title=value_title,
        unit=unit,
        shaded=shaded,
        label_title=words("site.submission.step_axis"),
        series=tuple(
            Series(
                name=f"{words('site.submission.run')} {number}",
                points=tuple(
                    Point(label=str(step), value=float(f"{value:.6g}")) for step, value in enumerate(values, 1)
                ),
            )
            for number, values in enumerate(runs, start=1)
        ),
    )
