"""What a rule works with: its finding, its context, and the parts of a submission with their JSON paths."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

    from collector.schema import Device, Result, Run, Submission
    from collector.vocabulary import Vocabulary, Workload


@dataclass(frozen=True)
class Finding:
    """What a rule found; severity, title and the default remedy belong to the code."""

    code: str
    path: str
    found: str
    expected: str
    remedy: str = ""


@dataclass(frozen=True)
class Context:
    """What rules may know besides the submission; `today` None switches off what depends on the day."""

    vocabulary: Vocabulary
    file: str
    id: str | None  # None for what remains of a file with errors
    today: date | None


def results(submission: Submission) -> Iterator[tuple[str, Result]]:
    """Yield each result with its path."""
    for position, result in enumerate(submission.results):
        yield f"$.results[{position}]", result


def runs(submission: Submission) -> Iterator[tuple[str, Result, Run]]:
    """Yield each run with its path and its result."""
    for path, result in results(submission):
        for position, run in enumerate(result.runs):
            yield f"{path}.runs[{position}]", result, run


def computing_device(submission: Submission, result: Result) -> Device | None:
    """Return the device that computes, the machine's first; None if the machine isn't described."""
    machine = submission.machines.get(result.machine)
    return machine.devices[0] if machine else None


def specification(result: Result, context: Context) -> Workload | None:
    """Return the workload whose facts hold for the result: known, and of the version that was measured."""
    workload = context.vocabulary.workloads.get(result.workload)
    return workload if workload and result.workload_version in (None, workload.version) else None
