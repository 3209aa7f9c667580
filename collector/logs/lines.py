"""What a training log says, whatever its format, and how its bytes become lines that a parser can read."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

Scope = Literal["global", "device"]
Unit = Literal["samples/s", "images/s", "sequences/s"]

EARLIEST = 1970  # a clock that nobody set
MAX_STEP = 10**12
MAX_LINE = 20_000  # characters; longer lines are dumps, and no figure stands so far behind
NUMBER = r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?|[-+]?(?:nan|inf)(?:inity)?"

_ANSI = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b\n\r]{0,200}(?:\x07|\x1b\\)?|[@-Z\\-_])")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
# mpirun's --tag-output, with the date of its --timestamp-output; it may stand in the middle of a line.
_TAG = re.compile(
    r"((?:[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]?\d \d\d:\d\d:\d\d \d{4})?\[\d{1,6},\d{1,6}\]<(?:stdout|stderr|stddiag)>:)"
)


@dataclass(frozen=True)
class Line:
    """A line as one process wrote it; `number` is where it begins in the file, from 1."""

    number: int
    text: str


@dataclass(frozen=True)
class Mark:
    """What a log prints after step `step` of an epoch: a time in seconds on a clock of its own, samples/s, loss."""

    line: int
    epoch: int
    step: int
    seconds: float | None = None
    rate: float | None = None
    loss: float | None = None


@dataclass(frozen=True)
class Summary:
    """A figure that the log itself draws up."""

    metric: str
    statistic: str
    value: float
    unit: str
    raw_text: str


@dataclass(frozen=True)
class Log:
    """A parsed log.

    `facts` are settings that it states, by the name of the option that else asks for them; `scope` says whose rates
    it prints, if that is known; `samples` is what a step of that scope works on, where that is printed; `started` counts
    seconds from 1970, by UTC or by a clock whose zone isn't stated.
    """

    line: int
    marks: tuple[Mark, ...] = ()
    summaries: tuple[Summary, ...] = ()
    facts: Mapping[str, str | int] = field(default_factory=dict)
    unit: Unit = "samples/s"
    scope: Scope | None = None
    samples: int | None = None
    started: float | None = None
    utc: bool = False
    epochs: tuple[float, ...] = ()
    failure: str | None = None
    notes: tuple[str, ...] = ()


def lines(content: bytes) -> tuple[Line, ...]:
    """Return the lines of a log: decoded, without colours, control characters and MPI's tags, each process's together.

    Whatever can't be decoded stays as a replacement character; every state of a progress bar is a line.
    """
    found = sorted(_untangled(_text(content)), key=lambda line: line.number)
    return tuple(line for line in found if line.text.strip())


def _text(content: bytes) -> str:
    wide = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    text = content.decode("utf-16" if wide else "utf-8-sig", "replace")
    # A carriage return within a line draws a progress bar anew.
    return _CONTROL.sub("", _ANSI.sub("", text)).replace("\r\n", "\n")


def _untangled(text: str) -> Iterator[Line]:
    """Yield lines by the process that wrote them: tags cut lines in pieces that others stand between."""
    open_lines: dict[str, tuple[int, list[str]]] = {}
    number, source = 1, ""
    for position, piece in enumerate(_TAG.split(text)):
        if position % 2:
            if source == "" and source in open_lines:  # what stands before the first tag is complete
                start, parts = open_lines.pop(source)
                yield Line(start, "".join(parts)[:MAX_LINE])
            source = piece[piece.index("[") :]
            continue
        for part in re.split(r"(?<=[\n\r])", piece):
            start, parts = open_lines.setdefault(source, (number, []))
            parts.append(part.rstrip("\n\r"))
            if part.endswith(("\n", "\r")):
                yield Line(start, "".join(parts)[:MAX_LINE])
                del open_lines[source]
                number += part.endswith("\n")
    for start, parts in open_lines.values():
        yield Line(start, "".join(parts)[:MAX_LINE])


def number(text: str) -> float | None:
    """Return the number that a text is, or None."""
    try:
        return float(text)
    except ValueError:
        return None


def whole(text: str) -> int | None:
    """Return the positive whole number that a text is, or None."""
    return int(text) if re.fullmatch(r"[0-9]{1,15}", text) and int(text) else None


def seconds(stamp: str) -> float | None:
    """Return a stamp such as 2023-07-31 06:24:28,089 as seconds from 1970 by its own clock, or None if there is no such day."""
    try:
        day = datetime.fromisoformat(f"{stamp[:10].replace('/', '-')} {stamp[11:19]}").replace(tzinfo=UTC)
    except ValueError:
        return None
    if day.year < EARLIEST:
        return None
    fraction = re.search(r"[.,](\d{1,9})$", stamp)
    return day.timestamp() + (float(f"0.{fraction[1]}") if fraction else 0)


def to_the_fraction(stamps: Iterable[str | None]) -> bool:
    """Say whether all stamps are there and finer than seconds; coarser ones say less than rates do."""
    return all(stamp is not None and re.search(r"[.,]\d", stamp) is not None for stamp in stamps)


def stated(pairs: Mapping[str, str | int | None]) -> dict[str, str | int]:
    """Return the facts that are there."""
    return {name: value for name, value in pairs.items() if value is not None}


def by_epoch(marks: Sequence[Mark]) -> tuple[tuple[Mark, ...], ...]:
    """Return the marks epoch by epoch; a new one also begins where steps start again. A step printed late is left out."""
    groups: list[list[Mark]] = []
    for mark in marks:
        if not groups or mark.epoch != groups[-1][0].epoch or _starts_again(groups[-1], mark):
            groups.append([])
        if not groups[-1] or mark.step > groups[-1][-1].step:  # a step that is printed twice counts once
            groups[-1].append(mark)
    return tuple(map(tuple, groups))


def _starts_again(group: Sequence[Mark], mark: Mark) -> bool:
    first = group[0].step
    return mark.step < first or (mark.step == first and len(group) > 1)
