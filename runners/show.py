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
    from runners.manifests import Framework
    from runners.plan import Cell
    from runners.record import Measured
    from runners.suite import Kept, Suite


def plan_lines(made: Suite, done: Kept, missing: Sequence[Framework]) -> Iterator[str]:
    """Yield what is about to be measured, how long that may take, and what it takes of the disk.

    `missing` are the frameworks whose environments have yet to be made.
    """
    settings, cells = made.cells[0].settings, made.cells
    total = sum(cell.profile.runs for cell in cells)
    yield (
        f"Plan: {_count(len(cells), 'cell')}, {_count(total, 'run')}, on the {settings.kind} with "
        f"{_count(settings.threads, 'thread')} a process; {len(done)} of {_count(total, 'run')} done before."
    )
    to_do = [
        sum((place, run) not in done for run in range(1, cell.profile.runs + 1)) for place, cell in enumerate(cells)
    ]
    yield from _groups(cells, to_do)
    yield f"Time: {_time(made, to_do)}; a run ends after {duration(made.timeout_seconds)} at the latest."
    yield f"Disk: {_disk(made, missing)}"


def _groups(cells: Sequence[Cell], to_do: Sequence[int]) -> Iterator[str]:
    """Yield a line for the cells of a workload under one setting, whatever their framework and batch."""
    groups: dict[tuple[str, ...], list[int]] = {}
    for place, cell in enumerate(cells):
        _framework, workload, precision, data, _size, scale = cell.parts
        groups.setdefault((workload, precision, data, scale), []).append(place)
    for key, places in groups.items():
        frameworks, sizes = (dict.fromkeys(cells[place].parts[part] for place in places) for part in (0, 4))
        steps = cells[places[0]].steps
        yield (
            f"  {' · '.join(key)} · batch {', '.join(sizes)} · {', '.join(frameworks)}: "
            f"{_count(len(places), 'cell')}, {_count(sum(to_do[place] for place in places), 'run')} to do "
            f"of {_count(steps, 'step')}"
        )


def _time(made: Suite, to_do: Sequence[int]) -> str:
    estimates = [suite.estimate(made.folder, cell) for cell in made.cells]
    known = sum(seconds * runs for seconds, runs in zip(estimates, to_do, strict=True) if seconds)
    unknown = sum(not seconds for seconds, runs in zip(estimates, to_do, strict=True) if runs)
    searched = sum(cell.level == "max" and not cell.per_device for cell in made.cells)
    parts = [f"about {duration(known)} by earlier runs"] if known else []
    parts += [f"unknown for {_count(unknown, 'cell')} never measured here"] if unknown else []
    parts += [f"and the search for the largest batch of {_count(searched, 'cell')}"] if searched else []
    return ", ".join(parts) or "none, everything is measured"


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


def _disk(made: Suite, missing: Sequence[Framework]) -> str:
    sizes = [entry.install_bytes or 0 for entry in made.environments.values() if isinstance(entry, Environment)]
    parts = [f"environments take {sum(sizes) / 1e6:,.0f} MB in {environments.cache()}, {_free(environments.cache())}"]
    if missing:
        known = sum(framework.install_megabytes or 0 for framework in missing)
        unknown = sum(framework.install_megabytes is None for framework in missing)
        more = f", and {_count(unknown, 'other')} of unknown size" if unknown else ""
        parts.append(f"those to be made ({', '.join(entry.id for entry in missing)}) will take {known:,.0f} MB{more}")
    return "; ".join([*parts, f"results lie in {_near(made.folder)}, {_free(made.folder)}."])


def _free(folder: Path) -> str:
    there = next(place for place in (folder, *folder.parents) if place.exists())
    return f"{shutil.disk_usage(there).free / 1e9:,.1f} GB free"


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
