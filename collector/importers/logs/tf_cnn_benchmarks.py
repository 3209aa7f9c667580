"""TensorFlow's tf_cnn_benchmarks: a running rate of all devices every ten steps, the total between rulers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from collector.logs.lines import NUMBER, Log, Mark, Summary, number, seconds, stated, whole

if TYPE_CHECKING:
    from collections.abc import Sequence

    from collector.logs.lines import Line

RANK = 3

_STEP = re.compile(
    rf"(?<![\w.])(\d{{1,9}})\s+(?:images|examples)/sec: ({NUMBER}) \+/- [^()]{{1,40}}\([^()]{{1,40}}\)\s*({NUMBER})?",
    re.IGNORECASE,
)
_TOTAL = re.compile(rf"total (?:images|examples)/sec: ({NUMBER})", re.IGNORECASE)
_HEADER = re.compile(r"\b(TensorFlow|Dataset|Mode|Batch size|Variables):\s{2,}(\S.*)")
_PER_DEVICE = re.compile(r"(?:^|\s)(\d{1,9})(?:\.0)? per device\b")
_GPU = re.compile(r"physical GPU \(device: \d+, name: ([^,()]{1,80}), pci bus")
_FIRST = re.compile(r"Starting real work at step (\d{1,9}) at time \w{3} (\w{3}) +(\d{1,2}) (\d\d:\d\d:\d\d) (\d{4})")
_MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec"  # whatever the locale


def recognises(lines: Sequence[Line]) -> bool:
    """Say whether any line has its rate with jitter, or its header's line of the batch size."""
    return any(_STEP.search(line.text) or _PER_DEVICE.search(line.text) for line in lines)


def parse(lines: Sequence[Line]) -> Log:
    """Read the header and the steps; steps are numbered anew after the warm-up."""
    header = {found[1]: found[2].strip() for line in lines if (found := _HEADER.search(line.text))}
    batch = whole(header.get("Batch size", "").partition(" global")[0].removesuffix(".0"))
    per_device = next((whole(found[1]) for line in lines if (found := _PER_DEVICE.search(line.text))), None)
    first = next((found for line in lines if (found := _FIRST.search(line.text))), None)
    warmup = int(first[1]) if first else 0
    marks = tuple(_mark(line, found, batch, warmup) for line in lines if (found := _STEP.search(line.text)))
    names = {found[1] for line in lines if (found := _GPU.search(line.text))}
    facts = {
        "framework": "tensorflow",
        "framework_version": header.get("TensorFlow"),
        "mode": {"training": "training", "forward-only": "forward"}.get(header.get("Mode", "")),
        "batch": per_device,
        "global": batch,
        "accumulation": 1 if batch and per_device else None,
        "devices": batch // per_device if batch and per_device and batch % per_device == 0 else None,
        "device": names.pop() if len(names) == 1 else None,
        "data_kind": "synthetic-device" if "(synthetic)" in header.get("Dataset", "") else None,
        "variable_update": header.get("Variables"),
    }
    return Log(
        line=next((mark.line for mark in marks), 1),
        marks=marks,
        summaries=tuple(
            Summary("throughput", "total images/sec of the log", value, "images/s", found[0])
            for line in lines
            if (found := _TOTAL.search(line.text)) and (value := number(found[1])) is not None
        ),
        facts=stated(facts),
        unit="images/s",
        scope="global",
        started=_started(first) if first else None,
        notes=("Step times follow from the running rate that the log prints, which is rounded to 0.1 images/s.",),
    )


def _mark(line: Line, found: re.Match[str], batch: int | None, warmup: int) -> Mark:
    """Return a step, those of the warm-up counted; the rate is that of all steps so far together, so it gives the time that they took."""
    step, rate = int(found[1]), number(found[2])
    elapsed = step * batch / rate if batch and rate and rate > 0 else None
    return Mark(line.number, 0, step + warmup, elapsed, None, number(found[3]) if found[3] else None)


def _started(found: re.Match[str]) -> float | None:
    month = _MONTHS.find(found[2]) // 3 + 1
    return seconds(f"{found[5]}-{month:02d}-{int(found[3]):02d} {found[4]}")
