"""Lines of any script that print a step and its images/s (samples/s, sequences/s), as PyTorch scripts do."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from collector.logs.lines import NUMBER, Log, Mark, Summary, number, seconds, to_the_fraction

if TYPE_CHECKING:
    from collections.abc import Sequence

    from collector.logs.lines import Line, Unit

RANK = 1

_WORD = r"(images?|imgs?|samples?|examples?|sequences?|seqs?|sentences)"
_RATE = re.compile(
    rf"(?<![\w.])({NUMBER}) ?{_WORD} ?(?:/|per) ?(?:s|sec|second)\b|\b{_WORD} ?(?:/|per) ?(?:s|sec|second)\b(?: on [^:]{{1,40}})?[ :=]+({NUMBER})",
    re.IGNORECASE,
)
# The likeliest first: "batch" may be a size, and numbers in brackets are an epoch's too.
_STEPS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"\b(?:step|iter(?:ation)?)s?\b[ :=#\[]{0,4}(\d{1,12})\b",
        r"\bbatch\b[ :=#\[]{0,4}(\d{1,12})\b",
        r"(?<!epoch )(?<!epoch: )(?<!epoch)(?<!epoch:)\[ {0,9}(\d{1,12})/\d{1,12}\b",
    )
)
_EPOCH = re.compile(r"\bepoch\b[ :=#\[]{0,4}(\d{1,9})", re.IGNORECASE)
_LOSS = re.compile(rf"\bloss\b[ :=]{{0,3}}({NUMBER})", re.IGNORECASE)
_STAMP = re.compile(r"(\d{4}[-/]\d\d[-/]\d\d[ T]\d\d:\d\d:\d\d(?:[.,]\d{1,6})?)")
_SUMMARY = re.compile(r"\b(total|average|avg|mean|overall|final|summary)\b", re.IGNORECASE)
_OF_ONE = re.compile(r"\b(?:per|/) ?(?:gpu|card|device)\b|/gpu\b", re.IGNORECASE)


def recognises(lines: Sequence[Line]) -> bool:
    """Say whether any line has a step together with a rate."""
    return any(_step(line) is not None and _RATE.search(line.text) for line in lines)


def parse(lines: Sequence[Line]) -> Log:
    """Read steps with their rates; a rate without a step that is called total or mean is the log's summary."""
    found = [(line, rate) for line in lines if (rate := _RATE.search(line.text))]
    steps = [line for line, _rate in found if _step(line)]
    exact = to_the_fraction(stamp[1] if (stamp := _STAMP.search(line.text)) else None for line in steps)
    marks = [mark for line, rate in found if (mark := _mark(line, rate, exact=exact)) is not None]
    stamps = [at for line in lines if (stamp := _STAMP.search(line.text)) and (at := seconds(stamp[1])) is not None]
    return Log(
        line=next((mark.line for mark in marks), 1),
        marks=tuple(marks),
        summaries=tuple(
            Summary(
                "throughput",
                f"{said[1].casefold()} of the log",
                value,
                _unit(rate),
                f"{rate[1] or rate[4]} {_unit(rate)}",
            )
            for line, rate in found
            if not _step(line)
            and not _OF_ONE.search(line.text)
            and (said := _SUMMARY.search(line.text))
            and (value := _value(rate)) is not None
        ),
        unit=_unit(found[0][1]) if found else "samples/s",
        scope="device" if marks and any(_OF_ONE.search(line.text[rate.end() :]) for line, rate in found) else None,
        started=stamps[0] if stamps else None,
    )


def _step(line: Line) -> re.Match[str] | None:
    return next((found for pattern in _STEPS if (found := pattern.search(line.text))), None)


def _mark(line: Line, rate: re.Match[str], *, exact: bool) -> Mark | None:
    step, epoch, loss = _step(line), _EPOCH.search(line.text), _LOSS.search(line.text)
    stamp, value = _STAMP.search(line.text), _value(rate)
    if step is None or value is None or _SUMMARY.search(line.text[: step.start()]):
        return None
    at = seconds(stamp[1]) if stamp and exact else None
    return Mark(
        line.number,
        int(epoch[1]) if epoch else 0,
        int(step[1]),
        at,
        value,
        number(loss[1]) if loss else None,
    )


def _value(rate: re.Match[str]) -> float | None:
    return number(rate[1] or rate[4])


def _unit(rate: re.Match[str]) -> Unit:
    word = (rate[2] or rate[3]).casefold()
    if word.startswith(("image", "img")):
        return "images/s"
    return "sequences/s" if word.startswith(("seq", "sent")) else "samples/s"
