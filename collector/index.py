"""Digests of all submission files in one SQLite file, so that only what changed is read again.

Whatever is in it follows from the submissions, the vocabulary and this code; without the file, or with an unusable one,
everything is read anew.
"""

from __future__ import annotations

import hashlib
import time
import zlib
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import orjson

from collector import database, files, pool
from collector.digest import Header, digest
from collector.neighbours import Value
from collector.pool import Job
from collector.problems import Problem, Severity
from collector.read import read
from collector.repeats import Claims, Mark
from collector.serialise import Shard
from collector.tabulate import COLUMNS

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Iterable, Iterator, Mapping
    from pathlib import Path

    from collector.tabulate import Record
    from collector.vocabulary import Vocabulary

# What is `seen` in a file, by a hash, so that files that have something in common are found quickly.
MARKS, VALUES = "marks", "values"
RACY = 2_000_000_000  # ns: a file that changes so soon after it was read may keep its time stamp
NAMES = tuple(column.name for column in COLUMNS)


@dataclass(frozen=True)
class _Digested:
    """A digest as rows of the tables, but for the number of its file."""

    file: tuple[Any, ...]
    seen: list[tuple[str, int]]
    records: list[tuple[str, bytes]]


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
                self._insert(each)

    def headers(self, *, yours: bool) -> list[Header]:
        """Return what is known of the files, in their order."""
        rows = self._all("SELECT header FROM files WHERE yours = ? ORDER BY file", yours)
        return [_header(content) for (content,) in rows]

    def claims(self) -> list[Claims]:
        """Return what public submissions claim, in the order of their files; marks only of files that share one."""
        return self._claims(f"SELECT what FROM seen WHERE kind = '{MARKS}' GROUP BY what HAVING count(*) > 1")

    def claims_beside(self, others: Iterable[Claims]) -> list[Claims]:
        """Return what public submissions claim; marks only of files that share one with `others`."""
        self._wanted(mark.what for each in others for mark in each.marks)
        return self._claims("SELECT what FROM wanted")

    def values(self) -> Iterator[Value]:
        """Yield the values of public files, in their order."""
        for file, stated in self._all("SELECT file, stated FROM files WHERE NOT yours ORDER BY file"):
            yield from (Value(file=file, **value) for value in _unpacked(stated))

    def values_beside(self, others: Iterable[Value]) -> Iterator[Value]:
        """Yield the values of public files that share a group with `others`."""
        self._wanted(value.group for value in others)
        beside = f"SELECT file FROM seen WHERE kind = '{VALUES}' AND what IN (SELECT what FROM wanted)"
        query = f"SELECT file, stated FROM files WHERE NOT yours AND number IN ({beside}) ORDER BY file"
        for file, stated in self._all(query):
            yield from (Value(file=file, **value) for value in _unpacked(stated))

    def public_logs(self, file: str, left_out: Collection[str]) -> bool:
        """Say whether an own file has logs, and all of them stand in public files that aren't left out."""
        ((marks,),) = self._all("SELECT marks FROM files WHERE file = ?", file)
        own = {mark["what"] for mark in _unpacked(marks) if mark["code"] == "duplicate-log"}
        self._wanted(own)
        public = {
            mark.what
            for claims in self._claims("SELECT what FROM wanted")
            if claims.file not in left_out
            for mark in claims.marks
        }
        return bool(own) and own <= public

    def records(self, workload: str, wanted: Iterable[str]) -> list[Record]:
        """Return the rows of a workload from the wanted files, in the order of the table."""
        kept = set(wanted)
        rows = self._all(
            "SELECT files.file, content FROM records JOIN files ON number = records.file WHERE workload = ? "
            "ORDER BY files.file",
            workload,
        )
        return [
            dict(zip(NAMES, values, strict=True))
            for file, content in rows
            if file in kept
            for values in _unpacked(content)
        ]

    def shard(self, workload: str, signature: str) -> Shard | None:
        """Return what was noted of a workload's rows when they were made from the same files, or None."""
        found = self._all(
            "SELECT facts FROM shards WHERE workload = ? AND signature = ?", workload, signature
        ).fetchone()
        if found is None:
            return None
        facts = _unpacked(found[0])
        return Shard(**{**facts, "metrics": tuple(facts["metrics"]), "frameworks": tuple(facts["frameworks"])})

    def note_shard(self, signature: str, shard: Shard) -> None:
        """Note the facts of a workload's rows for `shard`."""
        with self._connection:
            row = (shard.workload, signature, _packed(asdict(shard)))
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

    def _insert(self, each: _Digested) -> None:
        names = "file, yours, size, modified, seen, sha256, id, supersedes, header, marks, stated"
        marks = ", ".join("?" * len(each.file))
        number = self._connection.execute(f"INSERT INTO files ({names}) VALUES ({marks})", each.file).lastrowid
        self._many("INSERT OR IGNORE INTO seen VALUES (?, ?, ?)", [(*row, number) for row in each.seen])
        rows = [(workload, number, content) for workload, content in each.records]
        self._many("INSERT INTO records VALUES (?, ?, ?)", rows)

    def _forget(self, gone: Iterable[str]) -> None:
        for file in gone:
            ((number, header, marks, stated),) = self._all(
                "SELECT number, header, marks, stated FROM files WHERE file = ?", file
            )
            seen = _seen(_unpacked(marks), _unpacked(stated))
            self._many("DELETE FROM seen WHERE kind = ? AND what = ? AND file = ?", [(*row, number) for row in seen])
            workloads = [(workload, number) for workload in _unpacked(header)["workloads"]]
            self._many("DELETE FROM records WHERE workload = ? AND file = ?", workloads)
            self._many("DELETE FROM files WHERE number = ?", [(number,)])

    def _claims(self, shared: str) -> list[Claims]:
        beside = f"SELECT file FROM seen WHERE kind = '{MARKS}' AND what IN ({shared})"
        with_marks = {file for (file,) in self._all(beside)}
        every = self._all(
            "SELECT number, file, id, supersedes FROM files WHERE NOT yours AND id IS NOT NULL ORDER BY file"
        )
        return [
            Claims(file, id_, older, tuple(self._marks(number)) if number in with_marks else ())
            for number, file, id_, older in every.fetchall()
        ]

    def _marks(self, number: int) -> Iterator[Mark]:
        ((marks,),) = self._all("SELECT marks FROM files WHERE number = ?", number)
        return (Mark(**mark) for mark in _unpacked(marks))

    def _wanted(self, hashes: Iterable[str]) -> None:
        self._connection.execute("CREATE TEMP TABLE IF NOT EXISTS wanted (what INTEGER PRIMARY KEY)")
        self._connection.execute("DELETE FROM wanted")
        self._many("INSERT OR IGNORE INTO wanted VALUES (?)", [(_number(found),) for found in hashes])

    def _all(self, query: str, *values: object) -> sqlite3.Cursor:
        return self._connection.execute(query, values)

    def _many(self, statement: str, rows: Iterable[tuple[Any, ...]]) -> None:
        self._connection.executemany(statement, rows)


@contextmanager
def opened(path: Path | None, data: Path) -> Iterator[Index]:
    """Open the index file at `path`, or one in memory; what an other vocabulary in `data` or other code left is dropped."""
    with closing(database.connected(path, database.fingerprint(data))) as connection:
        yield Index(connection)


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
    header = made.header
    marks = [asdict(mark) for mark in (made.claims.marks if made.claims else ())]
    stated = [{name: part for name, part in asdict(value).items() if name != "file"} for value in made.values]
    facts = (job.yours, size, modified, seen, sha256, header.id, header.supersedes)
    return _Digested(
        file=(job.file, *facts, *map(_packed, (asdict(header), marks, stated))),
        seen=_seen(marks, stated),
        records=[(name, _packed(rows)) for name, rows in by_workload.items()],
    )


def _seen(marks: Iterable[Mapping[str, Any]], stated: Iterable[Mapping[str, Any]]) -> list[tuple[str, int]]:
    return [
        *((MARKS, _number(mark["what"])) for mark in marks),
        *((VALUES, _number(value["group"])) for value in stated),
    ]


def _packed(value: object) -> bytes:
    return zlib.compress(orjson.dumps(value), 1)


def _unpacked(content: bytes) -> Any:  # noqa: ANN401 - any JSON value
    return orjson.loads(zlib.decompress(content))


def _number(found: str) -> int:
    """Return the head of a hash as the whole number of 64 bits that it is kept as."""
    return int.from_bytes(bytes.fromhex(found[:16]), "big", signed=True)


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_size, found.st_mtime_ns


def _header(content: bytes) -> Header:
    plain = _unpacked(content)
    problems = tuple(Problem(**{**found, "severity": Severity(found["severity"])}) for found in plain["problems"])
    return Header(**{**plain, "problems": problems, "workloads": tuple(plain["workloads"])})
