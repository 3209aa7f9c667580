"""The figures of ilkarman/DeepLearningFrameworks: one result a README cell, and one a figure that its notebooks hold.

Only what the place of a figure states becomes a setting: a README cell has no release, a notebook no precision.
Notebooks were run again later than the README, on other machines too, so that the two differ.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from collector import transcribe
from collector.sources import (
    Draft,
    absence,
    anything,
    cited,
    count,
    framework_id,
    framework_of,
    one_of,
    optional,
    positive,
    rows,
    slug,
)
from collector.transcribe import ImporterError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from collector.schema import Submission
    from collector.sources import Row
    from collector.transcribe import Plain
    from collector.vocabulary import Vocabulary

FOLDER = "ilkarman-deeplearningframeworks"
LICENCE = "MIT"
RETRIEVED_ON = date(2026, 11, 30)
SECONDS = {"s": 1, "min": 60}
NOTEBOOKS = ("notebook output", "notebook comment")
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


@dataclass(frozen=True)
class Printed:
    """What a notebook prints: metric, unit, data and mode of its figure."""

    metric: str
    unit: str = "s"
    data: str | None = "real"
    mode: str | None = "training"
    window: str | None = None


PRINTED = {
    "training time": Printed("fixed-epochs-seconds", window="epochs"),
    "training and validation time, 5 epochs (real data)": Printed("fixed-epochs-seconds", window="epochs"),
    "training time, 5 epochs (synthetic data)": Printed("fixed-epochs-seconds", data="synthetic-host", window="epochs"),
    "evaluation time": Printed("evaluation-seconds", mode="inference"),
    "test accuracy": Printed("accuracy", unit="fraction"),
    "test AUC (mean of 14 classes)": Printed("auc", unit="fraction"),
    "time for 1280 images": Printed("seconds-per-1280-images", data=None, mode="inference"),
    "images per second (1280 images)": Printed("throughput", unit="images/s", data=None, mode="inference"),
    "cold start, 1 epoch": Printed("cold-start-seconds"),
    "cold start, 1280 images": Printed("cold-start-seconds", data=None, mode="inference"),
}
WORKLOADS = {
    "cifar10-vgg-style-cnn": "cifar10-cnn",
    "densenet121-chestxray": "densenet121-chestxray",
    "imdb-gru": "gru-imdb",
    "resnet50-feature-extraction": "resnet50-features",
}


def submissions(text: str, vocabulary: Vocabulary) -> dict[str, Submission]:
    """Return a submission a README table, and one a workload of the notebooks, by file stem."""
    settings = ("source", "source_commit", "source_path", "api", "backend", "language", "gpu", "cuda", "cudnn")
    understood = {
        **dict.fromkeys((*settings, "metric", "raw_text", "note", "framework_version"), anything),
        "table": one_of((*TABLES, *NOTEBOOKS)),
        "framework": framework_of(vocabulary),
        "workload": anything,
        "unit": one_of((*SECONDS, "fraction", "images/s")),
        "gpu_count": count,
        "source_line": count,
        "value": optional(positive),
    }
    parts = defaultdict(list)
    notebooks: dict[str, Draft] = {}
    for row in rows(text, understood):
        if row["table"] in TABLES:
            parts[row["table"]].append(row)
            continue
        for column, known in (("metric", PRINTED), ("workload", WORKLOADS)):
            if row[column] not in known:
                raise ImporterError(f"Row {row['row_id']!r}: the column {column!r} holds {row[column]!r}; correct it.")
        workload = WORKLOADS[row["workload"]]
        _add(notebooks.setdefault(f"{workload}-notebooks", Draft(_source(row))), workload, row, vocabulary)
    tables = {TABLES[table].part: _submission(found, TABLES[table], vocabulary) for table, found in parts.items()}
    return tables | {part: draft.submission() for part, draft in notebooks.items()}


def _source(row: Row) -> Plain:
    title, commit = row["source"], row["source_commit"]
    return transcribe.repository(title, commit, LICENCE, RETRIEVED_ON)


def _add(draft: Draft, workload: str, row: Row, vocabulary: Vocabulary) -> None:
    """Add a figure of a notebook."""
    printed, devices = PRINTED[row["metric"]], int(row["gpu_count"])
    device = row["gpu"] or None
    place = "printed by the notebook" if row["table"] == "notebook output" else "written in a comment of the notebook"
    draft.add(
        workload,
        transcribe.machine(f"{device} machine" if device else "machine not stated", device, "gpu"),
        _stack(row, vocabulary) | {"framework_version": row["framework_version"] or None},
        variant=f"{row['backend']} back end" if row["backend"] else None,
        mode=printed.mode,
        data={"kind": printed.data, "loader": None, "workers": None, "cache": None},
        scale=transcribe.scale(1 if devices == 1 else None, devices),
        window=printed.window,
        outcome="ok" if row["value"] else "not_run",
        reason=None if row["value"] else absence(row["raw_text"]),
        reported=[
            transcribe.reported(
                printed.metric, printed.unit, row["raw_text"], float(row["value"]) if row["value"] else None, place
            )
        ],
        notes=[
            cited("deeplearningframeworks", row["row_id"]),
            place,
            row["metric"],
            *filter(None, row["note"].split("; ")),
        ],
        locator=transcribe.locator(row["source_path"], row["source_line"]),
    )


def _submission(cells: Sequence[Row], table: Table, vocabulary: Vocabulary) -> Submission:
    return transcribe.submission(
        _source(cells[0]),
        {slug(cell["gpu"]): transcribe.machine(f"{cell['gpu']} machine", cell["gpu"], "gpu") for cell in cells},
        {_stack_id(cell): _stack(cell, vocabulary) for cell in cells},
        [_result(cell, table) for cell in cells],
    )


def _stack(cell: Row, vocabulary: Vocabulary) -> Plain:
    return transcribe.stack(
        framework_id(vocabulary, cell["framework"]),
        api=_api(cell),
        language=slug(cell["language"]),
        cuda=cell["cuda"] or None,
        cudnn=cell["cudnn"] or None,
    )


def _result(cell: Row, table: Table) -> Plain:
    devices, stated = int(cell["gpu_count"]), cell["value"] != ""
    seconds = float(cell["value"]) * SECONDS[cell["unit"]] if stated else None
    reported = transcribe.reported(table.metric, "s", cell["raw_text"], seconds)
    return transcribe.result(
        table.workload,
        slug(cell["gpu"]),
        _stack_id(cell),
        variant=f"{cell['backend']} back end" if cell["backend"] else None,
        mode=table.mode,
        precision=table.precision,
        data={"kind": table.data, "loader": None, "workers": None, "cache": None},
        # One device is on one node; for four of them the README doesn't say.
        scale=transcribe.scale(1 if devices == 1 else None, devices),
        window=table.window,
        outcome="ok" if stated else "not_run",
        reason=None if stated else absence(cell["raw_text"]),
        reported=[reported],
        notes=_notes(cell, table),
        locator=transcribe.locator(cell["source_path"], cell["source_line"]),
    )


def _notes(cell: Row, table: Table) -> list[str]:
    notes = [cited("deeplearningframeworks", cell["row_id"]), *cell["note"].split("; ")]
    notes.append(f"timed: {table.timed}")
    if cell["unit"] == "min":
        notes.append("printed in whole minutes; the value is converted to seconds")
    return notes + [remark for row, remark in REMARKS.items() if row == cell["row_id"]]


def _api(cell: Row) -> str | None:
    """Return the interface; the source repeats a framework's own name where there is only one."""
    return cell["api"] if cell["api"] and cell["api"] != cell["framework"] else None


def _stack_id(cell: Row) -> str:
    names = (cell["framework"], _api(cell), cell["language"])
    return "-".join(slug(name) for name in names if name)
