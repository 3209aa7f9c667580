"""Finished runs on disk, one file each, written at once: what an interruption can't take away and a resumption reuses."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from runners import files

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path


@dataclass(frozen=True)
class Finished:
    """How one run ended. `result` is the worker's document, or the launcher's where the worker could not write one.

    `commit` and `dirty` tell which code of ours measured, which a later call that reuses the run can't know.
    """

    started_at: str
    wall_seconds: float
    result: Mapping[str, Any]
    telemetry: Mapping[str, Any]
    log_sha256: str | None
    commit: str | None = None
    dirty: bool | None = None

    @property
    def outcome(self) -> str:
        """Return the outcome, one of the schema's."""
        return str(self.result["outcome"])

    @property
    def reason(self) -> str | None:
        """Return why there is no value, a sentence, or None for a run that is ok."""
        reason: str | None = self.result["reason"]
        return reason

    @property
    def run(self) -> Mapping[str, Any] | None:
        """Return the measured times, or None."""
        run: Mapping[str, Any] | None = self.result["run"]
        return run


def path(folder: Path, cell: str, run: int) -> Path:
    """Return where a finished run is kept; its log lies beside it."""
    return folder / cell / f"{run}.json"


def read(file: Path) -> Finished | None:
    """Return a finished run, or None where there is none or its file is damaged."""
    document = files.read_json(file)
    try:
        finished = Finished(**document)
    except TypeError:
        return None
    complete = isinstance(finished.result, dict) and {"outcome", "reason", "run", "stack"} <= finished.result.keys()
    return finished if complete else None


def write(file: Path, finished: Finished, request: Mapping[str, Any]) -> None:
    """Keep a finished run, and the request that it answers in a file of the cell."""
    files.write_json(file.with_name("request.json"), request)
    files.write_json(file, asdict(finished))


def rates(folder: Path, request: Mapping[str, Any]) -> Iterator[tuple[float, float]]:
    """Yield (seconds outside the steps, seconds a step) of earlier runs that worked under the same setting."""
    for asked in sorted(folder.glob("*/request.json")):
        if _setting(files.read_json(asked) or {}) != _setting(request):
            continue
        for file in sorted(asked.parent.glob("[0-9]*.json")):
            finished = read(file)
            if finished and finished.outcome == "ok" and finished.run:
                stepping = sum(finished.run["warmup_step_seconds"]) + finished.run["window_seconds"]
                count = finished.run["warmup_steps"] + finished.run["measured_steps"]
                yield max(0.0, finished.wall_seconds - stepping), stepping / count


def _setting(request: Mapping[str, Any]) -> list[Any]:
    keys = ("framework", "workload", "device", "precision", "data", "scale", "batch_per_device", "threads", "options")
    return [request.get(key) for key in keys]
