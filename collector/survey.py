"""All submission files with what is wrong with them, and what may be published of them."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from collector.neighbours import compared
from collector.relate import together
from collector.repeats import across

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from collector.digest import Header
    from collector.index import Index
    from collector.neighbours import Value
    from collector.problems import Problem
    from collector.repeats import Claims
    from collector.tabulate import Record
    from collector.vocabulary import Vocabulary


@dataclass(frozen=True)
class Survey:
    """What there is to publish; a file that is `left_out` had an error. Valid while its index is open."""

    vocabulary: Vocabulary
    paths: Mapping[str, Path]
    headers: tuple[Header, ...]
    problems: tuple[Problem, ...]
    left_out: tuple[str, ...]
    index: Index

    @property
    def workloads(self) -> tuple[str, ...]:
        """The workloads that have rows, in order."""
        return tuple(sorted({workload for header in self.headers for workload in header.workloads}))

    def records(self, workload: str) -> list[Record]:
        """Return the rows of a workload, each with what submissions say about one another."""
        found = self.index.records(workload, (header.file for header in self.headers))
        together(found, self._superseded)
        return found

    def signature(self, workload: str) -> str:
        """Return a hash of all that the rows of a workload follow from."""
        parts = [
            f"{header.file}\0{header.id}\0{header.yours}" for header in self.headers if workload in header.workloads
        ]
        parts += sorted(map(str, self._superseded))
        return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogateescape")).hexdigest()

    @property
    def _superseded(self) -> set[tuple[bool, str, str]]:
        return {(header.yours, header.submitter, header.supersedes) for header in self.headers if header.supersedes}


def survey(index: Index, public: Mapping[str, Path], own: Mapping[str, Path], vocabulary: Vocabulary) -> Survey:
    """Bring the index up to date with the files, and judge them, the public ones against each other too.

    An own file may well repeat a measurement.
    """
    index.refresh(public, vocabulary, yours=False)
    index.refresh(own, vocabulary, yours=True)
    found = between(index.claims(), list(index.values()))
    headers = [
        replace(header, problems=(*header.problems, *found.get(header.file, ())))
        for yours in (False, True)
        for header in index.headers(yours=yours)
    ]
    left_out = tuple(sorted(header.file for header in headers if header.faulty))
    return Survey(
        vocabulary=vocabulary,
        paths={**public, **own},
        headers=tuple(_once([header for header in headers if not header.faulty], left_out, index)),
        problems=tuple(problem for header in headers for problem in header.problems),
        left_out=left_out,
        index=index,
    )


def between(claims: Sequence[Claims], values: Sequence[Value]) -> Mapping[str, list[Problem]]:
    """Return by file what is wrong between submissions, given in the order of their files."""
    found: dict[str, list[Problem]] = {}
    for problem in (*across(claims), *compared(values)):
        found.setdefault(problem.file, []).append(problem)
    return found


def _once(headers: Sequence[Header], left_out: Sequence[str], index: Index) -> Iterator[Header]:
    """Yield the headers, public ones first, less those that repeat one: the same content, or own runs that are public."""
    ids: set[str | None] = set()
    for header in headers:
        if header.id not in ids and not (header.yours and index.public_logs(header.file, left_out)):
            yield header
        ids.add(header.id)
