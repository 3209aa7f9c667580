"""The tidy table: columns declared once, one row a result and metric.

A row is a dictionary of plain values, None for what is missing; everything that compares results starts from it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import pandas as pd

    from collector.derive import Figure
    from collector.vocabulary import Vocabulary


Record = dict[str, Any]


@dataclass(frozen=True)
class Column:
    """A column of the published table: its pandas dtype, its unit (or None) and what it means in one line."""

    name: str
    dtype: str
    unit: str | None
    meaning: str


# dtype "string", "Int64", "Float64" and "boolean" are pandas' nullable types: a missing value stays missing.
COLUMNS = (
    Column("submission", "string", None, "id of the submission: SHA-256 of its canonical JSON"),
    Column("file", "string", None, "path of the submission file inside the project"),
    Column("result", "Int64", None, "position of the result in its submission, from 0"),
    Column(
        "key",
        "string",
        None,
        "comparability key; results compare only under equal keys; missing where a part is not stated",
    ),
    Column("origin", "string", None, "measured, published, imported-log or computed"),
    Column("trust", "string", None, "published, self-reported, raw-samples or reproduced; derived"),
    Column("supersedes", "string", None, "id of the submission that this one replaces"),
    Column("yours", "boolean", None, "measured on this machine and not submitted yet"),
    Column("submitter", "string", None, "who offers the result"),
    Column("standing", "string", None, "current, superseded or withdrawn; only current results are on boards"),
    Column("date", "string", None, "day of the run (measured) or of retrieval (published), YYYY-MM-DD"),
    Column("workload", "string", None, "id of the workload"),
    Column("workload_version", "Int64", None, "version of the workload's specification"),
    Column("mode", "string", None, "training, inference, forward, backward or forward_backward"),
    Column("metric", "string", None, "id of the metric, data/vocabulary/metrics.toml"),
    Column("unit", "string", None, "unit of value, low and high"),
    Column("framework", "string", None, "id of the framework"),
    Column("framework_version", "string", None, "release as the framework prints it"),
    Column("api", "string", None, "which of the framework's interfaces"),
    Column("variant", "string", None, "back end, vendor build and the like"),
    Column("language", "string", None, "programming language of the job"),
    Column("cuda", "string", None, "CUDA version"),
    Column("cudnn", "string", None, "cuDNN version"),
    Column("device", "string", None, "canonical name of the device that computes"),
    Column("device_submitted", "string", None, "the device's name as submitted"),
    Column("device_kind", "string", None, "cpu, gpu, tpu or npu"),
    Column("machine", "string", None, "name of the machine"),
    Column("nodes", "Int64", None, "machines used"),
    Column("devices", "Int64", None, "devices used, over all nodes"),
    Column("visible_threads", "Int64", None, "hardware threads that the job may use, for a CPU"),
    Column("threads_per_process", "Int64", None, "threads of each process"),
    Column("precision", "string", None, "fp32, tf32, amp-fp16, amp-bf16 or fp16"),
    Column("data_kind", "string", None, "real, synthetic-device or synthetic-host"),
    Column("batch_level", "string", None, "one, same or max"),
    Column("batch_per_device", "Int64", "samples", "batch size of each device"),
    Column("accumulation", "Int64", None, "micro-batches per update"),
    Column("batch_global", "Int64", "samples", "samples per update over all devices"),
    Column("window", "string", None, "steady, sustained or epochs"),
    Column("class", "string", None, "plain or tuned"),
    Column("options", "string", None, "options as JSON with sorted keys"),
    Column("outcome", "string", None, "ok, oom, failed, timed_out, crashed, unsupported, not_run or invalid"),
    Column("reason", "string", None, "why there is no value, a sentence"),
    Column("limit", "string", None, "whose limit an unsupported cell is: ours, upstream or never"),
    Column("value", "Float64", None, "median over runs (measured) or the figure as printed (published)"),
    Column("low", "Float64", None, "lower end of the 95 % interval; missing for fewer than 3 runs"),
    Column("high", "Float64", None, "upper end of the 95 % interval"),
    Column("runs", "Int64", None, "number of runs behind the value"),
    Column(
        "run_values", "string", None, "value of each run, blanks between: what the median and its interval follow from"
    ),
    Column("minimum", "Float64", None, "lowest run"),
    Column("maximum", "Float64", None, "highest run"),
    Column("spread", "Float64", None, "coefficient of variation over runs, a fraction"),
    Column("warmup_steps", "Int64", None, "steps before the window, the fewest of any run"),
    Column("measured_steps", "Int64", None, "steps inside the window, the fewest of any run"),
    Column("short", "boolean", None, "fewer than 20 + 100 steps"),
    Column("step_median", "Float64", "s", "median step over all runs, host time stamps"),
    Column("step_p10", "Float64", "s", "10th percentile of the steps"),
    Column("step_p90", "Float64", "s", "90th percentile of the steps"),
    Column("step_p99", "Float64", "s", "99th percentile of the steps"),
    Column("step_max", "Float64", "s", "longest step"),
    Column("first_step", "Float64", "s", "median time of the first step, compilation included"),
    Column("settled", "boolean", None, "first and last 20 steps agree within 3 % in every run"),
    Column("stalls", "Int64", None, "steps above twice the median, over all runs"),
    Column(
        "utilisation",
        "Float64",
        None,
        "share of the device's dense peak, a fraction; missing where the peak is unknown",
    ),
    Column("speedup", "Float64", None, "ratio to the one-device cell of the same submission and key"),
    Column("efficiency", "Float64", None, "speedup per device"),
    Column("equality", "string", None, "proved, unproved or failed: is it the specified network"),
    Column(
        "flags",
        "string",
        None,
        "marks of a measured value, blanks between: short, unsettled, stalls, single, pair, unproved, spread, superlinear",
    ),
    Column("harness_version", "string", None, "version of Rosetta Bench that measured"),
    Column("profile", "string", None, "smoke, quick or official"),
    Column("source_title", "string", None, "name of the source of a published figure"),
    Column("source_url", "string", None, "where a published figure stands"),
    Column("source_commit", "string", None, "version of the source that was read"),
    Column("source_path", "string", None, "file inside the source"),
    Column("source_line", "string", None, "line, or sheet and cell, inside that file"),
    Column("raw_text", "string", None, "what the source prints there"),
)


def tabulate(figures: Iterable[Figure], vocabulary: Vocabulary) -> pd.DataFrame:
    """Return the table with a row a figure, in order of file, result and metric."""
    return frame(sorted((row(figure, vocabulary) for figure in figures), key=in_order))


def in_order(record: Mapping[str, Any]) -> tuple[str, int, str]:
    """Return what rows of the table are sorted by."""
    return (record["file"], record["result"], record["metric"])


def frame(rows: Iterable[Mapping[str, Any]]) -> pd.DataFrame:
    """Return rows as a table with exactly the declared columns and dtypes; None becomes a missing value."""
    import pandas as pd
    import pyarrow as pa

    kept = list(rows)
    types = {"string": pa.string(), "Int64": pa.int64(), "Float64": pa.float64(), "boolean": pa.bool_()}
    columns = {column.name: pa.array([row[column.name] for row in kept], types[column.dtype]) for column in COLUMNS}
    dtypes = {arrow: pd.api.types.pandas_dtype(name) for name, arrow in types.items()}
    found: pd.DataFrame = pa.table(columns).to_pandas(types_mapper=dtypes.get)
    return found


def joined(parts: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Return tables as one, in the order of the table."""
    import pandas as pd

    if not parts:
        return frame([])
    return pd.concat(parts, ignore_index=True).sort_values(
        ["file", "result", "metric"], kind="stable", ignore_index=True
    )


def row(figure: Figure, vocabulary: Vocabulary) -> Record:
    """Return the values of one row by column name; None is missing."""
    return _identity(figure, vocabulary) | _stack(figure) | _setting(figure) | _value(figure) | _source(figure)


def _identity(figure: Figure, vocabulary: Vocabulary) -> Record:
    entry, result = figure.cell.entry, figure.cell.result
    harness = entry.submission.harness
    return {
        "submission": entry.id,
        "file": entry.file,
        "result": figure.cell.position,
        "key": figure.key,
        "origin": entry.submission.origin,
        "trust": figure.trust,
        "supersedes": entry.submission.supersedes,
        "yours": entry.yours,
        "submitter": entry.submission.submitter.name,
        "standing": figure.standing,
        "date": figure.date,
        "workload": result.workload,
        "workload_version": result.workload_version,
        "mode": result.mode,
        "metric": figure.metric,
        "unit": vocabulary.metrics[figure.metric].unit,
        "equality": figure.proof if entry.submission.origin == "measured" else None,
        "flags": " ".join(figure.flags) or None,
        "harness_version": harness.version if harness else None,
        "profile": harness.profile if harness else None,
    }


def _stack(figure: Figure) -> Record:
    cell = figure.cell
    cpu = cell.machine.cpu if cell.device_as_submitted.kind == "cpu" else None
    return {
        "framework": cell.framework,
        "framework_version": cell.stack.framework_version,
        "api": cell.stack.api,
        "variant": cell.result.variant,
        "language": cell.stack.language,
        "cuda": cell.stack.cuda,
        "cudnn": cell.stack.cudnn,
        "device": cell.device,
        "device_submitted": cell.device_as_submitted.name,
        "device_kind": cell.device_as_submitted.kind,
        "machine": cell.machine.name,
        "visible_threads": cpu.visible_threads if cpu else None,
    }


def _setting(figure: Figure) -> Record:
    result = figure.cell.result
    return {
        "nodes": result.scale.nodes,
        "devices": result.scale.devices,
        "threads_per_process": result.threads_per_process,
        "precision": result.precision,
        "data_kind": result.data.kind,
        "batch_level": result.batch.level,
        "batch_per_device": result.batch.per_device,
        "accumulation": result.batch.accumulation,
        "batch_global": result.batch.global_,
        "window": result.window,
        "class": result.class_,
        "options": json.dumps(result.options, ensure_ascii=False, sort_keys=True) if result.options else None,
    }


def _value(figure: Figure) -> Record:
    result, steps, found = figure.cell.result, figure.steps, figure.estimate
    devices = result.scale.devices
    return {
        "outcome": figure.outcome,
        "reason": figure.reason,
        "limit": result.limit,
        "value": found.value if found else None,
        "low": found.low if found else None,
        "high": found.high if found else None,
        "runs": len(figure.runs) or None,
        "run_values": " ".join(map(repr, figure.runs)) or None,
        "minimum": min(figure.runs, default=None),
        "maximum": max(figure.runs, default=None),
        "spread": figure.spread,
        "warmup_steps": min((run.warmup_steps for run in result.runs if run.warmup_steps is not None), default=None),
        "measured_steps": min((run.measured_steps for run in result.runs if run.measured_steps), default=None),
        "short": steps.short,
        "step_median": steps.median,
        "step_p10": steps.p10,
        "step_p90": steps.p90,
        "step_p99": steps.p99,
        "step_max": steps.longest,
        "first_step": steps.first,
        "settled": steps.settled,
        "stalls": steps.stalls,
        "utilisation": figure.utilisation,
        "speedup": figure.speedup,
        "efficiency": figure.speedup / devices if figure.speedup is not None and devices else None,
    }


def _source(figure: Figure) -> Record:
    source, locator = figure.cell.entry.submission.source, figure.cell.result.locator
    return {
        "source_title": source.title if source else None,
        "source_url": source.url if source else None,
        "source_commit": source.commit if source else None,
        "source_path": locator.path if locator else None,
        "source_line": str(locator.line) if locator and locator.line is not None else None,
        "raw_text": figure.raw_text,
    }
