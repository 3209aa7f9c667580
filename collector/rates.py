"""The two formulas that every speed rests on: the throughput of a run, and the arithmetic that a throughput means."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collector.schema import Mode, Run
    from collector.vocabulary import Workload

PASSES = {
    "training": 3,
    "forward_backward": 3,
    "backward": 2,
    "forward": 1,
    "inference": 1,
}  # a backward pass costs two forward ones


def throughput(run: Run) -> float | None:
    """Return samples/s of all devices: samples of a step x measured steps / window; None where the run doesn't state them."""
    if not run.samples_per_step or not run.measured_steps or not run.window_seconds or run.window_seconds < 0:
        return None
    return run.samples_per_step * run.measured_steps / run.window_seconds


def work(samples_per_second: float, workload: Workload, mode: Mode, devices: int) -> float:
    """Return FLOP/s of each device: samples/s x multiply-adds x 2 x passes / devices."""
    return samples_per_second * workload.multiply_adds * 2 * PASSES[mode] / devices
