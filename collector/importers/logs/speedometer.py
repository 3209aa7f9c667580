"""MXNet's Speedometer: the rate of the batches since the line before, with the logging module's time stamps."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from collector.logs.lines import NUMBER, Log, Mark, number, seconds, to_the_fraction

if TYPE_CHECKING:
    from collections.abc import Sequence

    from collector.logs.lines import Line

RANK = 2

_LINE = re.compile(
    rf"(?:Node\[(\d{{1,6}})\] ?)?Epoch\[(\d{{1,9}})\] ?Batch ?\[(?:\d{{1,12}}-)?(\d{{1,12}})\]\s*Speed: ({NUMBER}) samples/sec",
    re.IGNORECASE,
)
_STAMP = re.compile(r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:[.,]\d{1,6})?)")
_LOSS = re.compile(rf"(?:cross-entropy|loss)=({NUMBER})")


def recognises(lines: Sequence[Line]) -> bool:
    """Say whether any line is Speedometer's."""
    return any(_LINE.search(line.text) for line in lines)


def parse(lines: Sequence[Line]) -> Log:
    """Read the lines of the first node that prints any; batches are counted from 0."""
    found = [(line, match) for line in lines if (match := _LINE.search(line.text))]
    first = next((match[1] for _line, match in found), None)
    own = [(line, match) for line, match in found if match[1] == first]
    exact = to_the_fraction(_stamp(line, match) for line, match in own)
    marks = tuple(_mark(line, match, exact=exact) for line, match in own)
    stamps = [at for line in lines if (stamp := _STAMP.search(line.text)) and (at := seconds(stamp[1])) is not None]
    return Log(
        line=next((mark.line for mark in marks), 1),
        marks=marks,
        facts={"framework": "mxnet", "mode": "training"},
        started=stamps[0] if stamps else None,
    )


def _stamp(line: Line, found: re.Match[str]) -> str | None:
    stamp = _STAMP.search(line.text[: found.start()])
    return stamp[1] if stamp else None


def _mark(line: Line, found: re.Match[str], *, exact: bool) -> Mark:
    stamp, loss = _stamp(line, found), _LOSS.search(line.text[found.end() :])
    at = seconds(stamp) if stamp and exact else None
    return Mark(line.number, int(found[2]), int(found[3]) + 1, at, number(found[4]), number(loss[1]) if loss else None)
