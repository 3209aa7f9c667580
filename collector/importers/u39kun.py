"""The tables in the README of u39kun/deep-learning-benchmark: milliseconds a pass, without an optimizer's step."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from collector import transcribe
from collector.sources import (
    Draft,
    absence,
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

FOLDER = "u39kun-deep-learning-benchmark"
RETRIEVED_ON = date(2026, 11, 30)
MODES = {"forward pass": "forward", "forward + backward pass": "forward_backward"}
WORKLOADS = ("vgg16", "resnet152", "densenet161")
# The script of each framework times another region, so that its rows compare among themselves at most.
TIMED = {
    "PyTorch": "timed: the pass, its input on the GPU already",
    "TensorFlow": "timed: the pass, and fetching all gradients to the host",
    "Caffe2": "timed: the pass, feeding its input and fetching the softmax",
}


def submissions(text: str, vocabulary: Vocabulary) -> dict[str, Submission]:
    """Return a submission a network, by file stem."""
    understood = {
        **dict.fromkeys(("source", "source_commit", "source_path", "raw_text", "contributor", "note"), anything),
        **dict.fromkeys(("framework_version", "gpu", "cuda", "cudnn"), anything),
        **dict.fromkeys(("source_line", "gpu_count", "batch_size"), count),
        "framework": framework_of(vocabulary),
        "model": one_of(WORKLOADS),
        "precision": one_of(("fp32", "fp16")),
        "metric": one_of(MODES),
        "unit": one_of(("ms",)),
        "value": optional(positive),
    }
    drafts: dict[str, Draft] = {}
    for row in rows(text, understood):
        title = row["source"]
        source = transcribe.repository(title, row["source_commit"], None, RETRIEVED_ON)
        _add(drafts.setdefault(row["model"], Draft(source)), row, vocabulary)
    return finished(drafts)


def _add(draft: Draft, row: Row, vocabulary: Vocabulary) -> None:
    stated, devices, batch = row["value"] != "", int(row["gpu_count"]), int(row["batch_size"])
    value = float(row["value"]) if stated else None
    notes = [cited("u39kun", row["row_id"]), *filter(None, row["note"].split("; ")), TIMED[row["framework"]]]
    if row["contributor"]:
        notes.append(f"contributed by {row['contributor']}")
    draft.add(
        row["model"],
        transcribe.machine(f"{row['gpu']} machine", row["gpu"], "gpu"),
        transcribe.stack(
            framework_id(vocabulary, row["framework"]),
            framework_version=row["framework_version"] or None,
            language="python",
            cuda=row["cuda"] or None,
            cudnn=row["cudnn"] or None,
        ),
        mode=MODES[row["metric"]],
        precision=row["precision"],
        batch=transcribe.batch(batch, devices),
        scale=transcribe.scale(1 if devices == 1 else None, devices),
        outcome="ok" if stated else "not_run",
        reason=None if stated else absence(row["raw_text"]),
        reported=[transcribe.reported("milliseconds-per-step", "ms", row["raw_text"], value)],
        notes=notes,
        locator=transcribe.locator(row["source_path"], row["source_line"]),
    )
