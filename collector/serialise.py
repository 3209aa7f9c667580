"""Text forms: submissions as JSON; the table as CSV and JSON, and CSV back. Pure; the same bytes everywhere.

Numbers in CSV have their shortest exact form; `read_csv` undoes what `CSV_RULE` says.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
from dataclasses import asdict, dataclass
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import orjson

from collector.canonical import document
from collector.tabulate import COLUMNS, Column, frame

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    import pandas as pd

    from collector.schema import Submission
    from collector.tabulate import Record

CSV_RULE = (
    "A missing value is empty. A text that is empty or begins with one of = + - @ ' tab or carriage return has an "
    "apostrophe in front, so that no spreadsheet takes it for a formula; take it off to get the text."
)
LICENCE = "CC-BY-4.0"  # of the data
GUARDED = ("=", "+", "-", "@", "'", "\t", "\r")


@dataclass(frozen=True)
class Shard:
    """The rows of one workload in a file of their own, as the index names it."""

    workload: str
    file: str
    sha256: str
    results: int
    measured: int
    metrics: tuple[str, ...]
    frameworks: tuple[str, ...]
    newest: str | None


def submission_json(submission: Submission) -> str:
    """Return a submission as the text of its file: keys in schema order, a line a value, number lists on one line."""
    return _pretty(document(submission), 0) + "\n"


def _pretty(value: object, depth: int) -> str:
    if isinstance(value, dict) and value:
        items = [f"{_json(key)}: {_pretty(item, depth + 1)}" for key, item in value.items()]
        return _block("{}", items, depth)
    if isinstance(value, list) and any(isinstance(item, dict | list | str) for item in value):
        return _block("[]", [_pretty(item, depth + 1) for item in value], depth)
    return _json(value)


def _block(brackets: str, items: list[str], depth: int) -> str:
    inner = "\n" + " " * (depth + 1)
    return brackets[0] + inner + ("," + inner).join(items) + "\n" + " " * depth + brackets[1]


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def table_csv(table: pd.DataFrame) -> Iterator[bytes]:
    """Yield the table as lines of CSV, the header first; `CSV_RULE` tells how to read it."""
    yield (",".join(map(_quoted, table.columns)) + "\n").encode()
    columns = [_fields(plain(table[name])) for name in table.columns]
    yield from ((",".join(fields) + "\n").encode() for fields in zip(*columns, strict=True))


def read_csv(text: str) -> pd.DataFrame:
    """Return the table that `table_csv` wrote, dtypes included."""
    header, *lines = csv.reader(io.StringIO(text, newline=""), strict=True)
    columns = {column.name: column for column in COLUMNS}
    return frame(
        {name: _value(field, columns[name]) for name, field in zip(header, line, strict=True)} for line in lines
    )


def table_json(table: pd.DataFrame, version: str) -> Iterator[bytes]:
    """Yield the table as JSON: the data version, then a record a line, missing values null."""
    yield f'{{"version": {_json(version)}, "results": ['.encode()
    for number, record in enumerate(records(table)):
        yield (b",\n" if number else b"\n") + orjson.dumps(record)
    yield b"\n]}\n"


def columns_json(version: str) -> str:
    """Return what each column means, with the data version and the licence of the data."""
    columns = [
        {"name": column.name, "type": column.dtype, "unit": column.unit, "meaning": column.meaning}
        for column in COLUMNS
    ]
    facts = {"version": version, "licence": LICENCE, "csv": CSV_RULE, "columns": columns}
    return _pretty(facts, 0) + "\n"


def index_json(shards: Sequence[Shard], date: str | None) -> str:
    """Return a small directory of the data: by workload its number of results, its metrics and the file of its rows."""
    workloads = {shard.workload: asdict(shard) for shard in shards}
    for facts in workloads.values():
        del facts["workload"]
    total = sum(shard.results for shard in shards)
    facts = {"version": version(shards), "date": date, "licence": LICENCE, "results": total}
    return _pretty({**facts, "workloads": workloads}, 0) + "\n"


def shard(workload: str, records: Sequence[Record]) -> tuple[Shard, bytes]:
    """Return the rows of a workload as the content of their file, and what the index says of it.

    The file names the columns that any row fills, then has a list of values a row.
    """
    rows = [list(record.values()) for record in records]  # of every column, in their order
    filled = [
        place for place, values in enumerate(zip(*rows, strict=True)) if any(value is not None for value in values)
    ]
    kept = itemgetter(*filled)
    lines = b",\n".join(orjson.dumps(kept(row)) for row in rows)
    head = orjson.dumps({"workload": workload, "columns": [COLUMNS[place].name for place in filled]})
    content = head[:-1] + b',"rows":[\n' + lines + b"\n]}\n"
    facts = Shard(
        workload=workload,
        file=f"workloads/{workload}.json",
        sha256=hashlib.sha256(content).hexdigest(),
        results=len(records),
        measured=sum(record["origin"] == "measured" for record in records),
        metrics=tuple(sorted({record["metric"] for record in records})),
        frameworks=tuple(sorted({record["framework"] for record in records})),
        newest=max((record["date"] for record in records if record["date"]), default=None),
    )
    return facts, content


def records(table: pd.DataFrame) -> Iterator[Record]:
    """Yield the rows of the table as plain values, None for missing."""
    columns = list(table.columns)
    return (dict(zip(columns, values, strict=True)) for values in _rows(table))


def version(shards: Sequence[Shard]) -> str:
    """Return the data version: SHA-256 of what `sha256sum workloads/*.json` prints, 64 hex digits; people see the first 12."""
    listing = "".join(f"{shard.sha256}  {shard.file}\n" for shard in sorted(shards, key=lambda shard: shard.file))
    return hashlib.sha256(listing.encode()).hexdigest()


def _rows(table: pd.DataFrame) -> list[tuple[Any, ...]]:
    """Return the rows as plain Python values, None for missing."""
    return list(zip(*(plain(table[name]) for name in table.columns), strict=True))


def plain(column: pd.Series) -> list[Any]:
    """Return a column as plain Python values, None for missing."""
    values: list[Any] = column.astype(object).where(column.notna(), None).tolist()
    return values


def _fields(values: Sequence[object]) -> list[str]:
    """Return the values of a column as fields; the same text stands in many rows, and is written out once."""
    texts = {value: _quoted(_field(value)) for value in set(values) if value is None or isinstance(value, str)}
    return [texts[value] if value is None or isinstance(value, str) else _field(value) for value in values]


def _field(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f"'{value}" if value.startswith(GUARDED) or not value else value
    return repr(value)


def _quoted(field: str) -> str:
    """Quote a field that needs it; Python's writer leaves a lone carriage return bare, which its reader ends a line at."""
    return '"' + field.replace('"', '""') + '"' if re.search('[",\r\n]', field) else field


def _value(field: str, column: Column) -> Any:  # noqa: ANN401 - a cell holds what its column declares
    if field == "":
        return None
    return PARSERS[column.dtype](field)


def _text(field: str) -> str:
    return field.removeprefix("'")


def _boolean(field: str) -> bool:
    return {"true": True, "false": False}[field]


PARSERS: Mapping[str, Callable[[str], Any]] = {"string": _text, "Int64": int, "Float64": float, "boolean": _boolean}
