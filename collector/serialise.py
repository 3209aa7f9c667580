"""Text forms: submissions as JSON; the table as CSV and JSON, and CSV back. Pure; the same bytes everywhere.

Numbers in CSV have their shortest exact form; `read_csv` undoes what `CSV_RULE` says.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
from typing import TYPE_CHECKING, Any

from collector.schema import document
from collector.tabulate import COLUMNS, Column, frame

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import pandas as pd

    from collector.schema import Submission

CSV_RULE = (
    "A missing value is empty. A text that is empty or begins with one of = + - @ ' tab or carriage return has an "
    "apostrophe in front, so that no spreadsheet takes it for a formula; take it off to get the text."
)
LICENCE = "CC-BY-4.0"  # of the data
GUARDED = ("=", "+", "-", "@", "'", "\t", "\r")


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


def table_csv(table: pd.DataFrame) -> str:
    """Return the table as CSV with a header line; `CSV_RULE` tells how to read it."""
    lines = [list(table.columns), *([_field(value) for value in values] for values in _rows(table))]
    return "".join(",".join(map(_quoted, line)) + "\n" for line in lines)


def read_csv(text: str) -> pd.DataFrame:
    """Return the table that `table_csv` wrote, dtypes included."""
    header, *lines = csv.reader(io.StringIO(text, newline=""), strict=True)
    columns = {column.name: column for column in COLUMNS}
    return frame(
        {name: _value(field, columns[name]) for name, field in zip(header, line, strict=True)} for line in lines
    )


def table_json(table: pd.DataFrame) -> str:
    """Return the table as JSON: the data version, then a record a line, missing values null."""
    records = [_json(dict(zip(table.columns, values, strict=True))) for values in _rows(table)]
    return f'{{"version": {_json(version(table))}, "results": [\n' + ",\n".join(records) + "\n]}\n"


def columns_json(table: pd.DataFrame) -> str:
    """Return what each column means, with the data version and the licence of the data."""
    columns = [
        {"name": column.name, "type": column.dtype, "unit": column.unit, "meaning": column.meaning}
        for column in COLUMNS
    ]
    facts = {"version": version(table), "licence": LICENCE, "csv": CSV_RULE, "columns": columns}
    return _pretty(facts, 0) + "\n"


def index_json(table: pd.DataFrame) -> str:
    """Return a small directory of the data: by workload its number of results, its metrics and the file of its rows."""
    workloads = {
        str(name): {
            "file": workload_file(str(name)),
            "results": len(rows),
            "measured": int((rows["origin"] == "measured").sum()),
            "metrics": sorted(set(rows["metric"])),
            "frameworks": sorted(set(rows["framework"])),
        }
        for name, rows in table.groupby("workload", sort=True)
    }
    dates = table["date"].dropna()
    newest = max(dates) if len(dates) else None
    facts = {"version": version(table), "date": newest, "licence": LICENCE, "results": len(table)}
    return _pretty({**facts, "workloads": workloads}, 0) + "\n"


def workload_files(table: pd.DataFrame) -> dict[str, str]:
    """Return the rows of each workload by file: names of the columns that any row fills, then a list of values a row."""
    found, whole = {}, version(table)
    for name, rows in table.groupby("workload", sort=True):
        filled = [column for column in rows.columns if rows[column].notna().any()]
        lines = ",\n".join(_json(values) for values in _rows(rows[filled]))
        head = f'{{"version": {_json(whole)}, "workload": {_json(name)}, "columns": {_json(filled)}'
        found[workload_file(str(name))] = f'{head}, "rows": [\n{lines}\n]}}\n'
    return found


def workload_file(workload: str) -> str:
    """Return the path of a workload's rows below the folder of the data."""
    return f"workloads/{workload}.json"


def version(table: pd.DataFrame) -> str:
    """Return the data version: SHA-256 of the table's CSV, 64 hex digits; people are shown the first 12."""
    return hashlib.sha256(table_csv(table).encode()).hexdigest()


def _rows(table: pd.DataFrame) -> list[tuple[Any, ...]]:
    """Return the rows as plain Python values, None for missing."""
    return list(zip(*(_plain(table[name]) for name in table.columns), strict=True))


def _plain(column: pd.Series) -> list[Any]:
    return [value if stated else None for value, stated in zip(column.tolist(), column.notna(), strict=True)]


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
