"""Start a worker in an environment, wait for it, read its outcome; never imports worker code.

The launcher sleeps while the worker measures. It looks at the 16 bytes of progress five times a second, and ends the
whole process group when the time is up or the user interrupts.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import signal
import struct
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from runners import files
from runners.finished import Finished

if TYPE_CHECKING:
    from runners.environments import Environment

WORKER = Path(__file__).resolve().parent / "worker" / "__main__.py"
PHASES = ("starting", "preparing", "warm-up", "measuring", "finishing")
_MEASURING, _FINISHING = 3, 4
_PROGRESS = struct.Struct("<QQ")
_POLL_SECONDS = 0.2
_GRACE_SECONDS = 5.0  # between asking a worker to end and killing it
_LAST_LINES = 5
_OUTCOMES = {"ok", "oom", "failed", "unsupported", "invalid"}
_EMPTY = {"limit": None, "traceback": None, "run": None, "equality": None, "stack": None, "device": None}

State = Mapping[str, Any]


@dataclass
class _Watch:
    """What is seen of a worker from outside; telemetry is taken as near to the window as polling comes."""

    file: Path
    telemetry: Callable[[], State]
    on_progress: Callable[[str, int], None]
    phase: int = 0
    steps: int = 0
    states: dict[str, State] = field(default_factory=dict)

    def look(self) -> None:
        with contextlib.suppress(OSError, struct.error):
            phase, self.steps = _PROGRESS.unpack(self.file.read_bytes())
            self.phase = min(phase, _FINISHING)
        if self.phase >= _MEASURING:
            self._note("start")
        if self.phase >= _FINISHING:
            self._note("end")
        self.on_progress(PHASES[self.phase], self.steps)

    def _note(self, moment: str) -> None:
        if moment not in self.states:
            self.states[moment] = self.telemetry()


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
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="rosetta-", ignore_cleanup_errors=True) as name:
        scratch = Path(name)
        watch = _Watch(scratch / "progress.bin", telemetry, on_progress)
        files.write_json(scratch / "request.json", {**request, "progress": watch.file.name})
        status = _run(environment, scratch, log, timeout_seconds, watch)
        result = _result(scratch / "result.json") or _without_result(status, log, timeout_seconds, watch)
    return Finished(
        started_at=started_at,
        wall_seconds=round(time.monotonic() - start, 3),
        result=result,
        telemetry={"start": watch.states.get("start", before), "end": watch.states.get("end") or telemetry()},
        log_sha256=hashlib.sha256(log.read_bytes()).hexdigest(),
    )


def not_run(reason: str) -> Finished:
    """Return a run that could not even be started."""
    result = {**_EMPTY, "outcome": "not_run", "reason": reason, "fingerprint": None}
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return Finished(now, 0.0, result, {"start": {}, "end": {}}, None)


def _run(environment: Environment, scratch: Path, log: Path, timeout_seconds: float, watch: _Watch) -> int | None:
    """Return the worker's exit status, or None when it had to be ended because its time was up."""
    with log.open("ab") as output:
        process = subprocess.Popen(
            [environment.python, WORKER, "request.json", "result.json"],
            cwd=scratch,
            env=environment.environ,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # Ctrl-C reaches us alone; the group is ours to end
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


def _result(file: Path) -> dict[str, Any] | None:
    """Return what the worker wrote; None for nothing or for something that isn't a result of this protocol."""
    document = files.read_json(file)
    if isinstance(document, dict) and document.get("protocol") == 1 and document.get("outcome") in _OUTCOMES:
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
    lines = [line.strip() for line in log.read_text(encoding="utf-8", errors="replace").splitlines()[1:]]
    lines = [line for line in lines if line]
    fatal = [place for place, line in enumerate(lines) if line.startswith("Fatal Python error")]
    # The interpreter's own account begins with the cause; anything else ends with it.
    last = lines[fatal[-1] :][:_LAST_LINES] if fatal else lines[-_LAST_LINES:]
    return f"; its last words: {json.dumps(' / '.join(last), ensure_ascii=False)}." if last else "; its log is empty."
