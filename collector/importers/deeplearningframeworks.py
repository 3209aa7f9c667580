"""The tables in the README of ilkarman/DeepLearningFrameworks: one result a cell, cells without a figure included.

Only what the README states becomes a setting; batch sizes and framework releases, say, stand in its notebooks only.
"""

from __future__ import annotations

import csv
import io
import math
from collections import defaultdict
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from collector import transcribe
from collector.transcribe import ImporterError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from collector.schema import Submission
    from collector.transcribe import Plain
    from collector.vocabulary import Vocabulary

    Cell = dict[str, str]

FOLDER = "ilkarman-deeplearningframeworks"
LICENCE = "MIT"
RETRIEVED_ON = date(2026, 11, 30)
SECONDS = {"s": 1, "min": 60}
COLUMNS = (
    *("row_id", "source", "source_commit", "source_path", "source_line", "table", "framework", "api", "backend"),
    *("language", "gpu", "gpu_count", "cuda", "cudnn", "unit", "value", "raw_text", "note"),
)
REMARKS = {
    "dlf-0070": "The notebook prints 7.432 s for 1,280 images, so this is the time of 1,280 images rather than of 1,000."
}


@dataclass(frozen=True)
class Table:
    """What the README says of a table as a whole; `timed` in our words."""

    part: str
    workload: str
    timed: str
    data: str | None = "real"
    precision: str | None = None
    mode: str = "training"
    metric: str = "fixed-epochs-seconds"
    window: str | None = "epochs"


TABLES = {
    "README table 1": Table("cifar10-cnn", "cifar10-cnn", "10 epochs of training", precision="fp32"),
    "README table 2a": Table(
        "densenet121-chestxray-real", "densenet121-chestxray", "5 epochs of training and validation"
    ),
    "README table 2b": Table(
        "densenet121-chestxray-synthetic", "densenet121-chestxray", "5 epochs of training", data="synthetic-host"
    ),
    "README table 3": Table(
        *("resnet50-features", "resnet50-features", "feature extraction, as seconds for 1,000 images"),
        data=None,
        mode="inference",
        metric="seconds-per-1000-images",
        window=None,
    ),
    "README table 4": Table("gru-imdb", "gru-imdb", "3 epochs of training"),
}


def submissions(text: str, vocabulary: Vocabulary) -> dict[str, Submission]:
    """Return the submission of each README table by file stem."""
    parts = defaultdict(list)
    for cell in _cells(text, vocabulary):
        parts[cell["table"]].append(cell)
    return {TABLES[table].part: _submission(cells, TABLES[table], vocabulary) for table, cells in parts.items()}


def _cells(text: str, vocabulary: Vocabulary) -> Iterable[Cell]:
    reader = csv.DictReader(io.StringIO(text, newline=""))
    absent = [column for column in COLUMNS if column not in (reader.fieldnames or ())]
    if absent:
        raise ImporterError(f"The header lacks the column {absent[0]!r}; take the file kept in data/sources.")
    for cell in reader:
        if None in cell or None in cell.values():
            raise ImporterError(f"Row {cell['row_id']!r} has too few or too many fields; correct it.")
        _refuse_odd(cell, vocabulary)
        yield cell


def _refuse_odd(cell: Cell, vocabulary: Vocabulary) -> None:
    understood = {
        "table": cell["table"] in TABLES,
        "framework": vocabulary.canonical_framework(cell["framework"]) is not None,
        "unit": cell["unit"] in SECONDS,
        "gpu_count": cell["gpu_count"].isdecimal(),
        "source_line": cell["source_line"].isdecimal(),
        "value": cell["value"] == "" or _is_duration(cell["value"]),
    }
    for column, fine in understood.items():
        if not fine:
            raise ImporterError(f"Row {cell['row_id']!r}: the column {column!r} holds {cell[column]!r}; correct it.")


def _is_duration(text: str) -> bool:
    try:
        return 0 < float(text) < math.inf
    except ValueError:
        return False


def _submission(cells: Sequence[Cell], table: Table, vocabulary: Vocabulary) -> Submission:
    title, commit = cells[0]["source"], cells[0]["source_commit"]
    return transcribe.submission(
        transcribe.source(title, f"https://github.com/{title}", commit, LICENCE, RETRIEVED_ON),
        {_slug(cell["gpu"]): transcribe.machine(f"{cell['gpu']} machine", cell["gpu"], "gpu") for cell in cells},
        {_stack_id(cell): _stack(cell, vocabulary) for cell in cells},
        [_result(cell, table) for cell in cells],
    )


def _stack(cell: Cell, vocabulary: Vocabulary) -> Plain:
    return transcribe.stack(
        vocabulary.canonical_framework(cell["framework"]) or cell["framework"],
        api=_api(cell),
        language=_slug(cell["language"]),
        cuda=cell["cuda"] or None,
        cudnn=cell["cudnn"] or None,
    )


def _result(cell: Cell, table: Table) -> Plain:
    devices, stated = int(cell["gpu_count"]), cell["value"] != ""
    seconds = float(cell["value"]) * SECONDS[cell["unit"]] if stated else None
    reported = {
        "metric": table.metric,
        "statistic": "table cell",
        "run_index": None,
        "value": seconds,
        "unit": "s",
        "raw_text": cell["raw_text"],
    }
    return transcribe.result(
        table.workload,
        _slug(cell["gpu"]),
        _stack_id(cell),
        variant=f"{cell['backend']} back end" if cell["backend"] else None,
        mode=table.mode,
        precision=table.precision,
        data={"kind": table.data, "loader": None, "workers": None, "cache": None},
        # One device is on one node; for four of them the README doesn't say.
        scale={"nodes": 1 if devices == 1 else None, "devices": devices, "launcher": None},
        window=table.window,
        outcome="ok" if stated else "not_run",
        reason=None if stated else _absence(cell["raw_text"]),
        reported=[reported],
        notes=_notes(cell, table),
        locator={"path": cell["source_path"], "line": int(cell["source_line"])},
    )


def _absence(raw_text: str) -> str:
    return f"The source prints “{raw_text}” instead of a figure." if raw_text else "The source has an empty cell."


def _notes(cell: Cell, table: Table) -> list[str]:
    notes = [f"row {cell['row_id']} of data/sources/deeplearningframeworks.csv", *cell["note"].split("; ")]
    notes.append(f"timed: {table.timed}")
    if cell["unit"] == "min":
        notes.append("printed in whole minutes; the value is converted to seconds")
    return notes + [remark for row, remark in REMARKS.items() if row == cell["row_id"]]


def _api(cell: Cell) -> str | None:
    """Return the interface; the source repeats a framework's own name where there is only one."""
    return cell["api"] if cell["api"] and cell["api"] != cell["framework"] else None


def _stack_id(cell: Cell) -> str:
    names = (cell["framework"], _api(cell), cell["language"])
    return "-".join(_slug(name) for name in names if name)


def _slug(name: str) -> str:
    return name.casefold().replace(" ", "-")
