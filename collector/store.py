"""What commands start from: the vocabulary, the data set of all submissions, and its published files."""

from __future__ import annotations

import hashlib
import io
import sqlite3
import tomllib
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from collector import files, vocabulary

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    import pandas as pd

    from collector.boards import Board
    from collector.derive import Figure
    from collector.index import Index
    from collector.problems import Problem
    from collector.schema import Submission
    from collector.serialise import Shard
    from collector.survey import Survey

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "data"
BUILD = ROOT / "build"
LOCAL = BUILD / "submissions"
INDEX = BUILD / "index.sqlite"  # of DATA; other folders are read anew each time


class DataError(Exception):
    """The project's own data can't be used; `problems` says why, file by file."""

    def __init__(self, message: str, problems: tuple[Problem, ...] = ()) -> None:
        super().__init__(message)
        self.problems = problems


@dataclass(frozen=True)
class Stored:
    """A submission's file; `yours`: measured on this machine and not submitted yet."""

    file: str
    path: Path
    id: str
    yours: bool
    supersedes: str | None
    problems: tuple[Problem, ...]

    @cached_property
    def submission(self) -> Submission:
        """The submission itself, read when it is asked for; raises DataError if the file has changed meanwhile."""
        found = files.reading(self.path, self.file)
        if found.submission is None or found.id != self.id:
            raise DataError(f"{self.file} has changed while it was in use; start again.")
        return found.submission


@dataclass(frozen=True)
class Dataset:
    """Everything that the site, the report and the published files are made of.

    `problems` are all findings; a file that is `left_out` had an error and is in nothing else. `shards` have the table's
    rows by workload, as the content of their files; `date` is the newest day in the data, or None; `version` names the content.
    """

    submissions: tuple[Stored, ...]
    table: pd.DataFrame
    shards: Mapping[Shard, bytes]
    problems: tuple[Problem, ...]
    left_out: tuple[str, ...]
    vocabulary: vocabulary.Vocabulary
    date: str | None
    version: str

    @cached_property
    def boards(self) -> tuple[Board, ...]:
        """The leaderboards of the table."""
        from collector.boards import boards
        from collector.serialise import records

        return boards(records(self.table), self.vocabulary)

    @cached_property
    def figures(self) -> tuple[Figure, ...]:
        """Every figure with its cell, down to machine, stack and runs."""
        from collector.derive import derive
        from collector.normalise import Entry, normalise

        entries = [Entry(s.file, s.id, s.yours, s.submission, s.problems) for s in self.submissions]
        return derive([cell for entry in entries for cell in normalise(entry, self.vocabulary)], self.vocabulary)


def load_vocabulary(data: Path = DATA) -> vocabulary.Vocabulary:
    """Read every TOML file under `data/vocabulary` and `data/workloads`; raises DataError naming what can't be used.

    Devices are many: `hardware` may be a folder of files instead of one.
    """
    tables, workloads = _tables(data / "vocabulary"), _tables(data / "workloads")
    if parts := _tables(data / "vocabulary" / "hardware"):
        tables["hardware"] = _joined(parts, data / "vocabulary" / "hardware")
    for name in ("frameworks", "hardware", "metrics"):
        if name not in tables:
            raise DataError(f"{data / 'vocabulary' / name}.toml is missing; name a folder that has it with --data.")
    try:
        return vocabulary.build(tables, workloads)
    except ValueError as error:
        raise DataError(f"The vocabulary under {data} can't be used; correct {error}") from error


def _tables(folder: Path) -> dict[str, dict[str, Any]]:
    return {path.stem: _table(path) for path in sorted(folder.glob("*.toml"))}


def _joined(parts: Mapping[str, dict[str, Any]], folder: Path) -> dict[str, Any]:
    joined: dict[str, Any] = {}
    for stem, part in parts.items():
        if twice := sorted(joined.keys() & part.keys()):
            raise DataError(
                f"{folder / stem}.toml has {twice[0]!r}, which another file there has too; keep one of them."
            )
        joined |= part
    return joined


def _table(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except ValueError as error:  # not UTF-8, or not TOML
        raise DataError(f"{path} can't be read: {error}") from error


@contextmanager
def surveyed(data: Path = DATA, local: Path = LOCAL, *, keep_going: bool = False) -> Iterator[Survey]:
    """Read and check everything under `data/submissions` and `local` (this machine's own results).

    An error in `data` raises DataError, unless `keep_going` leaves the file out; a local file with one is always left out.
    """
    from collector.problems import Severity
    from collector.survey import survey

    words = load_vocabulary(data)
    public, own = files.named(data / "submissions", ROOT), files.named(local, ROOT)
    with indexed(data) as index:
        found = survey(index, public, own, words)
        errors = [problem for problem in found.problems if problem.severity is Severity.ERROR]
        stops = tuple(problem for problem in errors if problem.file in public)
        if stops and not keep_going:
            raise DataError(f"{stops[0].file} has errors; correct it, or leave it out with --keep-going.", stops)
        yield found


@contextmanager
def indexed(data: Path) -> Iterator[Index]:
    """Open the index of a data folder: a file for the project's own, memory for others; raises DataError if it breaks."""
    from collector.index import opened

    path = INDEX if data.resolve() == DATA else None
    try:
        with opened(path, data) as index:
            yield index
    except sqlite3.Error as error:
        raise DataError(f"{path or 'memory'}: {error}. Make room if the disk is full; else delete the file.") from error


def load(data: Path = DATA, local: Path = LOCAL, *, keep_going: bool = False) -> Dataset:
    """Return the data set of what `surveyed` finds."""
    from collector.serialise import shard, version
    from collector.tabulate import frame, joined

    with surveyed(data, local, keep_going=keep_going) as found:
        tables: list[pd.DataFrame] = []
        shards: dict[Shard, bytes] = {}
        for workload in found.workloads:
            records = found.records(workload)
            facts, content = shard(workload, records)
            shards[facts] = content
            tables.append(frame(records))
    return Dataset(
        submissions=tuple(
            Stored(
                header.file, found.paths[header.file], header.id or "", header.yours, header.supersedes, header.problems
            )
            for header in found.headers
        ),
        table=joined(tables),
        shards=shards,
        problems=found.problems,
        left_out=found.left_out,
        vocabulary=found.vocabulary,
        date=_newest(shards),
        version=version([*shards]),
    )


def _newest(shards: Iterable[Shard]) -> str | None:
    return max((shard.newest for shard in shards if shard.newest), default=None)


def write_submission(path: Path, submission: Submission) -> None:
    """Write a submission's file, replacing it in one step."""
    from collector.serialise import submission_json

    files.write(path, [submission_json(submission).encode()])


def write_dataset(dataset: Dataset, folder: Path) -> tuple[Path, ...]:
    """Write the published forms of the data set and return their paths."""
    import pyarrow as pa
    from pyarrow import parquet

    from collector import serialise

    table, version = dataset.table, dataset.version
    contents: dict[str, Iterable[bytes]] = {
        "results.csv": serialise.table_csv(table),
        "results.json": serialise.table_json(table, version),
        "columns.json": [serialise.columns_json(version).encode()],
        "index.json": [serialise.index_json([*dataset.shards], dataset.date).encode()],
        **{shard.file: [content] for shard, content in dataset.shards.items()},
    }
    for name, chunks in contents.items():
        files.write(folder / name, chunks)
    # pandas' own metadata names its version; without it the bytes depend on the data and pyarrow alone.
    plain = pa.Table.from_pandas(table, preserve_index=False).replace_schema_metadata(None)
    sink = io.BytesIO()
    parquet.write_table(plain, sink)
    files.write(folder / "results.parquet", [sink.getvalue()])
    return tuple(folder / name for name in (*contents, "results.parquet"))


def write_rows(found: Survey, folder: Path) -> tuple[str, tuple[Path, ...]]:
    """Write the index and the rows of those workloads that have changed; return the data version and the files written.

    What the rows of a workload follow from is compared with what they were made from last.
    """
    from collector import serialise

    shards: list[Shard] = []
    written: list[Path] = []
    for workload in found.workloads:
        signature = found.signature(workload)
        known = found.index.shard(workload, signature)
        if known is None or not _holds(folder / known.file, known.sha256):
            known, content = serialise.shard(workload, found.records(workload))
            files.write(folder / known.file, [content])
            written.append(folder / known.file)
            found.index.note_shard(signature, known)
        shards.append(known)
    files.write(folder / "index.json", [serialise.index_json(shards, _newest(shards)).encode()])
    return serialise.version(shards), (*written, folder / "index.json")


def _holds(path: Path, sha256: str) -> bool:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest() == sha256
    except OSError:
        return False
