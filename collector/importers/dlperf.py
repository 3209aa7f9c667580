"""The throughputs of Oneflow-Inc/DLPerf: one cell often stands in several of its documents, with single runs above it."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from datetime import date
from statistics import median
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
    from collections.abc import Iterable, Iterator, Sequence

    from collector.schema import Submission
    from collector.sources import Row
    from collector.transcribe import Plain
    from collector.vocabulary import Vocabulary

FOLDER = "oneflow-inc-dlperf"
TITLE = "Oneflow-Inc/DLPerf"
RETRIEVED_ON = date(2026, 11, 30)
DEVICE = "V100-SXM2-16GB"  # of every run, as are the next two
INTERCONNECT = "100 Gb/s InfiniBand"
CUDA = "10.2"
# GluonCV's v1b has its stride in the 3x3 convolution, as v1.5 has.
WORKLOADS = {"ResNet50 v1.5": "resnet50", "ResNet50 v1b": "resnet50", "BERT-Base pretrain": "bert-base"}
SETTINGS = ("framework", "workload", "dtype", "num_nodes", "gpus_per_node", "batch_size_per_device")
AGREED = ("framework_version", "xla", "data", "option")
OUTCOMES = {"ok": "ok", "oom": "oom", "missing": "not_run", "todo": "not_run", "not_supported": "unsupported"}
OPTIONS: dict[str, Plain] = {
    "with clip_by_global_norm": {"clip_by_global_norm": True},
    "without clip_by_global_norm": {"clip_by_global_norm": False},
    "with graph kernel fusion": {"graph_kernel_fusion": True},
    "without graph kernel fusion": {"graph_kernel_fusion": False},
    "static loss scale": {"loss_scale": "static"},
    "without dynamic loss scaling": {"dynamic_loss_scale": False},
}
FP16, DYNAMIC, WORKERS = "pure fp16 without AMP", "dynamic loss scale", "workers="
LOADERS = ("DALI", "torch DataLoader")
UNDERSTOOD = frozenset((*OPTIONS, *LOADERS, FP16, DYNAMIC, "AMP"))
PRECISIONS = {"fp32": "fp32", "amp": "amp-fp16"}
SLACK = 1e-4  # the figures behind a speedup are rounded themselves


@dataclass
class Measured(Cell):
    """A cell with the single runs that its document prints."""

    runs: list[Row] = field(default_factory=list)


def submissions(text: str, vocabulary: Vocabulary) -> dict[str, Submission]:
    """Return a submission a network, by file stem."""
    settings = ("num_nodes", "gpus_per_node", "num_gpus", "batch_size_per_device", "run_index")
    understood = {
        **dict.fromkeys(("framework_variant", "framework_version", "option", "raw_text", "note"), anything),
        **dict.fromkeys(("source_path", "source_line", "source_commit"), anything),
        **dict.fromkeys(settings, optional(count)),
        **dict.fromkeys(("throughput", "speedup"), optional(positive)),
        "framework": framework_of(vocabulary),
        "workload": one_of(WORKLOADS),
        "dtype": one_of(("fp32", "amp")),
        "xla": optional(one_of(("yes", "no"))),
        "data": one_of(("real", "synthetic")),
        "statistic": optional(one_of(("median_of_runs", "single_run"))),
        "unit": one_of(("images/s", "sentences/s")),
        "status": one_of(OUTCOMES),
        "source_repo": one_of((TITLE,)),
    }
    found = rows(text, understood)
    drafts: dict[str, Draft] = {}
    slips = _wrong_speedups(found)
    for cell in _measured(found):
        commit = cell["source_commit"]
        source = transcribe.repository(TITLE, commit, "Apache-2.0", RETRIEVED_ON)
        workload = WORKLOADS[cell["workload"]]
        notes = [slips[row["row_id"]] for row in cell.rows if row["row_id"] in slips]
        _add(drafts.setdefault(workload, Draft(source)), workload, cell, notes, vocabulary)
    return finished(drafts)


def _measured(found: Sequence[Row]) -> list[Measured]:
    """Put rows together: a figure with its copies in other documents, and with its own document's single runs."""
    whole_cells = [row for row in found if row["statistic"] != "single_run"]
    made = [Measured(cell.rows) for cell in cells(whole_cells, SETTINGS, _agree, _document)]
    groups: dict[object, list[Row]] = defaultdict(list)
    for row in found:
        if row["statistic"] == "single_run":
            groups[_document(row), _setting(row), row["option"]].append(row)
    for group in groups.values():
        cell = _cell_of(group, made)
        if cell is None:
            made.append(Measured([], group))
        else:
            cell.runs.extend(group)
    return [cell if cell.rows else Measured(cell.runs[:1], cell.runs) for cell in made]


def _cell_of(group: Sequence[Row], made: Iterable[Measured]) -> Measured | None:
    """Return the cell whose figure comes from these runs: the one whose figure they give, or the only one they can be of."""
    first, values = group[0], [float(row["throughput"]) for row in group]
    fitting = [
        cell
        for cell in made
        if any(_document(row) == _document(first) and _setting(row) == _setting(first) for row in cell.rows)
    ]
    given = {f"{value:.5g}" for value in (median(values), *values)}
    exact = [cell for cell in fitting if cell["throughput"] and f"{float(cell['throughput']):.5g}" in given]
    chosen = exact or [cell for cell in fitting if len(fitting) == 1 and not cell.runs]
    return chosen[0] if chosen and not chosen[0].runs else None


def _document(row: Row) -> tuple[str, str]:
    """Return the document of a row, for a workbook with its sheet."""
    return row["source_path"], row["source_line"].rpartition("!")[0]


def _setting(row: Row) -> tuple[str, ...]:
    return tuple(row[column] for column in (*SETTINGS, "framework_variant", *AGREED[:-1]))


def _agree(one: Row, other: Row) -> bool:
    """Say whether two rows state nothing differently; a report may shorten a variant's name."""
    variants = sorted((one["framework_variant"], other["framework_variant"]), key=len)
    return variants[1].startswith(variants[0]) and all(
        "" in (one[column], other[column]) or one[column] == other[column] for column in AGREED
    )


def _add(draft: Draft, workload: str, cell: Measured, notes: Iterable[str], vocabulary: Vocabulary) -> None:
    first, remarks = cell.rows[0], _remarks(cell)
    devices, outcome = whole(cell["num_gpus"]), OUTCOMES[first["status"]]
    variant = max(cell.stated("framework_variant"), key=len, default=None)
    container = variant if variant and variant.startswith("NGC") else None
    draft.add(
        workload,
        transcribe.machine(
            " ".join(filter(None, (f"4 nodes of 8 {DEVICE}", container))),
            DEVICE,
            "gpu",
            per_node=8,
            nodes=4,
            interconnect=INTERCONNECT,
            container=container,
        ),
        transcribe.stack(
            framework_id(vocabulary, cell["framework"]),
            framework_version=cell["framework_version"] or None,
            language="python",
            cuda=CUDA,
        ),
        variant=variant,
        mode="training",
        precision="fp16" if FP16 in remarks else PRECISIONS[cell["dtype"]],
        loss_scale="dynamic" if DYNAMIC in remarks else None,
        data=_data(cell, remarks),
        batch=transcribe.batch(whole(cell["batch_size_per_device"]), devices),
        scale=transcribe.scale(whole(cell["num_nodes"]), devices),
        options=_options(cell, remarks),
        outcome=outcome,
        reason=_reason(first, outcome),
        limit="upstream" if outcome == "unsupported" else None,
        reported=_reported(cell),
        notes=[cited("dlperf", *_row_ids(cell)), *_notes(cell, remarks), *notes],
        locator=transcribe.locator(first["source_path"], first["source_line"]),
    )


def _row_ids(cell: Measured) -> list[str]:
    return list(dict.fromkeys(row["row_id"] for row in (*cell.rows, *cell.runs)))


def _remarks(cell: Measured) -> list[str]:
    """Return what the source says of a cell beside its settings."""
    texts = [row["option"] for row in (*cell.rows, *cell.runs[:1])]
    return list(dict.fromkeys(remark for text in texts for remark in text.split("; ") if remark))


def _data(cell: Measured, remarks: Sequence[str]) -> Plain:
    workers = [remark.removeprefix(WORKERS) for remark in remarks if remark.startswith(WORKERS)]
    loaders = [loader for loader in LOADERS if loader in remarks]
    return {
        "kind": "real" if cell["data"] == "real" else None,  # of synthetic data it isn't said where they lie
        "loader": loaders[0] if loaders else None,
        "workers": int(workers[0]) if workers else None,
        "cache": None,
    }


def _options(cell: Measured, remarks: Sequence[str]) -> Plain:
    options: Plain = {"xla": cell["xla"] == "yes"} if cell["xla"] else {}
    for remark in remarks:
        options |= OPTIONS.get(remark, {})
    return options


def _reason(row: Row, outcome: str) -> str | None:
    if outcome == "ok":
        return None
    if outcome == "oom":
        return f"The source says that this batch size runs out of memory; {row['note'] or 'it gives no figure'}."
    return f"The source says: {row['note']}." if outcome == "unsupported" else absence(row["raw_text"])


def _reported(cell: Measured) -> list[Plain]:
    first = cell.rows[0]
    value = float(first["throughput"]) if first["throughput"] else None
    stated = [transcribe.reported("throughput", first["unit"], first["raw_text"], value, "median of runs")]
    runs = [
        transcribe.reported(
            "throughput", run["unit"], run["raw_text"], float(run["throughput"]), "single run", int(run["run_index"])
        )
        for run in cell.runs
    ]
    return runs if first in cell.runs else [*stated, *runs]


def _notes(cell: Measured, remarks: Sequence[str]) -> Iterator[str]:
    """Yield what no field holds: other documents, remarks, speedups as printed."""
    for row in cell.rows[1:]:
        yield f"also at {row['source_path']}:{row['source_line']}"
    yield from (remark for remark in remarks if remark not in UNDERSTOOD and not remark.startswith(WORKERS))
    if cell["workload"] == "ResNet50 v1b":
        yield "the source calls the network ResNet50 v1b"
    if cell["data"] == "synthetic":
        yield "synthetic data"
    yield from dict.fromkeys(row["note"] for row in (*cell.rows, *cell.runs[:1]) if row["note"])
    yield from (f"speedup as printed: {speedup}" for speedup in cell.stated("speedup"))


def _wrong_speedups(found: Sequence[Row]) -> dict[str, str]:
    """Return notes, by row, on printed speedups that don't follow from the figures of their own table."""
    baselines: dict[tuple[object, ...], float] = {}  # of the table that is being read: its first row is one device
    notes = {}
    for row in found:
        if not row["throughput"] or row["statistic"] == "single_run":
            continue
        value = float(row["throughput"])
        if row["num_gpus"] == "1":
            baselines[_table(row)] = value
        baseline = baselines.get(_table(row))
        if row["speedup"] and baseline and not _rounds_to(value / baseline, row["speedup"]):
            follows = f"{value / baseline:.4g}"
            notes[row["row_id"]] = (
                f"{row['source_path']} prints a speedup of {row['speedup']}; its figures give {follows}"
            )
    return notes


def _rounds_to(exact: float, printed: str) -> bool:
    """Say whether a number is what is printed, give or take its last digit's half and that of the figures behind it."""
    half = 0.5 * 10.0 ** -len(printed.partition(".")[2])
    return abs(exact - float(printed)) <= half + SLACK * exact


def _table(row: Row) -> tuple[object, ...]:
    """Return what the rows of a printed table share, whatever their scale."""
    columns = ("framework", "framework_variant", "workload", "dtype", "batch_size_per_device", "statistic", *AGREED)
    return (_document(row), *(row[column] for column in columns))
