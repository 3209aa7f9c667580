"""All file access of the collector: vocabularies, submissions, the published data set."""

from __future__ import annotations

import io
import os
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from collector import vocabulary
from collector.problems import Problem, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import pandas as pd

    from collector.boards import Board
    from collector.derive import Figure
    from collector.normalise import Entry
    from collector.read import Reading
    from collector.schema import Submission

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "data"
BUILD = ROOT / "build"
LOCAL = BUILD / "submissions"


class DataError(Exception):
    """The project's own data can't be used; `problems` says why, file by file."""

    def __init__(self, message: str, problems: tuple[Problem, ...] = ()) -> None:
        super().__init__(message)
        self.problems = problems


@dataclass(frozen=True)
class Dataset:
    """Everything that the site, the report and the published files are made of.

    `problems` are all findings; a file that is `left_out` had an error and is in nothing else. `date` is the newest day
    in the data, or None; `version` names the table's content.
    """

    submissions: tuple[Entry, ...]
    figures: tuple[Figure, ...]
    table: pd.DataFrame
    boards: tuple[Board, ...]
    problems: tuple[Problem, ...]
    left_out: tuple[str, ...]
    vocabulary: vocabulary.Vocabulary
    date: str | None
    version: str


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


def load(data: Path = DATA, local: Path = LOCAL, *, keep_going: bool = False) -> Dataset:
    """Read, check and derive everything under `data/submissions` and `local` (this machine's own results).

    An error in `data` raises DataError, unless `keep_going` leaves the file out; a local file with one is always left out.
    """
    words = load_vocabulary(data)
    public, own = _files(data / "submissions"), _files(local)
    entries, problems = _read(public, own, words)
    errors = [problem for problem in problems if problem.severity is Severity.ERROR]
    faulty = {problem.file for problem in errors}
    stops = tuple(problem for problem in errors if problem.file in public)
    if stops and not keep_going:
        raise DataError(f"{stops[0].file} has errors; correct it, or leave it out with --keep-going.", stops)
    sound = [entry for entry in entries if entry.file not in faulty]
    return _dataset([*_once(sound)], problems, sorted(faulty), words)


def _once(entries: Sequence[Entry]) -> Iterator[Entry]:
    """Yield the entries, public ones first, less those that repeat one: the same content, or own runs that are public."""
    ids: set[str] = set()
    public = {log for entry in entries if not entry.yours for log in _logs(entry)}
    for entry in entries:
        logs = _logs(entry)
        if entry.id not in ids and not (entry.yours and logs and logs <= public):
            yield entry
        ids.add(entry.id)


def _logs(entry: Entry) -> set[str]:
    return {run.log_sha256 for result in entry.submission.results for run in result.runs if run.log_sha256}


def _dataset(
    entries: Sequence[Entry], problems: Sequence[Problem], left_out: Sequence[str], words: vocabulary.Vocabulary
) -> Dataset:
    from collector.boards import boards
    from collector.derive import derive
    from collector.normalise import normalise
    from collector.serialise import version
    from collector.tabulate import tabulate

    figures = derive([cell for entry in entries for cell in normalise(entry, words)], words)
    table = tabulate(figures, words)
    return Dataset(
        submissions=tuple(entries),
        figures=figures,
        table=table,
        boards=boards(figures, words),
        problems=tuple(problems),
        left_out=tuple(left_out),
        vocabulary=words,
        date=max((figure.date for figure in figures if figure.date), default=None),
        version=version(table),
    )


def _files(folder: Path) -> dict[str, Path]:
    """Return the submission files below a folder by the path that is shown, which is the same on every machine."""
    whole = folder.resolve()
    base = ROOT if whole.is_relative_to(ROOT) else whole.parent.parent
    found = {_text(path.relative_to(base)): path for path in submission_files(whole)}
    return dict(sorted(found.items()))


def submission_files(folder: Path) -> list[Path]:
    """Return every .json file below a folder by name; links to nothing are among them, so that none is lost silently."""
    found = [path for path in folder.rglob("*.json") if not path.is_dir()]
    return sorted(found, key=lambda path: path.relative_to(folder).parts)


def _text(path: Path) -> str:
    """Return a path as UTF-8 has it, whatever the locale makes of its bytes."""
    return os.fsencode(path.as_posix()).decode("utf-8", "backslashreplace")


def _read(
    public: Mapping[str, Path], own: Mapping[str, Path], words: vocabulary.Vocabulary
) -> tuple[list[Entry], list[Problem]]:
    """Read and check all files, the public ones against each other too: an own one may well repeat a measurement."""
    from collector.check import judge
    from collector.neighbours import unusual
    from collector.normalise import Entry
    from collector.repeats import across
    from collector.schema import identity

    readings = {file: reading(path, file) for file, path in [*public.items(), *own.items()]}
    readable = {file: reading.submission for file, reading in readings.items() if reading.submission}
    problems = {file: list(judge(reading, file, words)) for file, reading in readings.items()}
    offered = {file: readable[file] for file in readable if file in public}
    for problem in (*across(offered, words), *unusual(offered, words)):
        problems[problem.file].append(problem)
    entries = [
        Entry(file, identity(submission), file in own, submission, tuple(problems[file]))
        for file, submission in readable.items()
    ]
    return entries, [problem for found in problems.values() for problem in found]


def reading(path: Path, file: str) -> Reading:
    """Read a submission; `file` is its name in problems. No more is read than shows that a file is too large."""
    from collector.problems import problem
    from collector.read import MAX_BYTES, Reading, read

    try:
        if path.exists() and not path.is_file():
            found = "a pipe or a device"  # reading it might never end
        else:
            with path.open("rb") as stream:
                return read(stream.read(MAX_BYTES + 1), file)
    except OSError as error:
        found = (error.strerror or type(error).__name__).lower()
    return Reading(None, (problem("unreadable-file", file, "$", found, "a readable file"),))


def write_submission(path: Path, submission: Submission) -> None:
    """Write a submission's file, replacing it in one step."""
    from collector.serialise import submission_json

    _write(path, submission_json(submission).encode())


def write_dataset(dataset: Dataset, folder: Path) -> tuple[Path, ...]:
    """Write the published forms of the table and return their paths."""
    import pyarrow as pa
    from pyarrow import parquet

    from collector import serialise

    texts = {
        "results.csv": serialise.table_csv(dataset.table),
        "results.json": serialise.table_json(dataset.table),
        "columns.json": serialise.columns_json(dataset.table),
        "index.json": serialise.index_json(dataset.table),
        **serialise.workload_files(dataset.table),
    }
    for name, text in texts.items():
        _write(folder / name, text.encode())
    # pandas' own metadata names its version; without it the bytes depend on the data and pyarrow alone.
    table = pa.Table.from_pandas(dataset.table, preserve_index=False).replace_schema_metadata(None)
    sink = io.BytesIO()
    parquet.write_table(table, sink)
    _write(folder / "results.parquet", sink.getvalue())
    return tuple(folder / name for name in (*texts, "results.parquet"))


def _write(path: Path, content: bytes) -> None:
    """Write a temporary neighbour, then rename it: a reader never sees half a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        temporary.write_bytes(content)
        temporary.replace(path)
    except OSError:  # a full disk still lets go of what didn't fit
        temporary.unlink(missing_ok=True)
        raise
