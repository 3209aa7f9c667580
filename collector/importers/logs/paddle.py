"""Step lines of PaddleClas (a running mean of one card) and PaddleNLP (a mean since the line before)."""

from __future__ import annotations

import re
from itertools import pairwise
from statistics import mode
from typing import TYPE_CHECKING

from collector.logs.lines import NUMBER, Log, Mark, Summary, number, seconds, stated, whole

if TYPE_CHECKING:
    from collections.abc import Sequence

    from collector.logs.lines import Line, Unit

RANK = 3
LEFT_OUT = 5  # PaddleClas empties its running means at this step of every epoch, counted from 0
MOST_SAMPLES, ROUNDED = 1e9, 0.5

_STAMP = re.compile(r"\[?(\d{4}[/-]\d\d[/-]\d\d \d\d:\d\d:\d\d(?:[.,]\d{1,6})?)")
_CLAS = re.compile(
    r"(?:epoch:(\d{1,9}) +train step:(\d{1,12})|\[Train\]\[Epoch (\d{1,9})/\d+\]\[Iter: (\d{1,12})/\d+\])"
)
_NLP = re.compile(r"global step:? (\d{1,12})(?:/\d+)?,? (?:.*?epoch: (\d{1,9}))?")
_END = re.compile(rf"END epoch:(\d{{1,9}}) +train .*?batch_cost: ({NUMBER}) s")
_COST = re.compile(rf"batch_cost: ({NUMBER}) ?s")
_RATE = re.compile(rf"ips: ({NUMBER}) ?(images|samples|sequences)/s")
_LOSS = re.compile(rf"(?<![A-Za-z])loss: +({NUMBER})")
_SETTING = re.compile(
    r"(?:ppcls INFO: +|LAUNCH INFO [\d :,-]{19,25})(batch_size|num_workers|seed|devices|nnodes) ?: (\S+)"
)


def recognises(lines: Sequence[Line]) -> bool:
    """Say whether any line has a step with its batch_cost."""
    return any(_COST.search(line.text) and (_CLAS.search(line.text) or _NLP.search(line.text)) for line in lines)


def parse(lines: Sequence[Line]) -> Log:
    """Read configuration, steps and ends of epochs; the times of steps follow from their cost, not from whole seconds."""
    running = [mark for line in lines if (mark := _clas(line)) is not None]
    marks = running or _nlp(lines)
    stamps = [found[1] for line in lines if (found := _STAMP.search(line.text))]
    samples = [round(size) for line in lines if (size := _samples(line)) is not None]
    units = [found[2] for line in lines if (found := _RATE.search(line.text))]
    return Log(
        line=next((mark.line for mark in marks), 1),
        marks=tuple(marks),
        summaries=tuple(
            Summary(
                "milliseconds-per-step", f"mean of epoch {found[1]} in the log", value, "s", f"batch_cost: {found[2]} s"
            )
            for line in lines
            if (found := _END.search(line.text)) and (value := number(found[2])) is not None
        ),
        facts={"framework": "paddlepaddle", "mode": "training"} | _settings(lines),
        unit=_unit(units),
        scope="device",
        samples=mode(samples) if samples else None,  # the last batch of an epoch may be smaller
        started=seconds(stamps[0]) if stamps else None,
        notes=("The log prints one card's rate; step times follow from batch_cost.",),
    )


def _unit(units: Sequence[str]) -> Unit:
    named: dict[str, Unit] = {"images": "images/s", "sequences": "sequences/s"}
    return named.get(units[0], "samples/s") if units else "samples/s"


def _clas(line: Line) -> Mark | None:
    step, cost = _CLAS.search(line.text), _COST.search(line.text)
    if step is None or cost is None or (mean := number(cost[1])) is None:
        return None
    epoch, at = int(step[1] or step[3]), int(step[2] or step[4])
    if at < LEFT_OUT:  # the mean still has the start in it
        return None
    counted = at - LEFT_OUT + 1
    return Mark(line.number, epoch, at, mean * counted, None, _loss(line))


def _nlp(lines: Sequence[Line]) -> list[Mark]:
    printed = [
        (line, step, cost) for line in lines if (step := _NLP.search(line.text)) and (cost := _COST.search(line.text))
    ]
    marks: list[Mark] = []
    elapsed, before = 0.0, 0
    for line, step, cost in printed:
        at, mean = int(step[1]), number(cost[1]) or 0.0
        elapsed += mean * max(at - before, 0)
        before = at
        marks.append(Mark(line.number, 0, at, elapsed, None, _loss(line)))
    return marks if all(later.step > earlier.step for earlier, later in pairwise(marks)) else []


def _samples(line: Line) -> float | None:
    """Return the samples that one card works on in a step: its rate times the time of that step."""
    rate, cost = _RATE.search(line.text), _COST.search(line.text)
    values = (number(rate[1]), number(cost[1])) if rate and cost else (None, None)
    product = (values[0] or 0) * (values[1] or 0)
    return product if 1 - ROUNDED < product < MOST_SAMPLES else None


def _loss(line: Line) -> float | None:
    found = _LOSS.search(line.text)
    return number(found[1]) if found else None


def _settings(lines: Sequence[Line]) -> dict[str, str | int]:
    """Return what the configuration dump states; the first batch size in it is that of the training."""
    found: dict[str, str] = {}
    for line in lines:
        if (match := _SETTING.search(line.text)) is not None:
            found.setdefault(match[1], match[2])
    nodes = whole(found.get("nnodes", ""))
    per_node = (
        len(re.findall(r"\d+", found["devices"])) if re.fullmatch(r"\d+(,\d+)*", found.get("devices", "")) else None
    )
    return stated(
        {
            "batch": whole(found.get("batch_size", "")),
            "nodes": nodes,
            "devices": nodes * per_node if nodes and per_node else None,
            "workers": whole(found.get("num_workers", "")),
            "seed": whole(found.get("seed", "")),
        }
    )
