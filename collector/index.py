"""Digests of all submission files in one SQLite file, so that only what changed is read again.

Whatever is in it follows from the submissions, the vocabulary and this code; without the file, or with an unusable one,
everything is read anew.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import sys
import time
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from collector import files, pool
from collector.digest import Header, digest
from collector.neighbours import Rate
from collector.pool import Job
from collector.problems import Problem, Severity
from collector.read import read
from collector.repeats import Claims, Mark
from collector.tabulate import COLUMNS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from collector.tabulate import Record
    from collector.vocabulary import Vocabulary

TABLES = """
CREATE TABLE version (name TEXT);
CREATE TABLE files (file TEXT PRIMARY KEY, yours INTEGER, size INTEGER, modified INTEGER, seen INTEGER,
    sha256 TEXT, id TEXT, supersedes TEXT, header BLOB);
CREATE TABLE marks (what TEXT, code TEXT, path TEXT, file TEXT);
CREATE TABLE rates (grouped TEXT, file TEXT, submitter TEXT, position INTEGER, value REAL);
CREATE TABLE records (workload TEXT, file TEXT, content BLOB);
CREATE TABLE shards (workload TEXT PRIMARY KEY, signature TEXT, facts TEXT);
CREATE INDEX marks_by_what ON marks (what);
CREATE INDEX marks_by_file ON marks (file);
CREATE INDEX rates_by_group ON rates (grouped);
CREATE INDEX rates_by_file ON rates (file);
CREATE INDEX records_by_workload ON records (workload, file);
CREATE INDEX records_by_file ON records (file);
"""
PARTS = ("marks", "rates", "records")  # what belongs to a file
RACY = 2_000_000_000  # ns: a file that changes so soon after it was read may keep its time stamp
NAMES = tuple(column.name for column in COLUMNS)


@dataclass(frozen=True)
class _Digested:
    """A digest as rows of the tables."""

    file: tuple[Any, ...]
    marks: list[tuple[Any, ...]]
    rates: list[tuple[Any, ...]]
    records: list[tuple[Any, ...]]


class Index:
    """The tables; every method may be called at any time after `refresh`."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def refresh(self, found: Mapping[str, Path], vocabulary: Vocabulary, *, yours: bool) -> None:
        """Make the public files, or with `yours` the local ones, exactly those found; read what is new or changed."""
        with self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            known = {
                row[0]: row[1:] for row in self._all("SELECT file, size, modified, seen, sha256, yours FROM files")
            }
            gone = [file for file, facts in known.items() if bool(facts[-1]) == yours and file not in found]
            changed = [
                Job(file, path, yours)
                for file, path in found.items()
                if not self._unchanged(file, path, known.get(file))
            ]
            self._forget([*gone, *(job.file for job in changed if job.file in known)])
            for each in pool.each(_digest, changed, vocabulary):
                self._many("INSERT INTO files VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", [each.file])
                self._many("INSERT INTO marks VALUES (?, ?, ?, ?)", each.marks)
                self._many("INSERT INTO rates VALUES (?, ?, ?, ?, ?)", each.rates)
                self._many("INSERT INTO records VALUES (?, ?, ?)", each.records)

    def headers(self, *, yours: bool) -> list[Header]:
        """Return what is known of the files, in their order."""
        rows = self._all("SELECT header FROM files WHERE yours = ? ORDER BY file", yours)
        return [_header(text) for (text,) in rows]

    def claims(self) -> list[Claims]:
        """Return what public submissions claim, in the order of their files, with only those marks that several have."""
        return self._claims("SELECT what FROM marks GROUP BY what HAVING count(DISTINCT file) > 1")

    def claims_beside(self, others: Iterable[Claims]) -> list[Claims]:
        """Return what public submissions claim, with only those marks that `others` have too."""
        self._wanted({mark.what for each in others for mark in each.marks})
        return self._claims("SELECT name FROM wanted")

    def rates(self) -> Iterator[Rate]:
        """Return the throughputs of public files."""
        return self._rates(
            "SELECT grouped FROM rates GROUP BY grouped HAVING count(*) > 3 AND count(DISTINCT submitter) > 1"
        )

    def rates_beside(self, others: Iterable[Rate]) -> Iterator[Rate]:
        """Return the throughputs of public files in the groups of `others`."""
        self._wanted({rate.group for rate in others})
        return self._rates("SELECT name FROM wanted")

    def public_logs(self, file: str, left_out: Collection[str]) -> bool:
        """Say whether an own file has logs, and all of them stand in public files that aren't left out."""
        of_file = "SELECT what FROM marks WHERE file = ? AND code = 'duplicate-log'"
        own = {what for (what,) in self._all(of_file, file)}
        public = self._all(
            f"SELECT what, file FROM marks JOIN files USING (file) WHERE NOT yours AND what IN ({of_file})",
            file,
        )
        return bool(own) and own <= {what for what, other in public if other not in left_out}

    def records(self, workload: str, wanted: Iterable[str]) -> list[Record]:
        """Return the rows of a workload from the wanted files, in the order of the table."""
        kept = set(wanted)
        rows = self._all("SELECT file, content FROM records WHERE workload = ? ORDER BY file", workload)
        return [
            dict(zip(NAMES, values, strict=True))
            for file, content in rows
            if file in kept
            for values in orjson.loads(content)
        ]

    def shard(self, workload: str, signature: str) -> dict[str, Any] | None:
        """Return what was noted of a workload's rows when they were made from the same files, or None."""
        found = self._all("SELECT facts FROM shards WHERE workload = ? AND signature = ?", workload, signature)
        return json.loads(next(found, ("null",))[0])  # type: ignore[no-any-return]

    def note_shard(self, workload: str, signature: str, facts: Mapping[str, Any]) -> None:
        """Note the facts of a workload's rows for `shard`."""
        with self._connection:
            row = (workload, signature, json.dumps(facts))
            self._connection.execute("INSERT OR REPLACE INTO shards VALUES (?, ?, ?)", row)

    def _unchanged(self, file: str, path: Path, known: tuple[Any, ...] | None) -> bool:
        if known is None:
            return False
        size, modified, seen, sha256, _yours = known
        stamp = _stamp(path)
        if stamp is None or stamp[0] != size:
            return False
        if stamp[1] == modified and modified < seen - RACY:
            return True
        with suppress(OSError):
            if hashlib.sha256(files.content(path)).hexdigest() == sha256:
                row = (stamp[1], time.time_ns(), file)
                self._connection.execute("UPDATE files SET modified = ?, seen = ? WHERE file = ?", row)
                return True
        return False

    def _forget(self, gone: Iterable[str]) -> None:
        named = [(file,) for file in gone]
        for table in ("files", *PARTS):
            self._many(f"DELETE FROM {table} WHERE file = ?", named)

    def _claims(self, shared: str) -> list[Claims]:
        marks: dict[str, list[Mark]] = {}
        for what, code, path, file in self._all(
            f"SELECT what, code, path, file FROM marks WHERE what IN ({shared}) ORDER BY rowid"
        ):
            marks.setdefault(file, []).append(Mark(code, path, what))
        every = self._all("SELECT file, id, supersedes FROM files WHERE NOT yours AND id IS NOT NULL ORDER BY file")
        return [Claims(file, id_, older, tuple(marks.get(file, ()))) for file, id_, older in every]

    def _rates(self, groups: str) -> Iterator[Rate]:
        rows = self._all(
            "SELECT grouped, rates.file, submitter, position, value FROM rates JOIN files USING (file) "
            f"WHERE NOT yours AND grouped IN ({groups}) ORDER BY grouped, rates.file, position"
        )
        return (Rate(*row) for row in rows)

    def _wanted(self, names: Iterable[str]) -> None:
        self._connection.execute("CREATE TEMP TABLE IF NOT EXISTS wanted (name TEXT PRIMARY KEY)")
        self._connection.execute("DELETE FROM wanted")
        self._many("INSERT INTO wanted VALUES (?)", [(name,) for name in names])

    def _all(self, query: str, *values: object) -> Iterator[tuple[Any, ...]]:
        return self._connection.execute(query, values)

    def _many(self, statement: str, rows: Iterable[tuple[Any, ...]]) -> None:
        self._connection.executemany(statement, rows)


@contextmanager
def opened(path: Path | None, data: Path) -> Iterator[Index]:
    """Open the index file at `path`, or one in memory; what an other vocabulary in `data` or other code left is dropped."""
    with closing(_connected(path, fingerprint(data))) as connection:
        yield Index(connection)


def fingerprint(data: Path) -> str:
    """Return a hash of what digests follow from beside the submissions: our code and the vocabulary."""
    here = Path(__file__).parent
    sources = [
        *here.rglob("*.py"),
        *data.joinpath("vocabulary").rglob("*.toml"),
        *data.joinpath("workloads").glob("*.toml"),
    ]
    found = hashlib.sha256(sys.version.encode())
    for path in sorted(sources):
        found.update(f"{path.name}\0".encode("utf-8", "surrogateescape"))
        found.update(hashlib.sha256(path.read_bytes()).digest())
    return found.hexdigest()


def _connected(path: Path | None, version: str) -> sqlite3.Connection:
    for place in (path, path, None) if path else (None,):
        try:
            return _prepared(place, version)
        except (sqlite3.Error, OSError):  # damaged, or nowhere to write: begin anew, and at last in memory
            if place is not None:
                with suppress(OSError):
                    place.unlink(missing_ok=True)
    raise AssertionError("memory can always be written")


def _prepared(path: Path | None, version: str) -> sqlite3.Connection:
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path or ":memory:", timeout=600, isolation_level=None)
    try:
        # A lost index is only read anew: nothing waits for the disk.
        connection.execute("PRAGMA synchronous = OFF")
        with connection:
            connection.execute("BEGIN IMMEDIATE")
            if _version(connection) != version:
                for table in ("version", "files", "shards", *PARTS):
                    connection.execute(f"DROP TABLE IF EXISTS {table}")
                for statement in TABLES.split(";"):
                    connection.execute(statement)
                connection.execute("INSERT INTO version VALUES (?)", (version,))
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _version(connection: sqlite3.Connection) -> str | None:
    with suppress(sqlite3.OperationalError):  # an empty file, or another program's
        found: tuple[str] | None = connection.execute("SELECT name FROM version").fetchone()
        return found and found[0]
    return None


def _digest(job: Job, vocabulary: Vocabulary) -> _Digested:
    size, modified = _stamp(job.path) or (0, 0)
    seen = time.time_ns()
    try:
        content = files.content(job.path)
        sha256, reading = hashlib.sha256(content).hexdigest(), read(content, job.file)
    except OSError as error:
        sha256, reading = "", files.unreadable(error, job.file)
    made = digest(reading, job.file, vocabulary, yours=job.yours)
    by_workload: dict[str, list[list[Any]]] = {}
    for record in made.records:
        by_workload.setdefault(record["workload"], []).append([record[name] for name in NAMES])
    header, claims = made.header, made.claims
    facts = (size, modified, seen, sha256, header.id, header.supersedes, orjson.dumps(asdict(header)))
    return _Digested(
        file=(job.file, job.yours, *facts),
        marks=[(mark.what, mark.code, mark.path, job.file) for mark in (claims.marks if claims else ())],
        rates=[(rate.group, rate.file, rate.submitter, rate.position, rate.value) for rate in made.rates],
        records=[(workload, job.file, orjson.dumps(rows)) for workload, rows in by_workload.items()],
    )


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_size, found.st_mtime_ns


def _header(text: bytes) -> Header:
    plain = orjson.loads(text)
    problems = tuple(Problem(**{**found, "severity": Severity(found["severity"])}) for found in plain["problems"])
    replaces = tuple(plain["replaces"]) if plain["replaces"] else None
    return Header(**{**plain, "problems": problems, "replaces": replaces, "workloads": tuple(plain["workloads"])})
