"""Carry out a plan: what is kept is not measured again, what is finished is on disk at once, one failure stops nothing."""

from __future__ import annotations

import os
import statistics
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from runners import finished, harness, launch, launchers, machine, plan, references
from runners.environments import Environment
from runners.finished import Finished
from runners.record import Measured

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from collector import schema
    from runners.plan import Cell


@dataclass(frozen=True)
class Suite:
    """A plan with everything that it takes to carry it out on this machine.

    `environments` has for each framework its environment, or the sentence that says why there is none. `folder` holds
    `runs` and `submissions`.
    """

    cells: tuple[Cell, ...]
    environments: Mapping[str, Environment | str]
    harness: schema.Harness
    runs: int
    folder: Path
    timeout_seconds: float
    fresh: bool = False
    retry: bool = False

    def environment(self, cell: Cell) -> Environment | None:
        """Return the environment that a cell runs in, its threads set, or None."""
        found = self.environments[cell.framework.id]
        return found.with_threads(cell.settings.threads) if isinstance(found, Environment) else None


class Display(Protocol):
    """Whoever watches a suite."""

    def started(self, cell: Cell, run: int, runs: int, left_seconds: float | None) -> None:
        """Take note that a run begins, and how long it and all later ones may take."""

    def progressed(self, phase: str, steps: int) -> None:
        """Take note of where the run is."""

    def ended(self, finished_run: Finished) -> None:
        """Take note of how the run ended."""


Kept = dict[tuple[int, int], Finished]  # (position of the cell, number of the run)


def identities(suite: Suite, describe: Callable[[str], schema.Machine]) -> list[str]:
    """Return the id of every cell of a suite on the machine that `describe` describes by kind of device."""
    facts = {kind: describe(kind).model_dump(mode="json") for kind in {c.settings.kind for c in suite.cells}}
    return [
        plan.cell_id(
            cell,
            environment.identity if (environment := suite.environment(cell)) else "none",
            facts[cell.settings.kind],
            harness.sources(cell.framework),
        )
        for cell in suite.cells
    ]


def lock() -> Path:
    """Return the file that whoever measures on this machine locks; it is the user's own and on no network drive."""
    return Path(tempfile.gettempdir()) / f"rosetta-bench-{os.getuid()}.lock"


def kept(suite: Suite, ids: Sequence[str]) -> Kept:
    """Return the runs of earlier calls that count for this one."""
    if suite.fresh:
        return {}
    found = {
        (place, run): file
        for place, cell in enumerate(ids)
        for run in range(1, suite.runs + 1)
        if (file := finished.read(finished.path(suite.folder / "runs", cell, run)))
    }
    return {key: run for key, run in found.items() if run.outcome == "ok" or not suite.retry}


def measure(
    suite: Suite, ids: Sequence[str], done: Kept, display: Display, save: Callable[[list[Measured]], object]
) -> list[Measured]:
    """Measure every run that is missing in `done`; `save` gets all results whenever there is a new one."""
    order = plan.interleaved(len(suite.cells), suite.runs)
    missing = [(run, place) for run, place in order if (place, run) not in done]
    for position, (run, place) in enumerate(missing):
        left = _total(estimate(suite.folder, suite.cells[later]) for _run, later in missing[position:])
        display.started(suite.cells[place], run, suite.runs, left)
        ended = _measure_one(suite, suite.cells[place], ids[place], run, display)
        display.ended(ended)
        done[place, run] = ended
        save(_measured(suite, done))
    return _measured(suite, done)


def estimate(folder: Path, cell: Cell) -> float | None:
    """Return the seconds that a run of a cell will take, from earlier runs; None where there are none."""
    rates = list(finished.rates(folder / "runs", cell.request()))
    if not rates:
        return None
    outside = statistics.median(rate[0] for rate in rates)
    return outside + statistics.median(rate[1] for rate in rates) * cell.steps


def _total(parts: Iterable[float | None]) -> float | None:
    total = 0.0
    for part in parts:
        if part is None:
            return None
        total += part
    return total


def _measure_one(suite: Suite, cell: Cell, identity: str, run: int, display: Display) -> Finished:
    environment = suite.environment(cell)
    if environment is None:
        return launch.not_run(str(suite.environments[cell.framework.id]))
    if cell.launcher and (lack := launchers.missing(cell.launcher, cell.scale.nodes, launch.variables(environment))):
        return launch.not_run(lack)
    file = finished.path(suite.folder / "runs", identity, run)
    ended = launch.launch(
        environment,
        references.handed_over(cell.request(), cell.workload),
        file.with_suffix(".log"),
        timeout_seconds=suite.timeout_seconds,
        telemetry=machine.telemetry(cell.settings.kind),
        on_progress=display.progressed,
    )
    ended = replace(ended, commit=suite.harness.commit, dirty=suite.harness.dirty)
    finished.write(file, ended, cell.request())
    return ended


def _measured(suite: Suite, done: Kept) -> list[Measured]:
    runs = range(1, suite.runs + 1)
    return [
        Measured(cell, suite.environment(cell), tuple(done[place, run] for run in runs if (place, run) in done))
        for place, cell in enumerate(suite.cells)
    ]
