"""The report's fonts: which characters they have, how wide those are, and what stands in for the others."""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import TYPE_CHECKING

from fontTools.ttLib import TTFont

from collector.store import ROOT

if TYPE_CHECKING:
    from collections.abc import Mapping

FONTS = ROOT / "site" / "assets" / "fonts"
FAMILY = "Noto Sans SC"


@cache
def _advances(weight: str) -> Mapping[int, float]:
    with TTFont(FONTS / f"NotoSansSC-{weight}.ttf", lazy=True) as font:
        unit = font["head"].unitsPerEm
        widths = font["hmtx"].metrics
        return {code: widths[name][0] / unit for code, name in font.getBestCmap().items()}


def width(text: str, size: float) -> float:
    """Return the width of a text in the regular font, in the unit of `size`; an unknown character counts one em."""
    advances = _advances("Regular")
    return size * sum(advances.get(ord(character), 1.0) for character in text)


def _printable(character: str) -> bool:
    if unicodedata.category(character).startswith("C"):
        return False  # controls and bidirectional overrides have no shape: their code shows them
    return all(ord(character) in _advances(weight) for weight in ("Regular", "Bold"))


def legible(text: str) -> tuple[str, tuple[str, ...]]:
    """Return the text with each character that can't be printed as its code in brackets, and those characters."""
    whole = "".join(" " if c in "\t\n\r\u2028\u2029" else c for c in unicodedata.normalize("NFC", text))
    strange = tuple(sorted({character for character in whole if not _printable(character)}))
    if not strange:
        return whole, ()
    return "".join(f"[U+{ord(c):04X}]" if c in strange else c for c in whole), strange


def wrap(text: str, size: float, room: float, lines: int) -> tuple[str, ...]:
    """Break a text into at most `lines` lines of width `room`; what is left over becomes an ellipsis."""
    broken: list[str] = []
    rest = text
    while rest and len(broken) < lines:
        head = _head(rest, size, room)
        if len(broken) == lines - 1 and head != rest:
            head = _head(rest, size, room - width("…", size), whole_words=False)
            return (*broken, head.rstrip() + "…")
        broken.append(head.rstrip())
        rest = rest[len(head) :].lstrip()
    return tuple(broken)


def _head(text: str, size: float, room: float, *, whole_words: bool = True) -> str:
    taken = 0.0
    for index, character in enumerate(text):
        taken += width(character, size)
        if taken > room and index:
            space = text.rfind(" ", 0, index + 1)
            return text[: space + 1] if whole_words and space > index // 3 else text[:index]
    return text
