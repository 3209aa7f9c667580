"""What a submission's page shows of one result: its settings, runs, proof and charts."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote

from sitegen import figures, labels
from sitegen.charts import Chart, Point, Series
from sitegen.tables import Cell, Heading, Table, number_cell, text_cell

if TYPE_CHECKING:
    from collections.abc import Sequence

    from collector.schema import Result, Run, Submission
    from sitegen.labels import Edition
    from sitegen.records import Record

Facts = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class ResultView:
    """`values` are (metric, value with unit, interval); `absent` says why there is none."""

    id: str
    title: str
    link: str
    framework: str
    settings: Facts
    values: tuple[tuple[str, str, str], ...]
    absent: str | None
    equality: Facts
    runs: Table | None
    charts: tuple[Chart, ...]
    notes: tuple[str, ...]


def result_view(edition: Edition, result: Result, framework: str, records: Sequence[Record], anchor: str) -> ResultView:
    """Return the view of one result; `records` are its rows of the tidy table."""
    return ResultView(
        id=f"r-{anchor}",
        title=labels.workload_title(edition, result.workload),
        link=f"workloads/{result.workload}/",
        framework=framework,
        settings=_settings(edition, result),
        values=tuple(_value(edition, record) for record in records if record["value"] is not None),
        absent=_absent(edition, result, records),
        equality=_equality(edition, result),
        runs=_runs_table(edition, result, anchor) if result.runs else None,
        charts=tuple(_charts(edition, result, anchor)),
        notes=tuple(result.notes),
    )


def _value(edition: Edition, record: Record) -> tuple[str, str, str]:
    unit = labels.unit_name(edition, record["unit"], record["workload"])
    value, places = record["value"], figures.decimals(record["value"])
    interval = ""
    if record["low"] is not None and record["high"] is not None:
        interval = f"{figures.fixed(record['low'], places)} – {figures.fixed(record['high'], places)}"
    return (
        labels.metric_title(edition, record["metric"]),
        f"{figures.fixed(value, places)}{figures.NBSP}{unit}",
        interval,
    )


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


def _equality(edition: Edition, result: Result) -> Facts:
    proof = result.equality
    known = edition.vocabulary.workloads.get(result.workload)
    if proof is None or known is None:
        return ()
    words, facts = edition.words, []
    if proof.parameters is not None:
        expected = " / ".join(f"{count:,}" for count in known.parameters)
        facts.append(
            ("parameters", words("site.submission.parameters_value", value=f"{proof.parameters:,}", expected=expected))
        )
    if proof.probe_loss is not None and known.expected_loss is not None:
        value, expected = figures.measured(proof.probe_loss), figures.measured(known.expected_loss)
        facts.append(("probe_loss", words("site.submission.probe_value", value=value, expected=expected)))
    if proof.logits_error is not None:
        facts.append(("logits", words("site.submission.logits_value", value=f"{proof.logits_error:.2g}")))
    return tuple((words(f"site.submission.{key}"), text) for key, text in facts)


RUN_COLUMNS = ("run", "started", "steps", "window", "rate", "first_step", "step_range", "loss", "peak", "quality")


def _runs_table(edition: Edition, result: Result, anchor: str) -> Table:
    words = edition.words
    text = {"started", "steps", "step_range", "loss"}
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
        _seconds_cell(run.window_seconds),
        _rate_cell(edition, result, run),
        _seconds_cell(run.first_step_seconds),
        text_cell(_step_range(run)),
        text_cell(f"{figures.measured(run.loss[0])} → {figures.measured(run.loss[-1])}" if run.loss else ""),
        number_cell(run.peak_device_memory_bytes, figures.memory(run.peak_device_memory_bytes))
        if run.peak_device_memory_bytes
        else Cell(),
        number_cell(run.quality.value, figures.measured(run.quality.value)) if run.quality else Cell(),
    )


def _seconds_cell(seconds: float | None) -> Cell:
    return Cell() if seconds is None else number_cell(seconds, f"{figures.measured(seconds)}{figures.NBSP}s")


def _rate_cell(edition: Edition, result: Result, run: Run) -> Cell:
    """Return samples per second: schema version 1, statistics."""
    if not run.window_seconds or run.samples_per_step is None or run.measured_steps is None:
        return Cell()
    rate = run.samples_per_step * run.measured_steps / run.window_seconds
    unit = labels.unit_name(edition, "samples/s", result.workload)
    return number_cell(rate, f"{figures.measured(rate)}{figures.NBSP}{unit}")


def _step_range(run: Run) -> str:
    """Return median, 10th and 90th percentile of the steps in milliseconds (nearest rank)."""
    steps = sorted(second * 1000 for second in run.step_seconds)
    if not steps:
        return ""
    low, middle, high = (steps[min(len(steps) - 1, int(len(steps) * part))] for part in (0.1, 0.5, 0.9))
    places = figures.decimals(middle)
    low_high = f"{figures.fixed(low, places)}–{figures.fixed(high, places)}"
    return f"{figures.fixed(middle, places)}{figures.NBSP}ms ({low_high})"


def _charts(edition: Edition, result: Result, anchor: str) -> list[Chart]:
    words = edition.words
    runs = [run for run in result.runs if run.step_seconds]
    charts = []
    if runs:
        warmup = min(len(run.warmup_step_seconds) for run in runs)
        times = [[second * 1000 for second in (*run.warmup_step_seconds, *run.step_seconds)] for run in runs]
        alt = words("site.submission.step_alt", runs=len(runs), warmup=warmup)
        charts.append(_lines(edition, f"steps-{anchor}", "step_chart", alt, times, shaded=warmup, unit="ms"))
    losses = [run.loss for run in result.runs if len(run.loss) > 1]
    if losses:
        alt = words("site.submission.loss_alt", runs=len(losses))
        charts.append(_lines(edition, f"loss-{anchor}", "loss_chart", alt, losses))
    return charts


def _lines(
    edition: Edition, chart_id: str, key: str, alt: str, runs: list[list[float]], *, shaded: int = 0, unit: str = ""
) -> Chart:
    words = edition.words
    title = words(f"site.submission.{key}")
    return Chart(
        id=chart_id,
        kind="lines",
        title=title,
        alt=alt,
        value_title=title,
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


def reported_table(edition: Edition, submission: Submission) -> Table:
    """Return the figures that a submission's source states, each with its place in the source."""
    words = edition.words
    keys = ("workload", "framework", "device", "metric", "value", "raw", "citation", "reason")
    titles = {"framework": "site.board", "device": "site.board", "raw": "site.board", "citation": "site.board"}
    return Table(
        id="reported",
        caption=words("site.submission.reported"),
        headings=tuple(Heading(k, words(f"{titles.get(k, 'site.submission')}.{k}"), k == "value") for k in keys),
        rows=tuple(
            _reported_cells(edition, submission, result, position)
            for result in submission.results
            for position in range(len(result.reported))
        ),
    )


def _reported_cells(edition: Edition, submission: Submission, result: Result, position: int) -> tuple[Cell, ...]:
    figure = result.reported[position]
    stack, device = submission.stacks[result.stack], submission.machines[result.machine].devices[0]
    unit = labels.unit_name(edition, figure.unit, result.workload)
    name = labels.device_name(edition, device.name or edition.words("shared.not_stated"), result.scale.devices)
    value = Cell(missing=True)
    if figure.value is not None:
        value = number_cell(figure.value, f"{figures.printed(figure.value)}{figures.NBSP}{unit}")
    detail = " · ".join(filter(None, (stack.api, result.variant, stack.language)))
    return (
        text_cell(labels.workload_title(edition, result.workload), link=f"workloads/{result.workload}/"),
        text_cell(labels.framework_name(edition, stack.framework), detail=detail),
        text_cell(name),
        text_cell(labels.metric_title(edition, figure.metric)),
        value,
        text_cell(figure.raw_text or ""),
        _citation_cell(submission, result),
        text_cell(result.reason or ""),
    )


def _citation_cell(submission: Submission, result: Result) -> Cell:
    locator = result.locator
    if locator is None:
        return Cell()
    text = locator.path if locator.line is None else f"{locator.path}:{locator.line}"
    return text_cell(text, link=source_address(submission, locator.path, locator.line))


def source_address(submission: Submission, path: str, line: int | str | None) -> str | None:
    """Return the address of a line in the version of the source that was read, for sources on GitHub."""
    source = submission.source
    if source is None or source.url is None:
        return None
    if source.commit is None or not source.url.startswith("https://github.com/"):
        return source.url
    mark = f"#L{line}" if isinstance(line, int) else ""
    # ?plain=1 shows a Markdown file by line instead of rendered, where #L has no meaning
    plain = "?plain=1" if mark and path.endswith(".md") else ""
    return f"{source.url.rstrip('/')}/blob/{source.commit}/{quote(path)}{plain}{mark}"
