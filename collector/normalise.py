"""Submissions in canonical names, one cell a result; what was submitted stays beside.

Nothing is guessed: a name that the vocabulary doesn't know stays as it was written.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collector.problems import Problem
    from collector.schema import Device, Machine, Result, Stack, Submission
    from collector.vocabulary import Vocabulary, Workload


@dataclass(frozen=True)
class Entry:
    """A submission with the file that it came from; `yours`: measured on this machine and not submitted yet."""

    file: str
    id: str
    yours: bool
    submission: Submission
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True)
class Cell:
    """One result with its machine and stack.

    `device` is canonical, or as submitted where the vocabulary doesn't know it, or None; `variant_stated` is False where
    the name leaves open which of several products it is, so that it equals no other.
    """

    entry: Entry
    position: int
    result: Result
    machine: Machine
    stack: Stack
    workload: Workload | None
    framework: str
    device: str | None
    device_as_submitted: Device
    variant_stated: bool

    @property
    def specification(self) -> Workload | None:
        """The workload whose facts hold for this result: the one of the version that was measured."""
        return (
            self.workload if self.workload and self.result.workload_version in (None, self.workload.version) else None
        )


def described(submission: Submission) -> bool:
    """Say whether every result's machine and stack are described, without which it is no cell."""
    return all(r.machine in submission.machines and r.stack in submission.stacks for r in submission.results)


def normalise(entry: Entry, vocabulary: Vocabulary) -> tuple[Cell, ...]:
    """Return the cells of a submission in file order."""
    return tuple(_cell(entry, position, vocabulary) for position in range(len(entry.submission.results)))


def _cell(entry: Entry, position: int, vocabulary: Vocabulary) -> Cell:
    result = entry.submission.results[position]
    machine = entry.submission.machines[result.machine]
    stack = entry.submission.stacks[result.stack]
    submitted = machine.devices[0]  # the first device computes; another use of the host is another machine entry
    canonical = vocabulary.canonical_hardware(submitted.name) if submitted.name else None
    return Cell(
        entry=entry,
        position=position,
        result=result,
        machine=machine,
        stack=stack,
        workload=vocabulary.workloads.get(result.workload),
        framework=vocabulary.canonical_framework(stack.framework) or stack.framework,
        device=canonical or (" ".join(submitted.name.split()) if submitted.name else None),
        device_as_submitted=submitted,
        variant_stated=submitted.name is not None
        and (canonical is None or vocabulary.hardware[canonical].variant_stated),
    )
