"""What will be measured, in which order: cells are settings of a framework and a workload, runs repeat them."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from runners import references
from runners.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from runners.manifests import Framework
    from runners.workloads import Workload


@dataclass(frozen=True)
class Profile:
    """How often and how long; 20 + 100 steps are the comparable default (protocol P1), 5 runs the official one (P6).

    `level` is the batch level where none is asked for; `large` is for large networks on a CPU, None for the same.
    """

    runs: int
    warmup_steps: int
    measured_steps: int
    level: str = "same"
    large: Profile | None = None


PROFILES = {
    "smoke": Profile(1, 2, 5, level="one"),
    "quick": Profile(3, 20, 100, large=Profile(1, 2, 5)),
    "official": Profile(5, 20, 100),
}
LARGE = 1e9  # multiply-adds a sample
GPU_THREADS = 8  # the same on every host, or results on equal GPUs would not compare
SEED = 0
PROTOCOL = 2  # between launcher and worker; the text is the docstring of runners/worker/__main__.py


@dataclass(frozen=True, order=True)
class Scale:
    """How many nodes and, in all, how many devices a job has: one process a device, as many on every node."""

    nodes: int = 1
    devices: int = 1

    @property
    def each(self) -> int:
        """Return the number of processes on a node."""
        return self.devices // self.nodes

    @property
    def name(self) -> str:
        """Return the scale as it is written, such as `2n8c`."""
        return f"{self.nodes}n{self.devices}c"


@dataclass(frozen=True)
class Settings:
    """What a user chose for all cells of a plan.

    Real data are measured by whole epochs, without warm-up: `epochs` of them, or as many as the workload specifies; with
    `steady` by steps, as synthetic data are. `levels` are batch levels, or numbers for a batch without level. `hosts` has
    an address for each node of the largest scale; `launcher` is None for the first that a framework has.
    """

    kind: str
    device: str
    threads: int
    profile: Profile
    precisions: tuple[str, ...] = ("fp32",)
    data: tuple[str, ...] = ("synthetic-device",)
    levels: tuple[str | int, ...] = ("same",)
    epochs: int | None = None
    steady: bool = False
    data_directory: str | None = None
    loader_workers: int | None = None
    options: tuple[tuple[str, Any], ...] = ()
    scales: tuple[Scale, ...] = (Scale(),)
    hosts: tuple[str, ...] = ("127.0.0.1",)
    launcher: str | None = None


@dataclass(frozen=True)
class Search:
    """How the largest batch was found: the increment, and the first size that failed; None if the search was bounded."""

    step: int
    first_failed: int | None


@dataclass(frozen=True)
class Cell:
    """One workload in one framework under one setting; measured in several runs.

    A batch of level `max` has no size before the search for it (search.py); one without level has nothing but a size.
    """

    framework: Framework
    workload: Workload
    precision: str
    data: str
    level: str | None
    settings: Settings
    scale: Scale = Scale()
    per_device: int | None = None
    search: Search | None = None

    @property
    def batch(self) -> int:
        """Return the batch size of each device."""
        return self.per_device or self.workload.specification.batch.get(self.level or "", 1)

    @property
    def profile(self) -> Profile:
        """Return how often and how long this cell is measured."""
        profile = self.settings.profile
        large = self.settings.kind == "cpu" and self.workload.specification.multiply_adds > LARGE
        return (profile.large if large else None) or profile

    @property
    def launcher(self) -> str | None:
        """Return what starts the job's processes, None for a job of one."""
        if self.scale.devices == 1:
            return None
        return self.settings.launcher or self.framework.launchers[0]

    @property
    def epochs(self) -> int | None:
        """Return the number of whole epochs of a run, None where it is measured by steps."""
        real = self.workload.specification.real
        if self.data != "real" or real is None or self.settings.steady:
            return None
        return self.settings.epochs or real.epochs

    @property
    def steps(self) -> int:
        """Return the number of steps of a run, warm-up included."""
        profile, real = self.profile, self.workload.specification.real
        if self.epochs and real:
            return self.epochs * (real.train_samples // (self.batch * self.scale.devices))
        return profile.warmup_steps + profile.measured_steps

    @property
    def title(self) -> str:
        """Return the cell in words, for people."""
        *parts, size, scale = self.parts
        return " · ".join([*parts, f"batch {size}", scale])

    @property
    def parts(self) -> tuple[str, ...]:
        """Return framework, workload, precision, data kind, batch and scale, as --only and --skip name them."""
        size = "max" if self.level == "max" and not self.per_device else str(self.batch)
        return (self.framework.id, self.workload.id, self.precision, self.data, size, self.scale.name)

    def request(self) -> dict[str, Any]:
        """Return the worker's request; its docstring (runners/worker/__main__.py) is the protocol."""
        settings = self.settings
        epochs, profile = self.epochs, self.profile
        return {
            "protocol": PROTOCOL,
            "framework": self.framework.id,
            "workload": {"id": self.workload.id, **self.workload.document},
            "device": settings.device,
            "precision": self.precision,
            "data": {"kind": self.data, "directory": settings.data_directory if self.data == "real" else None},
            "scale": {
                "nodes": self.scale.nodes,
                "devices": self.scale.devices,
                "launcher": self.launcher,
                "hosts": list(settings.hosts[: self.scale.nodes]) if self.launcher else None,
                "port": None,  # found when the job starts
            },
            "loader_workers": settings.loader_workers if self.data == "real" else None,
            "reference": references.marker(self.workload, self.precision),
            "batch_per_device": self.batch,
            "threads": settings.threads,
            "seed": SEED,
            "warmup_steps": 0 if epochs else profile.warmup_steps,
            "measured_steps": None if epochs else profile.measured_steps,
            "epochs": epochs,
            "options": dict(settings.options),
            "progress": None,
        }


def cells(frameworks: Iterable[Framework], workloads: Sequence[Workload], settings: Settings) -> list[Cell]:
    """Return every cell that the frameworks' manifests support; raises UsageError if nothing is left."""
    wanted = list(frameworks)
    found = [
        replace(Cell(framework, workload, precision, data, None, settings, scale), **_sized(level))
        for workload in workloads
        for framework in wanted
        for precision in settings.precisions
        for data in settings.data
        for level in settings.levels
        for scale in sorted(settings.scales)  # behind its baseline
        if _supported(framework, workload.id, precision, data) and _starts(framework, scale, settings.launcher)
    ]
    if not found:
        offers = "; ".join(_offer(framework) for framework in wanted)
        raise UsageError(f"Nothing to measure: no framework supports this combination. Supported: {offers}.")
    return found


def interleaved(runs: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield (run, position of the cell) in measuring order: the first run of every cell, then the second, and so on.

    `runs` are those of each cell. So a drift of the machine hits all cells alike (protocol P6).
    """
    for run in range(1, max(runs, default=0) + 1):
        yield from ((run, place) for place, count in enumerate(runs) if run <= count)


def cell_id(cell: Cell, environment_identity: str, machine: Mapping[str, Any], sources: str) -> str:
    """Return the name under which a cell's finished runs are kept: equal only if another run would be a repetition."""
    memory = ["limited"] if cell.level == "max" else []  # a worker has no more than what is free then, see suite.py
    parts = [cell.request(), environment_identity, machine, sources, *memory]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:16]


def default_threads(kind: str, visible_threads: int, processes: int = 1) -> int:
    """Return the threads of a process: its share of the usable ones on a CPU, a fixed number at most beside a GPU."""
    share = max(1, visible_threads // processes)
    return share if kind == "cpu" else min(GPU_THREADS, share)


def _sized(level: str | int) -> dict[str, Any]:
    return {"per_device": level} if isinstance(level, int) else {"level": level}


def _supported(framework: Framework, workload: str, precision: str, data: str) -> bool:
    support = framework.support(workload)
    return support is not None and precision in support.precisions and data in support.data


def _starts(framework: Framework, scale: Scale, launcher: str | None) -> bool:
    return scale.devices == 1 or (launcher in framework.launchers if launcher else bool(framework.launchers))


def _offer(framework: Framework) -> str:
    several = f"several devices by {'/'.join(framework.launchers)}" if framework.launchers else "one device"
    return ", ".join(
        f"{framework.id} {support.workload} ({'/'.join(support.precisions)}; {'/'.join(support.data)}; {several})"
        for support in framework.supports
    )
