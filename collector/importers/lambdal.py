"""The training throughputs of lambdal/deeplearning-benchmark: one PyTorch, many machines, two generations of tables."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from collector import transcribe
from collector.sources import (
    Draft,
    anything,
    cited,
    count,
    finished,
    framework_id,
    framework_of,
    one_of,
    optional,
    positive,
    rows,
)

if TYPE_CHECKING:
    from collector.schema import Submission
    from collector.sources import Row
    from collector.vocabulary import Vocabulary

FOLDER = "lambdal-deeplearning-benchmark"
RETRIEVED_ON = date(2026, 11, 30)
WORKLOADS = {
    "ssd": "ssd",
    "resnet50": "resnet50",
    "bert_base_squad": "bert-base-squad",
    "bert_large_squad": "bert-large-squad",
    "gnmt": "gnmt",
    "ncf": "ncf",
    "tacotron2": "tacotron2",
    "transformerxlbase": "transformer-xl-base",
    "transformerxllarge": "transformer-xl-large",
    "waveglow": "waveglow",
}
METRICS = {
    "images/s": "throughput",
    "sequences/s": "throughput",
    "samples/s": "throughput",
    "tokens/s": "tokens-per-second",
    "output mel-spectrograms/s": "spectrograms-per-second",
    "output samples/s": "audio-samples-per-second",
}
UNITS = {"output mel-spectrograms/s": "spectrograms/s"}
UNTOLD = "The source writes 0.0 both for what failed and for what was not run."


def submissions(text: str, vocabulary: Vocabulary) -> dict[str, Submission]:
    """Return a submission a network, by file stem."""
    understood = {
        **dict.fromkeys(("source", "source_commit", "source_path", "machine", "raw_text", "note"), anything),
        **dict.fromkeys(("source_line", "gpu_count"), count),
        **dict.fromkeys(("watt", "batch_size_per_gpu"), optional(count)),
        "table": one_of(("v1", "v2")),
        "framework": framework_of(vocabulary),
        "workload": one_of(WORKLOADS),
        "precision": one_of(("fp32", "fp16")),
        "metric": one_of(("training throughput",)),
        "unit": one_of(METRICS),
        "value": optional(positive),
        "status": one_of(("ok", "missing_or_failed")),
    }
    drafts: dict[str, Draft] = {}
    for row in rows(text, understood):
        title, workload = row["source"], WORKLOADS[row["workload"]]
        source = transcribe.repository(title, row["source_commit"], None, RETRIEVED_ON)
        _add(drafts.setdefault(workload, Draft(source)), workload, row, vocabulary)
    return finished(drafts)


def _add(draft: Draft, workload: str, row: Row, vocabulary: Vocabulary) -> None:
    devices, value = int(row["gpu_count"]), float(row["value"]) if row["value"] else None
    batch = int(row["batch_size_per_gpu"]) if row["batch_size_per_gpu"] else None
    notes = [cited("lambdal", row["row_id"]), f"table {row['table']}", *filter(None, row["note"].split("; "))]
    if row["watt"]:
        notes.append(f"the source counts {row['watt']} W for all devices")
    unit = UNITS.get(row["unit"], row["unit"].removeprefix("output "))
    draft.add(
        workload,
        transcribe.machine(row["machine"], row["machine"], "gpu", per_node=devices),
        transcribe.stack(framework_id(vocabulary, row["framework"]), language="python"),
        mode="training",
        precision=row["precision"],
        batch=transcribe.batch(batch, devices),
        scale=transcribe.scale(1, devices),  # every label is one machine
        outcome="ok" if row["status"] == "ok" else "failed",
        reason=None if row["status"] == "ok" else UNTOLD,
        reported=[transcribe.reported(METRICS[row["unit"]], unit, row["raw_text"], value)],
        notes=notes,
        locator=transcribe.locator(row["source_path"], row["source_line"]),
    )
