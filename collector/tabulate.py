"""The tidy table: columns declared once, one row a result and metric."""

from __future__ import annotations

from dataclasses import dataclass


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
    Column("yours", "boolean", None, "measured on this machine and not submitted yet"),
    Column("submitter", "string", None, "who offers the result"),
    Column("date", "string", None, "day of the run (measured) or of retrieval (published), YYYY-MM-DD"),
    Column("workload", "string", None, "id of the workload"),
    Column("workload_version", "Int64", None, "version of the workload's specification"),
    Column("mode", "string", None, "training, inference, forward or forward_backward"),
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
    Column("minimum", "Float64", None, "lowest run"),
    Column("maximum", "Float64", None, "highest run"),
    Column("spread", "Float64", None, "coefficient of variation over runs, a fraction"),
    Column("warmup_steps", "Int64", None, "steps before the window"),
    Column("measured_steps", "Int64", None, "steps inside the window"),
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
    Column("harness_version", "string", None, "version of Rosetta Bench that measured"),
    Column("profile", "string", None, "smoke, quick or official"),
    Column("source_url", "string", None, "where a published figure stands"),
    Column("source_commit", "string", None, "version of the source that was read"),
    Column("source_path", "string", None, "file inside the source"),
    Column("source_line", "string", None, "line, or sheet and cell, inside that file"),
    Column("raw_text", "string", None, "what the source prints there"),
)
