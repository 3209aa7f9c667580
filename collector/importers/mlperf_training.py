"""Minutes to target quality from the run logs of four rounds of MLPerf Training, closed division.

MLPerf scores a system by the mean of its runs without the fastest and the slowest. That mean stands in no log: it was
computed from all logs of a folder, and not where one is missing.
"""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING

from collector import transcribe
from collector.sources import (
    Draft,
    anything,
    cited,
    count,
    finished,
    one_of,
    optional,
    positive,
    rows,
    slug,
    whole,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from collector.schema import Submission
    from collector.sources import Row
    from collector.transcribe import Plain
    from collector.vocabulary import Vocabulary

FOLDER = "mlcommons-training-results"
RETRIEVED_ON = date(2026, 11, 30)
WORKLOADS = {"ResNet-50 v1.5": "resnet50", "BERT-Large": "bert-large"}
SINGLE, MEAN = "single_run", "olympic_mean_computed"
STATISTIC = "mean without the fastest and the slowest run"
UNSTATED = "not-stated"
# How a submitter's text, or the name of its system, tells the framework.
FRAMEWORKS = {
    "mxnet": re.compile(r"mxnet", re.IGNORECASE),
    "pytorch": re.compile(r"pytorch|(?<=-)PT$", re.IGNORECASE),
    "tensorflow": re.compile(r"tensorflow|\btf\d|(?<=-)TF\d?(?:\.\d)?$", re.IGNORECASE),
    "popart": re.compile(r"popart", re.IGNORECASE),
}
VERSION = re.compile(r"(?:mxnet|pytorch|tensorflow|tf) ?v?(\d+\.\d+\S*)$", re.IGNORECASE)
SYSTEM = ("round", "submitter", "system", "benchmark")


def submissions(text: str, _vocabulary: Vocabulary) -> dict[str, Submission]:
    """Return a submission a round and network, by file stem."""
    words = ("round", "submitter", "system", "system_name", "accelerator", "host_processor", "framework")
    counts = ("nodes", "host_processors_per_node", "global_batch_size")
    devices = ("accelerators_per_node", "accelerator_count")
    understood = {
        **dict.fromkeys((*words, "round_published", "availability", "seed", "note"), anything),
        **dict.fromkeys(("source_repo", "source_path", "source_commit", "run_start_utc"), anything),
        **dict.fromkeys(counts, optional(count)),
        **dict.fromkeys(devices, optional(str.isdecimal)),  # 0 where processors do the work
        "benchmark": one_of(WORKLOADS),
        "statistic": one_of((SINGLE, MEAN)),
        "run_index": optional(str.isdecimal),
        "value": positive,
        "final_quality": optional(positive),
        "unit": one_of(("min",)),
        "run_status": one_of(("success", "abort", "aborted", "fail", "")),
    }
    systems: dict[tuple[str, ...], list[Row]] = {}
    for row in rows(text, understood):
        systems.setdefault(tuple(row[column] for column in SYSTEM), []).append(row)
    drafts: dict[str, Draft] = {}
    for found in systems.values():
        first = found[0]
        title, workload = first["source_repo"], WORKLOADS[first["benchmark"]]
        source = transcribe.repository(title, first["source_commit"], "Apache-2.0", RETRIEVED_ON)
        part = slug(f"{first['round'].replace('.', '-')} {workload}")
        _add(drafts.setdefault(part, Draft(source, "computed")), workload, found)
    return finished(drafts)


def _add(draft: Draft, workload: str, found: Sequence[Row]) -> None:
    first = found[0]
    runs = [row for row in found if row["statistic"] == SINGLE]
    reached = [row for row in runs if row["run_status"] == "success"]
    batches = {row["global_batch_size"] for row in runs}
    nodes, devices = whole(first["nodes"]), whole(first["accelerator_count"]) or None
    framework = _framework(first)
    version = VERSION.search(first["framework"])
    draft.add(
        workload,
        _machine(first, nodes),
        transcribe.stack(framework, framework_version=version[1] if version and framework != UNSTATED else None),
        variant=first["framework"] or None,
        mode="training",
        data={"kind": "real", "loader": None, "workers": None, "cache": None},  # the quality is that of a real test set
        batch=transcribe.batch(None, None) | {"global": whole(batches.pop()) if len(batches) == 1 else None},
        scale=transcribe.scale(nodes, devices),
        outcome="ok" if reached else "failed",
        reason=None if reached else "No run reached the target quality.",
        reported=[_reported(row) for row in sorted(found, key=lambda row: row["statistic"] != MEAN)],
        notes=_notes(found, runs),
        locator=transcribe.locator((runs or found)[0]["source_path"].rpartition("/")[0], ""),
    )


def _machine(row: Row, nodes: int | None) -> Plain:
    """Return a submitter's system; where it has no accelerators its processors are what computes."""
    name = f"{row['submitter']} {row['system']}"
    processor = row["host_processor"].removeprefix("2x ")
    sockets = whole(row["host_processors_per_node"])
    cpu = {"name": processor or None, "sockets": sockets, **dict.fromkeys(("cores", "threads", "visible_threads"))}
    host = {"nodes": nodes, "cpu": cpu if processor not in ("", "CPUName") else None}
    if row["accelerators_per_node"] == "0":
        return transcribe.machine(name, processor, "cpu", per_node=sockets, **host)
    kind = "tpu" if row["system"].startswith("tpu") else "npu" if _special(row["accelerator"]) else "gpu"
    device = row["accelerator"] or row["system"]  # the system's name is all that some state: tpu-v3-128
    return transcribe.machine(name, device, kind, per_node=whole(row["accelerators_per_node"]), **host)


def _special(accelerator: str) -> bool:
    return accelerator.startswith(("Graphcore", "Habana"))


def _framework(row: Row) -> str:
    """Return the one framework that the submitter's text names, or else that the system's name does: never a guess."""
    for text in (row["framework"], row["system"]):
        named = [framework for framework, pattern in FRAMEWORKS.items() if pattern.search(text)]
        if len(named) == 1:
            return named[0]
    return UNSTATED


def _reported(row: Row) -> Plain:
    """Return a run, or the mean; a run that missed its target has no time to it."""
    value = float(row["value"])
    if row["statistic"] == MEAN:
        return transcribe.reported("minutes-to-target", "min", row["value"], value, STATISTIC)
    missed = row["run_status"] != "success"
    text = f"{row['run_status']} after {row['value']}" if missed else row["value"]
    return transcribe.reported(
        "minutes-to-target", "min", text, None if missed else value, "single run", int(row["run_index"])
    )


def _notes(found: Sequence[Row], runs: Sequence[Row]) -> list[str]:
    first = found[0]
    qualities = sorted(float(row["final_quality"]) for row in runs if row["final_quality"])
    notes = [
        cited("mlperf_training", *(row["row_id"] for row in found)),
        f"round {first['round']}, published {first['round_published']}, closed division, {first['availability']}",
    ]
    if first["system_name"] not in ("", first["system"]):
        notes.append(f"system: {first['system_name']}")
    if qualities:
        notes.append(f"final quality {qualities[0]:g} to {qualities[-1]:g}")
    if not any(row["statistic"] == MEAN for row in found):
        notes.append("no mean without fastest and slowest: runs are missing or missed the target")
    return [*notes, *dict.fromkeys(row["note"] for row in found if row["note"])]
