"""A plan before it starts and its results at the end, as lines for people and as JSON for programs."""

from __future__ import annotations

import shlex
import shutil
import statistics
from pathlib import Path
from typing import TYPE_CHECKING, Any

from runners import environments, suite
from runners.environments import Environment
from runners.progress import duration

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from collector.problems import Problem
    from runners.record import Measured
    from runners.suite import Kept, Suite


def plan_lines(made: Suite, done: Kept) -> Iterator[str]:
    """Yield what is about to be measured, how long that may take, and the disk space it has."""
    settings = made.cells[0].settings
    cells, total = len(made.cells), len(made.cells) * made.runs
    yield (
        f"Plan: {_count(cells, 'cell')}, {_count(made.runs, 'run')} each, on the {settings.kind} with "
        f"{_count(settings.threads, 'thread')}; {len(done)} of {_count(total, 'run')} done before."
    )
    estimates = [suite.estimate(made.folder, cell) for cell in made.cells]
    missing = [sum((place, run) not in done for run in range(1, made.runs + 1)) for place in range(cells)]
    for cell, seconds, runs in zip(made.cells, estimates, missing, strict=True):
        time = f"about {duration(seconds)} a run" if seconds else "never measured here"
        yield f"  {cell.title} · {_count(cell.steps, 'step')} · {_count(runs, 'run')} to do, {time}"
    known = sum(seconds * runs for seconds, runs in zip(estimates, missing, strict=True) if seconds)
    unknown = sum(runs for seconds, runs in zip(estimates, missing, strict=True) if not seconds)
    parts = [f"about {duration(known)} by earlier runs"] if known else []
    parts += [f"unknown for {_count(unknown, 'run')}"] if unknown else []
    yield f"Time: {', '.join(parts) or 'none, everything is measured'}; a run ends after {duration(made.timeout_seconds)} at the latest."
    yield f"Disk: {_disk(made)}"


def result_lines(
    measured: Sequence[Measured], folders: Sequence[Path], path: Path, problems: Sequence[Problem]
) -> Iterator[str]:
    """Yield what came out, where it lies, what the check finds and what to do next; `folders` hold the logs by cell."""
    yield ""
    for entry, folder in zip(measured, folders, strict=True):
        yield f"{entry.cell.title}: {_result(entry)}"
        if entry.outcome not in {"ok", "not_run"}:
            yield f"  log and traceback: {_near(folder)}; --retry measures it again"
    yield ""
    yield f"Submission: {_near(path)}"
    yield from map(str, problems)
    yield f"Next: rosetta check {shlex.quote(str(_near(path)))}"
    yield "      make serve shows it on the site, marked yours; docs/submitting.md says how to offer it."


def document(measured: Sequence[Measured], path: Path) -> dict[str, Any]:
    """Return the results as plain JSON values."""
    return {
        "submission": str(path),
        "results": [
            {
                "framework": entry.cell.framework.id,
                "workload": entry.cell.workload.id,
                "precision": entry.cell.precision,
                "data": entry.cell.data,
                "batch": entry.cell.batch,
                "scale": entry.cell.scale.name,
                "outcome": entry.outcome,
                "reason": entry.reason,
                "samples_per_second": throughputs(entry),
            }
            for entry in measured
        ],
    }


def throughputs(entry: Measured) -> list[float]:
    """Return the throughput of each run that is ok, in samples/s."""
    return [
        ended.run["samples_per_step"] * ended.run["measured_steps"] / ended.run["window_seconds"]
        for ended in entry.runs
        if ended.outcome == "ok" and ended.run
    ]


def _result(entry: Measured) -> str:
    if entry.outcome != "ok":
        return f"{entry.outcome}: {entry.reason}"
    values, items = throughputs(entry), entry.cell.workload.specification.item["en"]
    spread = f", {min(values):,.1f} to {max(values):,.1f}" if len(values) > 1 else ""
    return f"{statistics.median(values):,.1f} {items}/s (median of {_count(len(values), 'run')}{spread})"


def _near(path: Path) -> Path:
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path


def _disk(made: Suite) -> str:
    sizes = [entry.install_bytes or 0 for entry in made.environments.values() if isinstance(entry, Environment)]
    cache = environments.cache()
    free = shutil.disk_usage(next(folder for folder in (made.folder, *made.folder.parents) if folder.exists())).free
    return f"environments take {sum(sizes) / 1e6:,.0f} MB in {cache}; {free / 1e9:,.0f} GB free for results."


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
