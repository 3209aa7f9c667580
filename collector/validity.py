"""Does a measured result count? Reasons that make it invalid by rule, and the proof that the network is the specified one.

What is found here is shown, never written back into a submission.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from collector.normalise import Cell
    from collector.schema import Equality
    from collector.vocabulary import Workload

LOSS_TOLERANCE = 0.10
LOGITS_TOLERANCE = 1e-4
ACCURACY_SLACK = 0.01  # the window is a spread seen in public, not a law

Proof = Literal["proved", "unproved", "failed"]


def proof(cell: Cell) -> Proof:
    """Say whether the framework is proved to train the specified network."""
    equality, workload = cell.result.equality, cell.specification
    if equality is None or workload is None:
        return "unproved"
    if next(_unequal(equality, workload), None):
        return "failed"
    wanted: list[float | None] = [equality.parameters]
    if workload.expected_loss is not None:
        wanted.append(equality.probe_loss)
    if workload.logits:
        wanted.append(equality.logits_error)
    return "unproved" if None in wanted else "proved"


def why_invalid(cell: Cell) -> str | None:
    """Return why a measured result that claims a value doesn't count, or None."""
    workload = cell.specification
    if workload is None:
        return None
    found = [*_unequal(cell.result.equality, workload), *_untrained(cell, workload)]
    return " ".join(found) or None


def _unequal(equality: Equality | None, workload: Workload) -> Iterator[str]:
    if equality is None:
        return
    if equality.parameters is not None and equality.parameters not in workload.parameters:
        wanted = " or ".join(f"{count:,}" for count in workload.parameters)
        yield f"The network has {equality.parameters:,} parameters instead of {wanted}."
    expected, probe = workload.expected_loss, equality.probe_loss
    if expected is not None and probe is not None and not abs(probe - expected) <= LOSS_TOLERANCE * expected:
        yield f"The probe loss is {probe:.4g} instead of {expected:.4g} ± 10 %."
    if equality.logits_error is not None and not equality.logits_error <= LOGITS_TOLERANCE:
        yield f"The logits differ from the reference by {equality.logits_error:.2g}, more than 1e-4."


def _untrained(cell: Cell, workload: Workload) -> Iterator[str]:
    for index, run in enumerate(cell.result.runs):
        if not all(map(math.isfinite, run.loss)):
            yield f"The loss of run {index} isn't finite."
        epochs = len(run.epoch_seconds or ())
        if cell.result.window == "epochs" and workload.real and epochs != workload.real.epochs:
            yield f"Run {index} has {epochs} epochs instead of {workload.real.epochs}."
        accuracy, quality = workload.accuracy, run.quality
        if (
            accuracy
            and quality
            and quality.metric == accuracy.metric
            and not quality.value >= accuracy.low - ACCURACY_SLACK
        ):
            yield f"The {quality.metric} of run {index} is {quality.value:.4g}, below {accuracy.low:.4g} - 0.01."
