"""The SQLite file of the index: its tables, and a connection whatever state the file is in."""

from __future__ import annotations

import hashlib
import sqlite3
import sys
from contextlib import suppress
from pathlib import Path

TABLES = """
CREATE TABLE version (name TEXT);
CREATE TABLE files (number INTEGER PRIMARY KEY, file TEXT UNIQUE, yours INTEGER, size INTEGER, modified INTEGER, seen INTEGER,
    sha256 TEXT, id TEXT, supersedes TEXT, header BLOB, marks BLOB, stated BLOB);
CREATE TABLE seen (kind TEXT, what INTEGER, file INTEGER, PRIMARY KEY (kind, what, file)) WITHOUT ROWID;
CREATE TABLE records (workload TEXT, file INTEGER, content BLOB, PRIMARY KEY (workload, file)) WITHOUT ROWID;
CREATE TABLE shards (workload TEXT PRIMARY KEY, signature TEXT, facts BLOB);
"""
NAMED = ("version", "files", "seen", "records", "shards")


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


def connected(path: Path | None, version: str) -> sqlite3.Connection:
    """Return a connection to the file at `path`, or to memory; what isn't of this `version` is dropped."""
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
                for table in NAMED:
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
