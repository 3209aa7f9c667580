"""The tables of soumith/convnet-benchmarks: milliseconds for passes of whole networks and of single convolutions."""

from __future__ import annotations

import re
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
    finished,
    one_of,
    optional,
    positive,
    rows,
)

if TYPE_CHECKING:
    from collector.schema import Submission
    from collector.sources import Row
    from collector.vocabulary import Vocabulary

FOLDER = "soumith-convnet-benchmarks"
RETRIEVED_ON = date(2026, 11, 30)
LAYERS = "convolution-layers"
WORKLOADS = {
    "AlexNet (One Weird Trick paper)": "alexnet",
    "Overfeat fast": "overfeat",
    "OxfordNet Model-A": "vgg-a",
    "GoogleNet V1": "googlenet",
    "spatial convolution layers L1-L5": LAYERS,
}
MODES = {"forward + backward": "forward_backward", "forward": "forward", "backward": "backward"}
PASS = re.compile(r"(forward \+ backward|forward|backward)(?:, (L[1-5]|Total))?")
BEST = "cherry-picking"  # the author's own choice of the best library for each layer: nothing that was run


@dataclass(frozen=True)
class Library:
    """What a name in the tables is: a framework, the library below it, a build of it."""

    framework: str
    blas: str | None = None
    variant: str | None = None


TORCH = "torch7"
LIBRARIES = {
    "CuDNN[R4]-fp16 (Torch)": Library(TORCH, "cuDNN R4"),
    "CuDNN[R4]-fp32 (Torch)": Library(TORCH, "cuDNN R4"),
    "CuDNN[R2]": Library(TORCH, "cuDNN R2"),
    "CuDNN R2": Library(TORCH, "cuDNN R2"),
    "fbfft (Torch)": Library(TORCH, "fbfft"),
    "fbfft": Library(TORCH, "fbfft"),
    "Torch-7 (native)": Library(TORCH),
    "Torch-7": Library(TORCH),
    "CL-nn (Torch)": Library(TORCH, variant="OpenCL"),
    "Nervana-neon-fp16": Library("neon"),
    "Nervana-neon-fp32": Library("neon"),
    "TensorFlow": Library("tensorflow"),
    "Chainer": Library("chainer"),
    "cudaconvnet2": Library("cuda-convnet2"),
    "cuda-convnet2": Library("cuda-convnet2"),
    "cuda-convnet": Library("cuda-convnet"),
    "Caffe (native)": Library("caffe"),
    "Caffe": Library("caffe"),
    "Caffe-CLGreenTea": Library("caffe", variant="OpenCL (Greentea)"),
    "Theano": Library("theano"),
    "Theano (experimental)": Library("theano", variant="experimental"),
    "Theano (legacy)": Library("theano", variant="legacy"),
    "DeepCL": Library("deepcl"),
    "ccv": Library("ccv"),
}


def submissions(text: str, _vocabulary: Vocabulary) -> dict[str, Submission]:
    """Return a submission a network, and one of the layers, by file stem."""
    understood = {
        **dict.fromkeys(("source", "source_commit", "source_path", "input_shape", "class", "raw_text"), anything),
        **dict.fromkeys(("gpu", "note"), anything),
        **dict.fromkeys(("source_line", "batch_size"), count),
        "table": anything,
        "workload": one_of(WORKLOADS),
        "library": lambda library: " ".join(library.split()) in (*LIBRARIES, BEST),
        "precision": optional(one_of(("fp32", "fp16"))),
        "metric": lambda metric: PASS.fullmatch(metric) is not None,
        "unit": one_of(("ms",)),
        "value": optional(positive),
    }
    drafts: dict[str, Draft] = {}
    for row in rows(text, understood):
        if row["library"] == BEST:
            continue
        title, workload = row["source"], WORKLOADS[row["workload"]]
        source = transcribe.repository(title, row["source_commit"], "MIT", RETRIEVED_ON)
        _add(drafts.setdefault(workload, Draft(source)), workload, row)
    return finished(drafts)


def _add(draft: Draft, workload: str, row: Row) -> None:
    library = LIBRARIES[" ".join(row["library"].split())]
    timed = PASS.fullmatch(row["metric"])
    mode, layer = timed.groups() if timed else ("", None)
    stated, batch = row["value"] != "", int(row["batch_size"])
    notes = [cited("convnet_benchmarks", row["row_id"]), f"table “{row['table']}”", "mean of 10 passes"]
    notes += [f"input {row['input_shape']}"] if row["input_shape"] else []
    notes += [row["note"]] if row["note"] else []
    device = row["gpu"] or None
    draft.add(
        workload,
        transcribe.machine(f"{device} machine" if device else "machine not stated", device, "gpu"),
        transcribe.stack(library.framework, api=row["class"].replace("\\<", "<"), blas=library.blas, language=None),
        variant=library.variant,
        mode=MODES[mode],
        precision=row["precision"] or None,
        batch=transcribe.batch(batch, 1),
        scale=transcribe.scale(1, 1),
        options={"layer": layer} if layer else {},
        outcome="ok" if stated else "not_run",
        reason=None if stated else absence(row["raw_text"]),
        reported=[
            transcribe.reported("milliseconds-per-step", "ms", row["raw_text"], float(row["value"]) if stated else None)
        ],
        notes=notes,
        locator=transcribe.locator(row["source_path"], row["source_line"]),
    )
