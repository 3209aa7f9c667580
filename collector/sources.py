"""The figures of a source as rows of text, and how they become submissions: every field is understood or refused."""

from __future__ import annotations

import csv
import io
import math
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from collector import transcribe
from collector.transcribe import ImporterError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from collector.schema import Origin, Submission
    from collector.transcribe import Plain
    from collector.vocabulary import Vocabulary

    Row = dict[str, str]
    Understood = Callable[[str], bool]


def rows(text: str, understood: Mapping[str, Understood]) -> list[Row]:
    """Return the rows of a CSV text with a header; `understood` says by column which texts an importer can handle.

    Raises ImporterError naming row and column of what isn't understood.
    """
    reader = csv.DictReader(io.StringIO(text, newline=""))
    absent = [column for column in ("row_id", *understood) if column not in (reader.fieldnames or ())]
    if absent:
        raise ImporterError(f"The header lacks the column {absent[0]!r}; take the file kept in data/sources.")
    return [_understood(row, understood) for row in reader]


def _understood(row: Row, understood: Mapping[str, Understood]) -> Row:
    if None in row or None in row.values():
        raise ImporterError(f"Row {row['row_id']!r} has too few or too many fields; correct it.")
    for column, fine in understood.items():
        if not fine(row[column]):
            raise ImporterError(f"Row {row['row_id']!r}: the column {column!r} holds {row[column]!r}; correct it.")
    return row


def anything(_text: str) -> bool:
    """Accept every text."""
    return True


def one_of(known: Iterable[str]) -> Understood:
    """Accept the known texts."""
    return frozenset(known).__contains__


def count(text: str) -> bool:
    """Accept a whole number above 0."""
    return text.isdecimal() and text.isascii() and int(text) > 0


def optional(understood: Understood) -> Understood:
    """Accept what is understood, and a blank: the source doesn't say."""
    return lambda text: text == "" or understood(text)


def positive(text: str) -> bool:
    """Accept a finite number above 0."""
    try:
        return 0 < float(text) < math.inf
    except ValueError:
        return False


def framework_of(vocabulary: Vocabulary) -> Understood:
    """Accept the names of frameworks that the vocabulary knows."""
    return lambda text: vocabulary.canonical_framework(text) is not None


def framework_id(vocabulary: Vocabulary, name: str) -> str:
    """Return the id of a framework that `framework_of` accepted."""
    return vocabulary.canonical_framework(name) or name


def whole(text: str) -> int | None:
    """Return a number of things, or None for a blank."""
    return int(text) if text else None


def absence(raw_text: str) -> str:
    """Return why a cell has no figure."""
    return f"The source prints “{raw_text}” instead of a figure." if raw_text else "The source has an empty cell."


def cited(name: str, *row_ids: str) -> str:
    """Return the note by which a result names the rows of `data/sources/NAME.csv` that it comes from."""
    return f"{'row' if len(row_ids) == 1 else 'rows'} {', '.join(row_ids)} of data/sources/{name}.csv"


def slug(name: str) -> str:
    """Return a name as an id: small ASCII letters, digits and hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")


@dataclass
class Draft:
    """A submission in the making: results, and the machines and stacks that they name, each described once."""

    source: Plain
    origin: Origin = "published"
    machines: dict[str, Plain] = field(default_factory=dict)
    stacks: dict[str, Plain] = field(default_factory=dict)
    results: list[Plain] = field(default_factory=list)

    def add(self, workload: str, machine: Plain, stack: Plain, **stated: object) -> None:
        """Add a result with the settings that are `stated`."""
        names = (stack["framework"], stack["framework_version"], stack["api"], stack["language"])
        place = _kept(self.machines, slug(machine["name"]), machine)
        software = _kept(self.stacks, slug(" ".join(filter(None, names))), stack)
        self.results.append(transcribe.result(workload, place, software, **stated))

    def submission(self) -> Submission:
        """Return the finished submission."""
        return transcribe.submission(self.source, self.machines, self.stacks, self.results, origin=self.origin)


def _kept(pool: dict[str, Plain], name: str, description: Plain) -> str:
    """Return the id of a description in the pool, where it is put unless it is there; others of its name get a number."""
    number, key = 1, name
    while pool.setdefault(key, description) != description:
        number += 1
        key = f"{name}-{number}"
    return key


def finished(drafts: Mapping[str, Draft]) -> dict[str, Submission]:
    """Return the submissions by file stem."""
    return {part: draft.submission() for part, draft in drafts.items()}


@dataclass
class Cell:
    """The rows of one cell of a source: its figure, as several documents print it."""

    rows: list[Row]

    def __getitem__(self, column: str) -> str:
        """Return what the rows state in a column; "" if they state nothing, or not the same."""
        stated = self.stated(column)
        return stated[0] if len(stated) == 1 else ""

    def stated(self, column: str) -> list[str]:
        """Return the different texts of a column, without blanks."""
        return list(dict.fromkeys(row[column] for row in self.rows if row[column]))

    def disputes(self, columns: Iterable[str]) -> Iterator[str]:
        """Yield a note on each column in which the documents differ, so that it counts as not stated."""
        for column in columns:
            if len(stated := self.stated(column)) > 1:
                yield f"not stated, as documents differ: {column.replace('_', ' ')} {' or '.join(stated)}"


def cells(
    found: Iterable[Row],
    same: Sequence[str],
    agreeing: Callable[[Row, Row], bool],
    document: Callable[[Row], object],
) -> list[Cell]:
    """Return the cells of a source in the order of their first rows.

    Rows of different documents are one cell if they print the same figure, are equal in the columns `same`, and agree.
    """
    known: dict[tuple[str, ...], list[Cell]] = {}
    ordered = []
    for row in found:
        alike = known.setdefault((_figure(row), *(row[column] for column in same)), [])
        for cell in alike:
            apart = all(document(other) != document(row) for other in cell.rows)
            if apart and all(agreeing(other, row) for other in cell.rows):
                cell.rows.append(row)
                break
        else:
            alike.append(Cell([row]))
            ordered.append(alike[-1])
    return ordered


def _figure(row: Row) -> str:
    """Return a figure with six digits; a cell without one is told by its state and batch size."""
    value = row["throughput"]
    return f"{float(value):.6g}" if value else f"{row['status']} {row['batch_size_per_device']}"
