"""Files with reference networks (runners/reference), made once for each state of workload and code, kept in the cache folder."""

from __future__ import annotations

import functools
import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from runners import environments, files, harness

if TYPE_CHECKING:
    from collections.abc import Mapping

    from runners.workloads import Workload

_FOLDER = Path(__file__).resolve().parent / "reference"


def marker(workload: Workload, precision: str) -> str | None:
    """Return the name of the reference that a cell is proved with, None for a cell without proof.

    The proof is in full precision: automatic mixed precision keeps the weights in it, other precisions don't.
    """
    if not workload.specification.logits or not (precision == "fp32" or precision.startswith("amp-")):
        return None
    document = json.dumps([workload.document, _code()], sort_keys=True)
    return f"{workload.id}-{hashlib.sha256(document.encode()).hexdigest()[:10]}"


def handed_over(request: Mapping[str, Any], workload: Workload) -> dict[str, Any]:
    """Return a request with the path of its reference, which is made where there is none yet, in place of the name."""
    if request["reference"] is None:
        return dict(request)
    return {**request, "reference": str(made(request["reference"], workload))}


def made(name: str, workload: Workload) -> Path:
    """Return the file of a workload's reference, made first where there is none."""
    path = environments.cache() / "references" / f"{name}.npz"
    if path.exists():
        return path
    from runners.reference import write

    path.parent.mkdir(parents=True, exist_ok=True)
    with files.alone(path.with_name(f".{path.name}.lock")):
        if not path.exists():  # no other process was faster
            write.write(path, {"id": workload.id, **workload.document})
    return path


@functools.cache
def _code() -> str:
    return harness.digest(_FOLDER)
