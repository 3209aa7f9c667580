"""The whole report as a value: front matter, chapters, appendices, in one language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitegen.report.annex import appendices, citation
from sitegen.report.blocks import Document, Front
from sitegen.report.environment import environment
from sitegen.report.findings import gaps
from sitegen.report.material import day
from sitegen.report.plan import method, plan
from sitegen.report.results import chapters
from sitegen.report.summary import extent, summary

if TYPE_CHECKING:
    from sitegen.report.blocks import Text
    from sitegen.report.material import Material


def document(material: Material) -> Document:
    """Return the report; the data set must have at least one board."""
    body = (
        *summary(material),
        *plan(material),
        *method(material),
        *chapters(material),
        *environment(material),
        *gaps(material),
    )
    words = material.words
    return Document(
        language=words.language,
        region=words.text("region"),
        front=_front(material),
        chapters=body,
        appendices=tuple(appendices(material)),
    )


def _front(material: Material) -> Front:
    words, date = material.words, material.dataset.date
    before, between, after = (str(part[0]) if part else "" for part in words.sentences("front.page"))
    shown = day(material)
    named = {key: words.text(f"front.{key}") for key in ("title", "subtitle", "publisher", "contents")}
    named |= {key: words.text(f"front.{key}") for key in ("figures", "tables", "figure", "table")}
    return Front(
        edition=words.text("front.edition", date=shown),
        running=words.text("front.running", date=shown),
        extent=extent(material),
        date=tuple(int(part) for part in date.split("-")) if date else None,
        version=f"{words.text('front.version_label')}{words.text('colon')}{material.version}",
        imprint=_imprint(material, shown),
        imprint_title=words.text("front.imprint"),
        page=(before, between, after),
        keywords=tuple("".join(map(str, keyword)) for keyword in words.sentences("front.keywords")),
        **named,
    )


def _imprint(material: Material, date: str) -> tuple[tuple[str, Text], ...]:
    words = material.words
    rows: dict[str, Text] = {
        "title": (f"{words.text('front.title')}{words.text('colon')}{words.text('front.subtitle')}",),
        "number": ("-".join(filter(None, ("RB", material.dataset.date, material.version))),),
        "date": (date,),
        "version": (material.dataset.version,),
        "publisher": (words.text("front.publisher"),),
        "language": (words.text("front.language"),),
        "other": (words.text("front.other"),),
        "generated": (words.text("front.generated"),),
        "attached": (words.text("front.attached"),),
        "licence": words.spans("front.licence"),
        "cite": citation(material),
    }
    return tuple((words.text(f"front.{key}_label"), text) for key, text in rows.items())
