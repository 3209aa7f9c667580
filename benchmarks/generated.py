"""Made-up submissions in any number, for benchmarks of scale: 20 cells each, 3 runs of 20 + 100 steps a cell.

They look like real ones: devices, workloads and peaks from the vocabulary, a few releases of each framework, times that
scatter by a per cent. The same number gives the same bytes on every machine.
"""

from __future__ import annotations

import json
import random
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from collector import rates, schema, store, transcribe
from runners import record

if TYPE_CHECKING:
    from pathlib import Path

    from collector.vocabulary import Vocabulary

RUNS, WARM_UP, STEPS = 3, 20, 100
RELEASES = {
    "pytorch": ("2.11.0", "2.12.1", "2.13.0"),
    "tensorflow": ("2.19.0", "2.20.0", "2.21.0"),
    "jax": ("0.10.0", "0.11.2", "0.12.0"),
    "mxnet": ("1.9.0", "1.9.1"),
    "oneflow": ("0.8.0", "0.9.0"),
}
FIRST = datetime(2026, 1, 1, tzinfo=UTC)
Plain = dict[str, Any]


def write(folder: Path, number: int, first: int = 0, workload: str | None = None) -> None:
    """Write `number` submissions below `folder`/submissions, from the `first` on, of one workload if it is named."""
    words = store.load_vocabulary()
    for index in range(first, first + number):
        submission = make(index, words, workload)
        day = f"{FIRST + timedelta(hours=index):%Y-%m-%d}"
        store.write_submission(folder / "submissions" / record.file_name(submission, day), submission)


def make(index: int, words: Vocabulary, workload: str | None = None) -> schema.Submission:
    """Return the submission of that number: one machine, one stack, 20 cells, of one workload if it is named."""
    draw = random.Random(index)  # noqa: S311 - no secret
    devices = [
        name
        for name, entry in words.hardware.items()
        if entry.kind == "gpu" and entry.vendor == "NVIDIA" and entry.variant_stated and entry.peak.get("fp32")
    ]
    device = devices[index * 7 % len(devices)]  # nobody measures one twice
    framework = draw.choice(list(RELEASES))
    boards = [workload] if workload else [name for name, known in words.workloads.items() if known.board]
    cells = [(draw.choice(boards), precision, level) for precision in ("fp32", "amp-fp16") for level in range(10)]
    known = words.hardware[device]
    plain: Plain = {
        "schema_version": 1,
        "submitter": {"name": f"submitter {index // 10}", "organisation": None, "url": None},
        "origin": "measured",
        "source": None,
        "supersedes": None,
        "withdrawn": None,
        "harness": {
            "version": "0.1.0",
            "commit": None,
            "dirty": None,
            "command": "rosetta run --profile quick",
            "profile": "quick",
        },
        "machines": {"m1": _machine(device, known.memory_bytes)},
        "stacks": {
            "s1": transcribe.stack(framework, framework_version=draw.choice(RELEASES[framework]), language="python")
        },
        "results": [
            _result(words, cell, known.peak["fp32"], FIRST + timedelta(hours=index, minutes=number), draw)
            for number, cell in enumerate(cells)
        ],
    }
    return schema.Submission.model_validate_json(json.dumps(plain))


def _result(words: Vocabulary, cell: tuple[str, str, int], peak: float, start: datetime, draw: random.Random) -> Plain:
    name, precision, level = cell
    workload, batch = words.workloads[name], 8 << level
    speed = 0.05 * peak * draw.uniform(0.9, 1.1) / rates.work(1, workload, workload.mode, 1)
    runs = [_run(batch, batch / speed, start + timedelta(seconds=number), draw) for number in range(RUNS)]
    return transcribe.result(
        name,
        "m1",
        "s1",
        workload_version=workload.version,
        mode=workload.mode,
        precision=precision,
        data={"kind": "synthetic-device", "loader": None, "workers": None, "cache": None},
        batch=transcribe.batch(batch, 1) | {"accumulation": 1},
        scale=transcribe.scale(1, 1),
        threads_per_process=8,
        window="steady",
        seed=0,
        fingerprint={"adapter": f"{draw.getrandbits(256):064x}", "workload": f"{draw.getrandbits(256):064x}"},
        equality={
            "parameters": workload.parameters[0],
            "probe_loss": workload.expected_loss,
            "logits_error": 2e-7 if workload.logits else None,
        },
        runs=runs,
        **{"class": "plain"},
    )


def _run(batch: int, step: float, start: datetime, draw: random.Random) -> Plain:
    steps = [round(step * draw.uniform(0.99, 1.01), 6) for _ in range(WARM_UP + STEPS)]
    return {
        "started_at": start.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "warmup_steps": WARM_UP,
        "measured_steps": STEPS,
        "first_step_seconds": steps[0],
        "warmup_step_seconds": steps[:WARM_UP],
        "step_seconds": steps[WARM_UP:],
        "window_seconds": round(sum(steps[WARM_UP:]) * 1.0001, 6),
        "samples_per_step": batch,
        "loss": [2.31, 2.29],
        "epoch_seconds": None,
        "peak_device_memory_bytes": None,
        "telemetry": {"start": {}, "end": {}},
        "quality": None,
        "log_sha256": f"{draw.getrandbits(256):064x}",
    }


def _machine(device: str, memory: int | None) -> Plain:
    cpu = {"name": "AMD EPYC 9654", "sockets": 2, "cores": 192, "threads": 384, "visible_threads": 384}
    facts = {"name": device, "kind": "gpu", "per_node": 1, "visible": 1, "memory_bytes": memory, "driver": "580.65"}
    devices = [facts | {"power_limit_watts": None, "tf32": False}]
    host = {"nodes": 1, "cpu": cpu, "memory_bytes": 2**40, "os": "Debian 12", "kernel": "6.1", "devices": devices}
    return transcribe.machine(f"{device} machine", device, "gpu", **host)
