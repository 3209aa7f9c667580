"""A parsed log with its settings as a submission of origin `imported-log`."""

from __future__ import annotations

import math
from datetime import UTC, date, datetime, timedelta, timezone
from typing import TYPE_CHECKING

from collector import transcribe
from collector.logs.settings import NOT_STATED, Batch, batch, settle
from collector.logs.window import Window, window

if TYPE_CHECKING:
    from collector.logs.lines import Log, Summary
    from collector.logs.settings import Settings
    from collector.schema import Submission
    from collector.transcribe import Plain
    from collector.vocabulary import Vocabulary

STACK = ("framework_version", "api", "cuda", "cudnn", "nccl")
MACHINE = ("memory_bytes", "os", "interconnect")


def submission(log: Log, digest: str, system: Settings, told: Settings, words: Vocabulary) -> Submission:
    """Return the submission of one log, whose SHA-256 is `digest`; raises ImporterError for all that is missing or wrong."""
    known = settle(log, system, told, words)
    size = batch(log, known)
    scoped = size.total // int(known["devices"]) if size.scope == "device" else size.total
    cut = window(log, scoped, sustained=known.get("window") == "sustained") if log.marks else None
    return transcribe.submission(
        _source(known),
        {"m1": _machine(known, words)},
        {"s1": transcribe.stack(str(known["framework"]), **{name: _text(known, name) for name in STACK})},
        [_result(log, known, size, cut, digest)],
        submitter=str(known.get("submitter", "Imported logs")),
        origin="imported-log",
    )


def _source(known: Settings) -> Plain:
    title, url, commit = (str(known[name]) for name in ("title", "url", "commit"))
    return transcribe.source(
        title, url, commit, _text(known, "licence"), date.fromisoformat(str(known["retrieved_on"]))
    )


def _text(known: Settings, name: str) -> str | None:
    value = known.get(name)
    return None if value in (None, NOT_STATED) else str(value)


def _machine(known: Settings, words: Vocabulary) -> Plain:
    device = str(known["device"])
    canonical = words.canonical_hardware(device)
    kind = words.hardware[canonical].kind if canonical else str(known["device_kind"])
    machine = transcribe.machine(str(known.get("machine", f"{device} machine")), device, kind)
    machine["devices"][0] |= {"per_node": known.get("per_node"), "driver": known.get("driver")}
    facts = ("sockets", "cores", "threads", "visible_threads")
    cpu = {"name": known["cpu"]} | dict.fromkeys(facts) if "cpu" in known else None
    return machine | {name: known.get(name) for name in MACHINE} | {"nodes": known.get("nodes"), "cpu": cpu}


def _result(log: Log, known: Settings, size: Batch, cut: Window | None, digest: str) -> Plain:
    reason = log.failure
    if cut and cut.not_finite:
        reason = f"The log prints a loss in line {cut.not_finite} that isn't finite."
    return transcribe.result(
        str(known["workload"]),
        "m1",
        "s1",
        variant=_text(known, "variant"),
        mode=known["mode"],
        precision=_text(known, "precision"),
        data={"kind": known.get("data_kind"), "loader": None, "workers": known.get("workers"), "cache": None},
        batch={
            "level": None,
            "per_device": size.per_device,
            "accumulation": size.accumulation,
            "global": size.total,
            "search": None,
        },
        scale={"nodes": known.get("nodes"), "devices": known["devices"], "launcher": None},
        options={"variable_update": known["variable_update"]} if "variable_update" in known else {},
        window=(known.get("window") or "steady") if cut else None,
        seed=known.get("seed"),
        outcome="ok" if reason is None else "invalid" if cut else "failed",
        reason=reason,
        runs=[_run(log, known, size, cut, digest)],
        reported=[_reported(summary, valid=reason is None) for summary in log.summaries],
        notes=_notes(log, known, size, cut),
        locator={"path": known["path"], "line": log.line},
    )


def _run(log: Log, known: Settings, size: Batch, cut: Window | None, digest: str) -> Plain:
    return {
        "started_at": _started(log, known),
        "warmup_steps": cut.warmup if cut else None,
        "measured_steps": cut.measured if cut else None,
        "first_step_seconds": None,
        "warmup_step_seconds": [],
        "step_seconds": [round(seconds, 6) for seconds in cut.step_seconds] if cut else [],
        "window_seconds": round(cut.seconds, 6) if cut else None,
        "samples_per_step": size.total,
        "loss": list(cut.losses) if cut else [],
        "epoch_seconds": [round(seconds, 6) for seconds in log.epochs] or None,
        "peak_device_memory_bytes": None,
        "telemetry": {"start": {}, "end": {}},
        "quality": None,
        "log_sha256": digest,
    }


def _started(log: Log, known: Settings) -> str | None:
    """Return when the log begins, in UTC; None where the zone of its clock isn't known."""
    offset = "+00:00" if log.utc else _text(known, "utc_offset")
    if log.started is None or offset is None:
        return None
    sign, hours, minutes = offset[0], *map(int, offset[1:].split(":"))
    ahead = timedelta(hours=hours, minutes=minutes) * (-1 if sign == "-" else 1)
    moment = datetime(1970, 1, 1, tzinfo=timezone(ahead)) + timedelta(seconds=log.started)
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _reported(summary: Summary, *, valid: bool) -> Plain:
    """Return a figure of the log's own; what can't be one stands as its text."""
    usable = valid and math.isfinite(summary.value) and summary.value > 0
    return {
        "metric": summary.metric,
        "statistic": summary.statistic,
        "run_index": 0,
        "value": summary.value if usable else None,
        "unit": summary.unit,
        "raw_text": summary.raw_text,
    }


def _notes(log: Log, known: Settings, size: Batch, cut: Window | None) -> list[str]:
    notes = [*log.notes, *(cut.notes if cut else ()), *([size.note] if size.note else [])]
    if size.scope == "device" and log.scope is None:
        notes.append("The log prints one device's rate.")
    if log.started is not None and _started(log, known) is None:
        local = datetime.fromtimestamp(log.started, UTC).strftime("%Y-%m-%d %H:%M:%S")
        notes.append(f"The log begins on {local} by a clock whose time zone it doesn't state.")
    return notes
