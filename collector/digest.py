"""What one submission file says by itself: read, checked and derived once, in plain values that can be kept.

What it says beside others follows from digests: repetitions (`repeats`), neighbours (`neighbours`), trust and standing
(`relate`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from collector.check import judge
from collector.derive import alone
from collector.neighbours import Value, values
from collector.normalise import Entry, normalise
from collector.problems import Problem, Severity
from collector.repeats import Claims, claims
from collector.tabulate import in_order, row

if TYPE_CHECKING:
    from datetime import date

    from collector.read import Reading
    from collector.tabulate import Record
    from collector.vocabulary import Vocabulary


@dataclass(frozen=True)
class Header:
    """What is known of a file at a glance; `id` and all that follows are None or empty where it couldn't be read."""

    file: str
    yours: bool
    id: str | None
    problems: tuple[Problem, ...]
    supersedes: str | None = None
    submitter: str = ""
    results: int = 0
    runs: int = 0
    rows: int = 0  # of the table: a result may have several metrics
    workloads: tuple[str, ...] = ()

    @property
    def faulty(self) -> bool:
        """Whether a problem is an error, so that the file is in nothing that is published."""
        return any(found.severity is Severity.ERROR for found in self.problems)


@dataclass(frozen=True)
class Digest:
    """A file's header, what others may contradict or be compared with, and its rows of the table."""

    header: Header
    claims: Claims | None
    values: tuple[Value, ...]
    records: tuple[Record, ...]


def digest(reading: Reading, file: str, vocabulary: Vocabulary, *, yours: bool, today: date | None = None) -> Digest:
    """Digest a file that was read; `file` is its name in problems and in the table. Without `today` no date is too late."""
    problems = judge(reading, file, vocabulary, today)
    submission = reading.submission
    if submission is None or reading.id is None:
        return Digest(Header(file, yours, None, problems), None, (), ())
    entry = Entry(file, reading.id, yours, submission, problems)
    # Nothing is derived from what has errors: names may be unknown, machines missing.
    sound = not any(found.severity is Severity.ERROR for found in problems)
    cells = normalise(entry, vocabulary) if sound else ()
    records = sorted((row(figure, vocabulary) for figure in alone(cells, vocabulary)), key=in_order)
    header = Header(
        file=file,
        yours=yours,
        id=reading.id,
        problems=problems,
        supersedes=submission.supersedes,
        submitter=submission.submitter.name,
        results=len(submission.results),
        rows=len(records),
        runs=sum(len(result.runs) for result in submission.results),
        workloads=tuple(dict.fromkeys(sorted(record["workload"] for record in records))),
    )
    return Digest(header, claims(entry, vocabulary), tuple(values(entry, vocabulary)), tuple(records))
