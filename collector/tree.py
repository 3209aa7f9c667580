"""JSON text to plain values, with everything wrong that a schema can't see: repeated keys, NaN, control characters, depth."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from collector.wording import json_path, quote

if TYPE_CHECKING:
    from collections.abc import Iterator

DEEPEST = 32  # a submission needs 8; pydantic and Python's own parser give up somewhere above 200
UNFIT = re.compile(  # controls but for tab and line ends, halves of pairs, and what turns the text after it round
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069]"
)
MOST = 1_000  # faults that are looked for: more have one cause
DIGITS = 400  # no double has more; Python refuses to convert above 4,300


KEY = re.compile(r'"\s*:')
CONTROLS = bytes({*range(32), 127} - set(b"\t\n\r"))
ALL_BUT_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))


@dataclass(frozen=True)
class Fault:
    """What is wrong at one place, in the words of a problem."""

    code: str
    path: str
    found: str
    expected: str


@dataclass(frozen=True)
class Tree:
    """The parsed document; `value` is only meaningful where `parsed`."""

    parsed: bool
    value: Any
    faults: tuple[Fault, ...]


def suspect(text: str) -> bool:
    """Say quickly whether `parse` might find a fault beside repeated keys and numbers that aren't finite.

    True may also mean that it won't.
    """
    content = text.encode("utf-8", "replace")
    strange = len(content.translate(None, CONTROLS)) < len(content) or (not text.isascii() and UNFIT.search(text))
    return bool(strange) or "\\" in text or _depth(content) > DEEPEST


def keys_written(text: str) -> int:
    """Return the number of keys in JSON text, repeated ones and whatever looks like a key in a text value included."""
    return len(KEY.findall(text))


def _depth(content: bytes) -> int:
    """Return how deep brackets are nested, those in text values included."""
    depth = deepest = 0
    for bracket in content.translate(None, ALL_BUT_BRACKETS):
        depth += 1 if bracket in b"[{" else -1
        deepest = max(deepest, depth)
    return deepest


def parse(text: str) -> Tree:
    """Return the document with its faults."""
    repeated: dict[int, list[str]] = {}

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        result = dict(items)
        if len(result) < len(items):
            counts = Counter(key for key, _value in items)
            repeated[id(result)] = sorted(key for key, count in counts.items() if count > 1)
        return result

    try:
        value = json.loads(text, object_pairs_hook=pairs, parse_int=_whole)
    except json.JSONDecodeError as error:
        return Tree(parsed=False, value=None, faults=(_not_json(text, error),))
    except RecursionError:
        return Tree(parsed=False, value=None, faults=(_too_deep("$"),))
    faults = tuple(islice(_faults(value, repeated), MOST))
    return Tree(parsed=all(fault.code != "too-deep" for fault in faults), value=value, faults=faults)


def _whole(digits: str) -> int | float:
    return int(digits) if len(digits) <= DIGITS else math.inf


def _not_json(text: str, error: json.JSONDecodeError) -> Fault:
    place = f"line {error.lineno}, column {error.colno}"
    if error.pos >= len(text.rstrip()):
        return Fault("not-json", "$", f"the end of the text at {place}", "the rest of the JSON: the file is cut off")
    expected = error.msg[0].lower() + error.msg[1:]
    return Fault("not-json", "$", f"{quote(text[error.pos : error.pos + 20])} at {place}", f"JSON ({expected})")


def _too_deep(path: str) -> Fault:
    return Fault("too-deep", path, f"more than {DEEPEST} levels", "a submission of at most 8 levels")


def _faults(root: object, repeated: dict[int, list[str]]) -> Iterator[Fault]:
    """Walk without recursion: the document may be deeper than Python's stack."""
    rest: list[tuple[tuple[str | int, ...], object]] = [((), root)]
    while rest:
        steps, value = rest.pop()
        if len(steps) > DEEPEST:
            yield _too_deep(json_path(steps[:4]))
            return
        inner: list[tuple[str | int, object]] = []
        if isinstance(value, dict):
            for key in repeated.get(id(value), ()):
                yield Fault("duplicate-key", json_path((*steps, key)), f"{quote(key)} more than once", "each key once")
            inner = list(value.items())
        elif isinstance(value, list):
            inner = list(enumerate(value))
        yield from _leaf_faults(steps, value)
        rest += [((*steps, step), child) for step, child in reversed(inner)]


def _leaf_faults(steps: tuple[str | int, ...], value: object) -> Iterator[Fault]:
    if isinstance(value, float) and not math.isfinite(value):
        name = "NaN" if math.isnan(value) else "Infinity, or a number too large to hold"
        yield Fault("non-finite-number", json_path(steps), name, "a finite number")
    for text in (value, steps[-1] if steps else None):
        if isinstance(text, str) and UNFIT.search(text):
            yield Fault("control-character", json_path(steps), quote(text), "text without control characters")
