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
import json
import os
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

from runners import environ, files, job, launchers
from runners.finished import Finished

if TYPE_CHECKING:
    from runners.environments import Environment

WORKER = Path(__file__).resolve().parent / "worker" / "__main__.py"
PHASES = ("starting", "preparing", "warm-up", "measuring", "finishing")
_MEASURING, _FINISHING = 3, 4
_PROGRESS = struct.Struct("<QQ")
_POLL_SECONDS = 0.2
_GRACE_SECONDS = 5.0  # between asking a worker to end and killing it
_LAST_LINES, _LINE_LENGTH, _TAIL_BYTES = 5, 300, 1 << 16  # of a log that may be huge
_PROTOCOL = 2
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


def launch(
    environment: Environment,
    request: Mapping[str, Any],
    log: Path,
    *,
    timeout_seconds: float,
    telemetry: Callable[[], State],
    on_progress: Callable[[str, int], None],
) -> Finished:
    """Measure one run in a fresh process; whatever happens to it is the returned run's outcome."""
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
        status = _run(environment, {**request, "scale": scale}, log, timeout_seconds, watch)
        result = _judged(scratch, scale, log) or _without_result(status, log, timeout_seconds, watch)
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
        slurm="SLURM_JOB_ID" in os.environ,
    )
    return launchers.command(scale["launcher"], started)


def _run(
    environment: Environment, request: Mapping[str, Any], log: Path, timeout_seconds: float, watch: _Watch
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
            preexec_fn=_dying_with_us(signal.SIGKILL if alone else signal.SIGTERM),  # noqa: PLW1509 - one system call, and no thread of ours holds a lock then
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


def _dying_with_us(number: signal.Signals) -> Callable[[], object] | None:
    """Return what makes a child process end when we are killed: else it would go on and disturb the next measurement."""
    if sys.platform != "linux":
        return None
    prctl = ctypes.CDLL(None).prctl
    return lambda: prctl(_PR_SET_PDEATHSIG, number)


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


def _judged(scratch: Path, scale: Mapping[str, Any], log: Path) -> Mapping[str, Any] | None:
    """Return the result of the worker, or the one that counts among those of all processes."""
    names = ["result.json", *(f"result.{rank}.json" for rank in range(1, scale["devices"]))]
    results = [_result(scratch / name) for name in names]
    killed = scale["launcher"] is not None and launchers.death(scale["launcher"], "\n".join(_tail(log))) is not None
    return job.judge(results, killed)


def _result(file: Path) -> dict[str, Any] | None:
    """Return what the worker wrote; None for nothing or for something that isn't a result of this protocol."""
    document = files.read_json(file)
    if isinstance(document, dict) and document.get("protocol") == _PROTOCOL and document.get("outcome") in _OUTCOMES:
        return {**_EMPTY, "reason": None, "fingerprint": None, **document}
    return None


def _without_result(status: int | None, log: Path, timeout_seconds: float, watch: _Watch) -> dict[str, Any]:
    where = f"while {PHASES[watch.phase]}, after {watch.steps} steps"
    if status is None:
        outcome, reason = "timed_out", f"No result after {timeout_seconds:g} s, the limit for a run; ended {where}."
    else:
        outcome, reason = "crashed", f"The worker {_death(status)} {where}{_last_words(log)}"
    return {**_EMPTY, "outcome": outcome, "reason": reason, "fingerprint": None}


def _death(status: int) -> str:
    if status >= 0:
        return f"ended with exit status {status} and wrote no result"
    try:
        name = signal.Signals(-status).name
    except ValueError:
        name = f"signal {-status}"
    hint = " (the system kills so when memory runs out)" if name == "SIGKILL" else ""
    return f"was ended by {name}{hint}"


def _last_words(log: Path) -> str:
    lines = [line.strip()[:_LINE_LENGTH] for line in _tail(log) if line.strip()]
    fatal = [place for place, line in enumerate(lines) if line.startswith("Fatal Python error")]
    # The interpreter's own account begins with the cause; anything else ends with it.
    last = lines[fatal[-1] :][:_LAST_LINES] if fatal else lines[-_LAST_LINES:]
    return f"; its last words: {json.dumps(' / '.join(last), ensure_ascii=False)}." if last else "; its log is empty."


def _tail(log: Path) -> list[str]:
    """Return the last lines of a log, less the line of our own at its head."""
    size = log.stat().st_size
    with log.open("rb") as content:
        content.seek(max(0, size - _TAIL_BYTES))
        lines = content.read().decode("utf-8", "replace").splitlines()
    return lines if size > _TAIL_BYTES else lines[1:]
