"""Make the report's fonts: static Regular and Bold of a variable Noto Sans SC, cut down to what reports need.

Static, because text inside a drawing falls to the thinnest weight of a variable font; TTF, because the typesetter reads no WOFF2.
"""

from __future__ import annotations

import sys
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

WEIGHTS = {"Regular": 400, "Bold": 700}
RANGES = (
    (0x0020, 0x0250),  # Latin
    (0x0370, 0x0400),  # Greek
    (0x2000, 0x2200),  # punctuation, currency, letter-like symbols, fractions, arrows
    (0x2200, 0x2300),  # mathematics
    (0x2460, 0x2500),  # enclosed numbers
    (0x25A0, 0x2700),  # shapes and signs
    (0x3000, 0x3040),  # Chinese punctuation
    (0xFF00, 0xFFF0),  # full-width forms
)


def characters() -> set[int]:
    """Return the code points to keep: the ranges, and all of GB2312."""
    kept = {code for first, end in RANGES for code in range(first, end)}
    for lead in range(0xA1, 0xF8):
        for trail in range(0xA1, 0xFF):
            kept |= set(map(ord, bytes((lead, trail)).decode("gb2312", errors="ignore")))
    return kept


def cut(font: TTFont) -> None:
    """Drop all other characters; layout features stay, since English needs proportional quotes (`pwid`)."""
    options = Options(layout_features=["*"], name_IDs=["*"], hinting=False, notdef_outline=True)
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=characters())
    subsetter.subset(font)


def main(source: str, folder: str) -> None:
    for name, weight in WEIGHTS.items():
        font = instantiateVariableFont(TTFont(source), {"wght": weight}, updateFontNames=True)
        cut(font)
        font.save(Path(folder) / f"NotoSansSC-{name}.ttf")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("Usage: subset.py 'NotoSansSC[wght].ttf' FOLDER")
    main(*sys.argv[1:])
