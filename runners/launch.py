"""Start a worker in an environment, wait for it, read its outcome; never imports worker code.

The launcher sleeps while the worker measures. It looks at the 16 bytes of progress five times a second, asks the device
for its state before and after the window only, and ends the whole process group when the time is up or the user
interrupts. Should the launcher itself be killed, the worker dies with it. A job of several devices is started by an
existing engine (launchers.py), and all that it started ends with it.
"""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import os
import resource
import signal
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from runners import environ, files, job, launchers, logs
from runners.finished import Finished
from runners.plan import PROTOCOL

if TYPE_CHECKING:
    from runners.environments import Environment

WORKER = Path(__file__).resolve().parent / "worker" / "__main__.py"
PHASES = ("starting", "preparing", "warm-up", "measuring", "finishing")
_MEASURING, _FINISHING = 3, 4
_PROGRESS = struct.Struct("<QQ")
_POLL_SECONDS = 0.2
_GRACE_SECONDS = 5.0  # between asking a worker to end and killing it
_PR_SET_PDEATHSIG = 1  # linux/prctl.h
_OUTCOMES = {"ok", "oom", "failed", "unsupported", "invalid"}
_EMPTY = {
    "limit": None,
    "traceback": None,
    "run": None,
    "equality": None,
    "loader": None,
    "checksum": None,
    "stack": None,
    "device": None,
}

State = Mapping[str, Any]


@dataclass
class _Watch:
    """What is seen of a worker from outside.

    `start` and `end` are the device's states as near to the window as polling comes, never inside: asking takes time from
    the job, and a window on a fast device is no longer than the answer.
    """

    file: Path
    telemetry: Callable[[], State]
    on_progress: Callable[[str, int], None]
    start: State
    end: State | None = None
    phase: int = 0
    steps: int = 0

    def look(self) -> None:
        before = self.phase
        with contextlib.suppress(OSError, struct.error):
            phase, self.steps = _PROGRESS.unpack(self.file.read_bytes())
            self.phase = min(phase, _FINISHING)
        if before < self.phase < _MEASURING:
            self.start = self.telemetry()
        if before < self.phase == _FINISHING:
            self.end = self.telemetry()
        self.on_progress(PHASES[self.phase], self.steps)


@dataclass(frozen=True)
class _Ended:
    """How the worker, or the launcher of a job of several, ended: `status` is None when its time was up."""

    status: int | None
    launcher: str | None
    log: Path

    @property
    def signal(self) -> str | None:
        """Return the signal that ended a process of a job."""
        return launchers.death(self.launcher, "\n".join(logs.tail(self.log))) if self.launcher else None


def launch(
    environment: Environment,
    request: Mapping[str, Any],
    log: Path,
    *,
    timeout_seconds: float,
    telemetry: Callable[[], State],
    on_progress: Callable[[str, int], None],
    memory_bytes: int | None = None,
) -> Finished:
    """Measure one run in a fresh process; whatever happens to it is the returned run's outcome.

    `memory_bytes` is the most that the process, and each that it starts, may have for its data.
    """
    started_at = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    log.parent.mkdir(parents=True, exist_ok=True)
    # A line of our own makes every log unlike any other, also that of a silent framework.
    log.write_text(f"{request['framework']} {request['workload']['id']} {time.time_ns()}\n", encoding="utf-8")
    before = telemetry()
    began = time.monotonic()
    # What several nodes share is the folder of the results, by --output.
    shared = log.parent if request["scale"]["nodes"] > 1 else None
    with tempfile.TemporaryDirectory(prefix="rosetta-", dir=shared, ignore_cleanup_errors=True) as name:
        scratch = Path(name)
        watch = _Watch(scratch / "progress.bin", telemetry, on_progress, before)
        scale = _with_port(request["scale"])
        files.write_json(scratch / "request.json", {**request, "scale": scale, "progress": watch.file.name})
        status = _run(environment, {**request, "scale": scale}, log, timeout_seconds, watch, memory_bytes)
        ended = _Ended(status, scale["launcher"], log)
        result = job.judge(_results(scratch, scale["devices"]), ended.signal) or _without_result(
            ended, timeout_seconds, watch
        )
    return Finished(
        started_at=started_at,
        wall_seconds=round(time.monotonic() - began, 3),
        result=result,
        telemetry={"start": watch.start, "end": telemetry() if watch.end is None else watch.end},
        log_sha256=_sha256(log),
    )


def _sha256(file: Path) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def not_run(reason: str) -> Finished:
    """Return a run that could not even be started."""
    result = {**_EMPTY, "outcome": "not_run", "reason": reason, "fingerprint": None}
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return Finished(now, 0.0, result, {"start": {}, "end": {}}, None)


def variables(environment: Environment) -> dict[str, str]:
    """Return the variables that the launcher of a job of several processes gets."""
    return {**environ.for_launcher(os.environ), **environment.environ}


def _with_port(scale: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the scale of a request with a port for each process of a node, free on this one."""
    each: int = scale["devices"] // scale["nodes"]
    return {**scale, "port": launchers.free_port(each)} if scale["devices"] > 1 else scale


def _command(environment: Environment, request: Mapping[str, Any]) -> list[str]:
    scale, worker = request["scale"], (str(WORKER), "request.json", "result.json")
    if scale["devices"] == 1:
        return [str(environment.python), *worker]
    started = launchers.Job(
        python=environment.python,
        worker=worker,
        hosts=tuple(scale["hosts"]),
        each=scale["devices"] // scale["nodes"],
        port=scale["port"],
        threads=request["threads"] or 1,
        variables=environment.environ,
        slurm=bool(os.environ.get("SLURM_JOB_ID")),
    )
    return launchers.command(scale["launcher"], started)


def _run(
    environment: Environment,
    request: Mapping[str, Any],
    log: Path,
    timeout_seconds: float,
    watch: _Watch,
    memory_bytes: int | None,
) -> int | None:
    """Return the worker's or its launcher's exit status, or None when it had to be ended because its time was up."""
    alone = request["scale"]["devices"] == 1
    with log.open("ab") as output:
        process = subprocess.Popen(
            _command(environment, request),
            cwd=watch.file.parent,
            env=environment.environ if alone else variables(environment),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # Ctrl-C reaches us alone; the group is ours to end
            # An engine that is asked to end takes its processes along.
            preexec_fn=_prepared(signal.SIGKILL if alone else signal.SIGTERM, memory_bytes),  # noqa: PLW1509 - system calls, and no thread of ours holds a lock then
        )
    deadline = time.monotonic() + timeout_seconds
    try:
        while process.poll() is None:
            watch.look()
            if time.monotonic() >= deadline:
                return None
            time.sleep(_POLL_SECONDS)
        watch.look()
        return process.returncode
    finally:
        _end(process)
        job.sweep(watch.file.parent)


def _prepared(number: signal.Signals, memory_bytes: int | None) -> Callable[[], object]:
    """Return what a child process does first: take its limit, and ask to end when we are killed.

    Else it would go on and disturb the next measurement.
    """
    prctl = ctypes.CDLL(None).prctl if sys.platform == "linux" else None

    def prepare() -> None:
        if memory_bytes is not None:  # of data: files that are mapped into memory, such as libraries, don't count
            resource.setrlimit(resource.RLIMIT_DATA, (memory_bytes, memory_bytes))
        if prctl is not None:
            prctl(_PR_SET_PDEATHSIG, number)

    return prepare


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a worker and everything that it started: ask first, then kill, at once if the user insists."""
    try:
        if process.poll() is None:
            _signal(process, signal.SIGTERM)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(_GRACE_SECONDS)
    finally:
        _signal(process, signal.SIGKILL)
        process.wait()


def _signal(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)


def _results(scratch: Path, count: int) -> list[dict[str, Any] | None]:
    """Return the result of every process by rank, the names being those of runners/worker/process.py."""
    names = ["result.json", *(f"result.{rank}.json" for rank in range(1, count))]
    return [_result(scratch / name) for name in names]


def _result(file: Path) -> dict[str, Any] | None:
    """Return what the worker wrote; None for nothing or for something that isn't a result of this protocol."""
    document = files.read_json(file)
    if isinstance(document, dict) and document.get("protocol") == PROTOCOL and document.get("outcome") in _OUTCOMES:
        return {**_EMPTY, "reason": None, "fingerprint": None, **document}
    return None


def _without_result(ended: _Ended, timeout_seconds: float, watch: _Watch) -> dict[str, Any]:
    where = f"while {PHASES[watch.phase]}, after {watch.steps} steps"
    if ended.status is None:
        outcome, reason = "timed_out", f"No result after {timeout_seconds:g} s, the limit for a run; ended {where}."
    else:
        outcome, reason = "crashed", f"{_death(ended, ended.status)} {where}{logs.last_words(ended.log)}"
    return {**_EMPTY, "outcome": outcome, "reason": reason, "fingerprint": None}


def _death(ended: _Ended, status: int) -> str:
    who = "The job" if ended.launcher else "The worker"
    name = ended.signal
    if name:
        who = "A process of the job"
    elif status >= 0:
        return f"{who} ended with exit status {status} and wrote no result"
    else:
        name = _signal_name(-status)
    hint = " (the system kills so when memory runs out)" if name == "SIGKILL" else ""
    return f"{who} was ended by {name}{hint}"


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
