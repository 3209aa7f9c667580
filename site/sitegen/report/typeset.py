"""Set the report: replace what the font lacks, draw the charts, hand everything to Typst; same input, same bytes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import typst

from collector.store import ROOT
from sitegen import labels
from sitegen.errors import SiteError
from sitegen.fonts import FONTS, legible
from sitegen.report.blocks import figures, plain, rewrite
from sitegen.report.material import Material
from sitegen.report.views import document
from sitegen.report.words import load_report_words
from sitegen.svg.draw import draw
from sitegen.words import load_words

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from collector.store import Dataset
    from sitegen.report.blocks import Document

TEMPLATES = ROOT / "templates" / "report"
ATTACHMENT = "rosetta-bench-report.json"
STANDARDS = [
    "a-3a",
    "ua-1",
]  # archival with attachment, and tagged for screen readers; Typst holds both while it builds


def compose(dataset: Dataset, language: str, warn: Callable[[str], None]) -> Document:
    """Return the report in one language; `warn` hears of every character that had to be replaced, once each.

    Raises SiteError if the data set has nothing to report.
    """
    if not dataset.boards:
        raise SiteError(
            "There is no result to report. Measure one with `rosetta run`, or name a folder that has submissions "
            "with --data or --local."
        )
    edition = labels.Edition(load_words(language), dataset.vocabulary)
    written = document(Material(dataset, edition, load_report_words(language)))
    told: set[str] = set()
    clean: Document = rewrite(written, lambda place, text: _legible(place, text, warn, told))
    return clean


def _legible(place: str, text: str, warn: Callable[[str], None], told: set[str]) -> str:
    shown, strange = legible(text)
    for character in strange:
        code = f"U+{ord(character):04X}"
        message = f"{place}: the font has no {code}; it is printed as [{code}] in {shown[:60]!r}."
        if character not in told:
            warn(message)
            told.add(character)
    return shown


def pdf(written: Document, templates: Path = TEMPLATES) -> bytes:
    """Return the report as PDF."""
    data = plain(written)
    files = {path.name: path.read_bytes() for path in sorted(templates.glob("*.typ"))}
    if "report.typ" not in files:
        raise SiteError(f"{templates / 'report.typ'} is missing; run `rosetta` from a checkout of the project.")
    files["main.typ"] = files.pop("report.typ")
    files["data.json"] = files[ATTACHMENT] = _json(data)
    for figure in figures(written):
        files[f"svg/{figure.id}.svg"] = draw(figure.chart).encode()
    setting: Any = typst.compile  # its types don't know that the input may be files in memory
    return bytes(setting(files, font_paths=[FONTS], ignore_system_fonts=True, pdf_standards=STANDARDS))


def _json(data: Any) -> bytes:  # noqa: ANN401 - any JSON value
    return json.dumps(data, ensure_ascii=False, indent=1).encode()
