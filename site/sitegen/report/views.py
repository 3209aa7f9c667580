"""The whole report as a value: front matter, chapters, appendices, in one language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitegen.report import annex as report_annex
from sitegen.report import environment as report_environment
from sitegen.report import findings as report_findings
from sitegen.report import material as report_material
from sitegen.report import plan as report_plan
from sitegen.report import results as report_results
from sitegen.report import summary as report_summary
from sitegen.report.blocks import Document, Front

if TYPE_CHECKING:
    from sitegen.report.blocks import Text
    from sitegen.report.material import Material


def document(material: Material) -> Document:
    """Return the report; the data set must have at least one board."""
    chapters = (
        *report_summary.summary(material),
        *report_plan.plan(material),
        *report_plan.method(material),
        *report_results.chapters(material),
        *report_environment.environment(material),
        *report_findings.gaps(material),
    )
    words = material.words
    return Document(
        language=words.language,
        region=words.text("region"),
        front=_front(material),
        chapters=chapters,
        appendices=tuple(report_annex.appendices(material)),
    )


def _front(material: Material) -> Front:
    words, date = material.words, material.dataset.date
    before, between, after = (str(part[0]) if part else "" for part in words.sentences("front.page"))
    shown = report_material.day(material)
    named = {key: words.text(f"front.{key}") for key in ("title", "subtitle", "publisher", "contents")}
    named |= {key: words.text(f"front.{key}") for key in ("figures", "tables", "figure", "table")}
    return Front(
        edition=words.text("front.edition", date=shown),
        extent=report_summary.extent(material),
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
        "cite": report_annex.citation(material),
    }
    return tuple((words.text(f"front.{key}_label"), text) for key, text in rows.items())
