"""What the processes of a job leave: one outcome out of their results, and nobody behind."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

import psutil

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    Result = Mapping[str, Any]

TOLERANCE = 1e-5  # of the parameters' sum: data parallel processes made the same updates, in the same order or not
_TELLING = ("oom", "unsupported", "invalid")  # the cause; a process that lost its peers has only failed
_WAIT_SECONDS = 5.0


def judge(results: Sequence[Result | None], killed_by: str | None) -> Result | None:
    """Return the result that counts for a job; None where a process left none and none of the others says why.

    `results` are by rank, the first one being the job's if all is well. `killed_by` is the signal that ended a process,
    which the others then tell as a failure of their own.
    """
    if telling := _first(results, _TELLING):
        return telling
    if killed_by:
        return None
    if failed := _first(results, ("failed",)):
        return failed
    if None in results:
        return None
    return _agreed([result for result in results if result is not None])


def sweep(folder: Path) -> None:
    """Kill every process that works in a run's own folder: launchers start sessions and groups of their own."""
    found = [process for process in psutil.process_iter() if _works_in(process, folder)]
    for process in found:
        with contextlib.suppress(psutil.Error):
            process.kill()
    psutil.wait_procs(found, _WAIT_SECONDS)


def _first(results: Sequence[Result | None], outcomes: Sequence[str]) -> Result | None:
    """Return the result of the first process with one of these outcomes, with its rank in the reason."""
    for rank, result in enumerate(results):
        if result and result["outcome"] in outcomes:
            said = result["reason"]
            return {**result, "reason": f"Process {rank} of {len(results)}: {said}" if rank else said}
    return None


def _agreed(results: Sequence[Result]) -> Result:
    """Return the first result, invalid if the processes end with different parameters."""
    first, sums = results[0], [result["checksum"] for result in results]
    if len(results) == 1:
        return first
    apart = next((rank for rank, found in enumerate(sums) if not _equal(sums[0], found)), None)
    if apart is None:
        return first
    reason = (
        f"The parameters of the processes differ after the last step: their sum is {sums[0]} in process 0 and "
        f"{sums[apart]} in process {apart}; a difference of {TOLERANCE:g} of it is allowed."
    )
    return {**first, "outcome": "invalid", "reason": reason}


def _equal(one: float | None, other: float | None) -> bool:
    return one is not None and other is not None and abs(one - other) <= TOLERANCE * max(abs(one), abs(other))


def _works_in(process: psutil.Process, folder: Path) -> bool:
    with contextlib.suppress(psutil.Error):
        return process.cwd() == str(folder)
    return False
