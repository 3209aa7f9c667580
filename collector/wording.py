"""How problems put things: JSON paths, quoted values, lists of choices, near misses."""

from __future__ import annotations

import json
import re
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

LONGEST = 60  # characters of a quoted value; more hides the message
MICRO = "\u00b5\u03bc"  # two characters that look alike and mean "micro"


def json_path(steps: Iterable[str | int]) -> str:
    """Return keys and positions as a JSON path, `$.results[0].batch`."""
    return "$" + "".join(map(_step, steps))


def _step(step: str | int) -> str:
    if isinstance(step, int):
        return f"[{step}]"
    plain = len(step) <= LONGEST and re.fullmatch(r"[A-Za-z_]\w*", step, re.ASCII)
    return f".{step}" if plain else f"[{quote(step)}]"


def quote(value: object) -> str:
    """Return a JSON value as it would be written, shortened; lists and objects by their size only."""
    if isinstance(value, list):
        return f"a list of {len(value)}" if value else "an empty list"
    if isinstance(value, dict):
        return "an object" if value else "an empty object"
    written = visible(json.dumps(value, ensure_ascii=False))
    return written if len(written) <= LONGEST else f"{written[: LONGEST - 1]}…"


def visible(text: str) -> str:
    """Return text on one line; what would not show, or would change how the rest shows, by its escape."""
    return "".join(map(_visible, text))


def _visible(character: str) -> str:
    unseen = unicodedata.category(character) in {"Cc", "Cf", "Cs", "Zl", "Zp"}
    return f"\\u{ord(character):04x}" if unseen else character


def unit(text: str) -> str:
    """Return a unit in quotes; the two characters for micro are told apart by their code."""
    codes = [f"U+{ord(character):04X}" for character in text if character in MICRO]
    return f"{quote(text)} ({', '.join(codes)})" if codes else quote(text)


def either(choices: Sequence[str]) -> str:
    """Return choices as `a, b or c`."""
    return choices[0] if len(choices) == 1 else f"{', '.join(choices[:-1])} or {choices[-1]}"


def did_you_mean(names: Sequence[str]) -> str:
    """Return an offer of near misses, or nothing where there are none."""
    return f"did you mean {either([quote(name) for name in names])}?" if names else ""


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, `1 error` or `2 errors`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
