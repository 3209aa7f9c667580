"""The throughputs of PaddlePaddle/Perf at six commits: tables, summary lines of logs, and rates computed from logs."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from collector import transcribe
from collector.sources import (
    Cell,
    Draft,
    absence,
    anything,
    cells,
    cited,
    count,
    finished,
    framework_id,
    framework_of,
    one_of,
    optional,
    positive,
    rows,
    whole,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from collector.schema import Submission
    from collector.sources import Row
    from collector.transcribe import Plain
    from collector.vocabulary import Vocabulary

FOLDER = "paddlepaddle-perf"
TITLE = "PaddlePaddle/Perf"
RETRIEVED_ON = date(2026, 11, 30)
NEWEST = "2023-08-08"
WORKLOADS = {
    "BERT-Base pretrain": "bert-base",
    "ResNet50 v1.5": "resnet50",
    "Transformer-big": "transformer-big",
    "DeepLabV3+": "deeplabv3plus",
    "FCN HRNet-W18": "fcn-hrnet-w18",
}
PRECISIONS = {"fp32": "fp32", "amp": "amp-fp16", "fp16": "fp16"}
METRICS = {
    "sentences/s": "throughput",
    "images/s": "throughput",
    "samples/s": "throughput",
    "tokens/s": "tokens-per-second",
}
STATISTICS = {
    "published_cell": "table cell",
    "log_summary_line": "summary line of the log",
    "computed_median_of_printed_rates": "median of the printed rates",
    "computed_mean_of_printed_rates": "mean of the printed rates",
}
SETTINGS = (
    "framework",
    "framework_variant",
    "workload",
    "dtype",
    "gpu",
    "num_nodes",
    "gpus_per_node",
    "gradient_accumulation",
    "unit",
)
DISPUTED = ("framework_version_stated", "cuda_stated", "batch_size_per_device")
CARRIED = "the documents name the version; this figure of 32 devices was carried over from an older one"


def submissions(text: str, vocabulary: Vocabulary) -> dict[str, Submission]:
    """Return a submission a network and commit, and one a network of what was computed from logs, by file stem."""
    understood = {
        **dict.fromkeys(("framework_variant", "framework_version_stated", "cuda_stated", "gpu", "points"), anything),
        **dict.fromkeys(("source_path", "source_line", "source_commit", "source_date", "raw_text", "note"), anything),
        **dict.fromkeys(("num_nodes", "gpus_per_node", "num_gpus", "batch_size_per_device"), count),
        "framework": framework_of(vocabulary),
        "workload": one_of(WORKLOADS),
        "dtype": one_of(PRECISIONS),
        "gradient_accumulation": optional(one_of(("yes", "no"))),
        "statistic": one_of(STATISTICS),
        "throughput": optional(positive),
        "unit": one_of(METRICS),
        "status": one_of(("ok", "missing")),
        "source_repo": one_of((TITLE,)),
    }
    drafts: dict[str, Draft] = {}
    for cell in _cells(rows(text, understood)):
        first = cell.rows[0]
        workload, computed = WORKLOADS[first["workload"]], _computed(first)
        older = f"-{first['source_date']}" if first["source_date"] != NEWEST else ""
        part = f"{workload}-computed" if computed else f"{workload}{older}"
        source = transcribe.repository(TITLE, first["source_commit"], "Apache-2.0", RETRIEVED_ON)
        draft = drafts.setdefault(part, Draft(source, "computed" if computed else "published"))
        _add(draft, workload, cell, vocabulary)
    return finished(drafts)


def _cells(found: Sequence[Row]) -> list[Cell]:
    """Put rows together: a table's cell with its copies, and the median with the mean of one log."""
    tables = [row for row in found if row["statistic"] == "published_cell"]
    logs: dict[tuple[str, bool], Cell] = {}
    for row in found:
        if row["statistic"] != "published_cell":
            logs.setdefault((row["source_path"], _computed(row)), Cell([])).rows.append(row)
    return [*cells(tables, SETTINGS, lambda _one, _other: True, _document), *logs.values()]


def _computed(row: Row) -> bool:
    return row["statistic"].startswith("computed")


def _document(row: Row) -> tuple[str, str]:
    return row["source_commit"], row["source_path"]


def _add(draft: Draft, workload: str, cell: Cell, vocabulary: Vocabulary) -> None:
    first, stated, devices = cell.rows[0], cell.rows[0]["throughput"] != "", whole(cell["num_gpus"])
    container, version = _software(cell["framework_version_stated"])
    accumulates = cell["gradient_accumulation"] == "yes"
    batch = transcribe.batch(whole(cell["batch_size_per_device"]), devices)
    draft.add(
        workload,
        transcribe.machine(
            " ".join(filter(None, (f"{cell['gpu']} machine", container and f"with {container}"))),
            cell["gpu"],
            "gpu",
            per_node=whole(cell["gpus_per_node"]),
            container=container,
        ),
        transcribe.stack(
            framework_id(vocabulary, cell["framework"]),
            framework_version=version,
            language="python",
            cuda=cell["cuda_stated"] or None,
        ),
        variant=cell["framework_variant"] or None,
        mode="training",
        precision=PRECISIONS[cell["dtype"]],
        batch=batch | {"global": None} if accumulates else batch,
        scale=transcribe.scale(whole(cell["num_nodes"]), devices),
        options={"gradient_accumulation": accumulates} if cell["gradient_accumulation"] else {},
        outcome="ok" if stated else "not_run",
        reason=None if stated else absence(first["raw_text"]),
        reported=_reported(cell),
        notes=_notes(cell),
        locator=transcribe.locator(first["source_path"], first["source_line"]),
    )


def _software(stated: str) -> tuple[str | None, str | None]:
    """Return what the source calls a version as (container, version): the tag of an image is no release."""
    return (stated, None) if "/" in stated else (None, stated or None)


def _reported(cell: Cell) -> list[Plain]:
    """Return the figures of a cell: of copies the first one, of a log all."""
    several = cell.rows if _computed(cell.rows[0]) else cell.rows[:1]
    return [
        transcribe.reported(
            METRICS[row["unit"]],
            row["unit"],
            row["raw_text"],
            float(row["throughput"]) if row["throughput"] else None,
            STATISTICS[row["statistic"]],
        )
        for row in several
    ]


def _notes(cell: Cell) -> list[str]:
    first = cell.rows[0]
    copies = [] if _computed(first) else cell.rows[1:]
    texts = [row["note"] for row in cell.rows if row["note"]]
    if first["points"] not in ("", "1"):
        texts.append(f"printed rates: {first['points']}")
    if first["num_gpus"] == "32" and first["statistic"] == "published_cell" and first["throughput"]:
        texts.append(CARRIED)
    return [
        cited("paddle_perf", *(row["row_id"] for row in cell.rows)),
        *(f"also at {row['source_path']}:{row['source_line']} of {row['source_date']}" for row in copies),
        *cell.disputes(DISPUTED),
        *dict.fromkeys(texts),
    ]
