"""The submission format: raw facts only, strict and frozen; everything derivable is derived elsewhere.

History of the schema (a loader for each version stays; `tests/samples/valid` holds a frozen file per version):

1  2026-11  first version
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from collector.fields import (
    AnyText,
    Commit,
    Count,
    CountOrZero,
    Day,
    Identifier,
    Moment,
    Numbers,
    Positive,
    Scalar,
    Sha256,
    Text,
    Whole,
)  # fmt: skip

SCHEMA_VERSION = 1
ID_DIGITS = 12  # of ids and data versions where people read them, and in addresses

MOST = 1_000  # entries of a list or an object; a file is no larger than MAX_BYTES, and its problems must stay few
Most = Field(max_length=MOST)

Origin = Literal["measured", "published", "imported-log", "computed"]
Outcome = Literal["ok", "oom", "failed", "timed_out", "crashed", "unsupported", "not_run", "invalid"]
Limit = Literal["ours", "upstream", "never"]
Mode = Literal["training", "inference", "forward", "backward", "forward_backward"]
Precision = Literal["fp32", "tf32", "amp-fp16", "amp-bf16", "fp16"]
DataKind = Literal["real", "synthetic-device", "synthetic-host"]
BatchLevel = Literal["one", "same", "max"]
DeviceKind = Literal["cpu", "gpu", "tpu", "npu"]
OptionClass = Literal["plain", "tuned"]
Window = Literal["steady", "sustained", "epochs"]


class _Part(BaseModel):
    """A part of a submission: exact types, no extra keys, no NaN or infinity, immutable."""

    model_config = ConfigDict(strict=True, frozen=True, extra="forbid", allow_inf_nan=False)


class Submitter(_Part):
    """Who offers the results, by a name of their choice."""

    name: Text
    organisation: Text | None
    url: Text | None


class Source(_Part):
    """Where a published or imported figure comes from; `commit` is the full hash of the version that was read."""

    title: Text
    url: Text | None
    commit: Commit | None
    licence: Text | None
    retrieved_on: Day


class Withdrawal(_Part):
    """When and why the submitter took the results back; they stay visible, marked."""

    on: Day
    reason: Text


class Harness(_Part):
    """Which code of ours made the measurement, and how it was called."""

    version: Text
    commit: Commit | None
    dirty: bool | None
    command: Text
    profile: Text | None


class Cpu(_Part):
    """The processors of one node; `visible_threads` are those that the job may use."""

    name: Text | None
    sockets: Count | None
    cores: Count | None
    threads: Count | None
    visible_threads: Count | None


class Device(_Part):
    """One kind of device in a node; `name` as the driver (or the source) spells it."""

    name: Text | None
    kind: DeviceKind
    per_node: Count | None
    visible: CountOrZero | None
    memory_bytes: Count | None
    driver: Text | None
    power_limit_watts: Positive | None
    tf32: bool | None


class Machine(_Part):
    """A host, or several alike (`nodes`); its name is chosen or derived from CPU and devices, never the host name."""

    name: Text
    nodes: Count | None
    cpu: Cpu | None
    memory_bytes: Count | None
    os: Text | None
    kernel: Text | None
    devices: Annotated[list[Device], Field(min_length=1, max_length=MOST)]
    interconnect: Text | None
    storage: Text | None
    container: Text | None


class Stack(_Part):
    """A framework release with everything underneath it that matters."""

    framework: Identifier
    framework_version: Text | None
    api: Text | None
    language: Text | None
    language_version: Text | None
    cuda: Text | None
    cudnn: Text | None
    nccl: Text | None
    blas: Text | None
    packages: Annotated[dict[AnyText, AnyText], Most]
    environment: Annotated[dict[AnyText, AnyText], Most]
    install_seconds: Annotated[float, Field(ge=0)] | None
    install_bytes: CountOrZero | None


class Data(_Part):
    """What the steps are fed with; `loader`, `workers` and `cache` describe real data."""

    kind: DataKind | None
    loader: Text | None
    workers: CountOrZero | None
    cache: Literal["cold", "warm"] | None


class BatchSearch(_Part):
    """How the largest batch was found: the increment of the search and the first size that failed."""

    step: Count
    first_failed: Count | None


class Batch(_Part):
    """`global` = `per_device` x devices x `accumulation`."""

    level: BatchLevel | None
    per_device: Count | None
    accumulation: Count | None
    global_: Annotated[Count | None, Field(alias="global")]
    search: BatchSearch | None


class Scale(_Part):
    """`devices` is the total over all nodes."""

    nodes: Count | None
    devices: Count | None
    launcher: Text | None


class Fingerprint(_Part):
    """Hashes of the token streams of adapter and workload: which code made the result, whatever its layout."""

    adapter: Sha256
    workload: Sha256


class Equality(_Part):
    """Proof that the framework trains the specified network; null means not proved."""

    parameters: Count | None
    probe_loss: float | None
    logits_error: Annotated[float, Field(ge=0)] | None


class Telemetry(_Part):
    """Clocks, temperatures, throttle reasons and the like right before and after the window."""

    start: Annotated[dict[AnyText, Scalar], Most]
    end: Annotated[dict[AnyText, Scalar], Most]


class Quality(_Part):
    """What the trained network reaches on the whole test set."""

    metric: Identifier
    value: float


class Run(_Part):
    """One fresh process. Times in seconds by a monotonic clock; `window_seconds` spans the measured steps.

    `samples_per_step` counts the samples of all devices together.
    """

    started_at: Moment | None
    warmup_steps: CountOrZero | None
    measured_steps: Count | None
    first_step_seconds: float | None
    warmup_step_seconds: Numbers
    step_seconds: Numbers
    window_seconds: float | None
    samples_per_step: Count | None
    loss: Numbers
    epoch_seconds: Numbers | None
    peak_device_memory_bytes: CountOrZero | None
    telemetry: Telemetry
    quality: Quality | None
    log_sha256: Sha256 | None


class Reported(_Part):
    """A figure as its source states it; `value` is null where the source has none, `raw_text` is what stands there."""

    metric: Identifier
    statistic: Text | None
    run_index: CountOrZero | None
    value: float | None
    unit: Text
    raw_text: AnyText | None


class Locator(_Part):
    """Where in the source a figure stands: file, and line or sheet and cell."""

    path: Text
    line: Annotated[Count | Text, Field(union_mode="left_to_right")] | None


class Result(_Part):
    """One cell: a workload under one setting on one machine and stack, with all its runs."""

    workload: Identifier
    workload_version: Count | None
    machine: Text
    stack: Text
    variant: Text | None
    mode: Mode | None
    precision: Precision | None
    loss_scale: Positive | Literal["dynamic"] | None
    data: Data
    batch: Batch
    scale: Scale
    threads_per_process: Count | None
    options: Annotated[dict[AnyText, Scalar], Most]
    class_: Annotated[OptionClass | None, Field(alias="class")]
    window: Window | None
    seed: Whole | None
    fingerprint: Fingerprint | None
    equality: Equality | None
    outcome: Outcome
    reason: Text | None
    limit: Limit | None
    runs: Annotated[list[Run], Most]
    reported: Annotated[list[Reported], Most]
    notes: Annotated[list[Text], Most]
    locator: Locator | None = None


class Submission(_Part):
    """One file: who measured (or transcribed) what, on which machines, with which stacks."""

    schema_version: Literal[1]
    submitter: Submitter
    origin: Origin
    source: Source | None
    supersedes: Sha256 | None
    withdrawn: Withdrawal | None
    harness: Harness | None
    machines: Annotated[dict[AnyText, Machine], Field(min_length=1, max_length=MOST)]
    stacks: Annotated[dict[AnyText, Stack], Field(min_length=1, max_length=MOST)]
    results: Annotated[list[Result], Field(min_length=1, max_length=10 * MOST)]
