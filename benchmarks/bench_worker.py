"""What the measuring loop itself adds to a step, with an adapter that does nothing."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from runners.worker import measure, progress

if TYPE_CHECKING:
    from collections.abc import Iterator

STEPS = 200_000


class Idle:
    """An adapter whose step costs only the call."""

    def step(self) -> None:
        """Do nothing."""

    def synchronise(self) -> None:
        """Wait for nothing."""

    def barrier(self) -> None:
        """Wait for nobody."""


def figures() -> Iterator[tuple[str, float, str]]:
    """Yield the cost of a measured step beyond the bare call, its progress store included."""
    idle = Idle()
    started = time.perf_counter()
    for _ in range(STEPS):
        idle.step()
    bare = time.perf_counter() - started
    request = {"warmup_steps": 0, "measured_steps": STEPS, "epochs": None, "workload": {}}
    with tempfile.TemporaryDirectory() as folder:
        report = progress.open_progress(str(Path(folder) / "progress.bin"))
        window = measure.measure(idle, request, report)["window_seconds"]
    yield "worker_overhead_us", (window - bare) / STEPS * 1e6, "us"
