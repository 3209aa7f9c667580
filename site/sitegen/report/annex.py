"""The appendices: results in full, sources, exclusions, how to cite, glossary."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

from collector.derive import FLAGS, Trust
from collector.problems import Severity
from collector.schema import ID_DIGITS
from sitegen.report import naming
from sitegen.report.blocks import Block, Cell, Code, Heading, Link, Paragraph, Table
from sitegen.report.full import published_cells, runs
from sitegen.report.material import day, entries
from sitegen.report.tables import columns

if TYPE_CHECKING:
    from collections.abc import Iterator

    from collector.normalise import Entry
    from collector.schema import Source
    from sitegen.report.material import Material


def appendices(material: Material) -> Iterator[Block]:
    """Yield all appendices in order."""
    yield from runs(material)
    yield from published_cells(material)
    yield from _sources(material)
    yield from _exclusions(material)
    yield from _citing(material)
    yield from _glossary(material)


def _sources(material: Material) -> Iterator[Block]:
    words = material.words
    yield Heading("sec-sources", 1, words.text("sources.title"))
    sources = tuple(_source_rows(material))
    yield Paragraph(words.spans("sources.text" if sources else "sources.text_measured"))
    if sources:
        shares = {"source": 1.1, "address": 1.7, "commit": 1.2, "licence": 0, "retrieved": 0}
        named = columns(material, "sources", shares)
        yield Table("tab-sources", words.text("sources.caption_sources"), named, sources)
    shares = {"file": 2.1, "identity": 0, "submitter": 0.9, "origin": 1.3}
    rows = tuple(_entry_row(material, entry) for entry in entries(material.figures))
    named = columns(material, "sources", shares)
    yield Table("tab-submissions", words.text("sources.caption_submissions"), named, rows)


def _source_rows(material: Material) -> Iterator[tuple[str | Cell, ...]]:
    found: dict[tuple[str, str | None, str | None], Source] = {}
    for entry in entries(material.published):
        source = entry.submission.source
        if source:
            found.setdefault((source.title, source.url, source.commit), source)
    for source in found.values():
        address = Cell((Link(source.url),)) if source.url else "–"
        licence = source.licence or material.shared("licence", None)
        yield (source.title, address, source.commit or "–", licence, source.retrieved_on.isoformat())


def _entry_row(material: Material, entry: Entry) -> tuple[str, ...]:
    local, public = material.words.text("sources.local"), material.shared("origin", entry.submission.origin)
    origin = local if entry.yours else public
    return (entry.file, entry.id[:ID_DIGITS], entry.submission.submitter.name, origin)


def _exclusions(material: Material) -> Iterator[Block]:
    words = material.words
    yield Heading("sec-exclusions", 1, words.text("exclusions.title"))
    yield Heading("sec-missing", 2, words.text("exclusions.missing"))
    missing = tuple(_missing_rows(material))
    yield Paragraph(words.spans("exclusions.missing_text" if missing else "exclusions.missing_none"))
    if missing:
        shares = {"case": 1.6, "framework": 1.3, "device": 1.1, "outcome": 0, "reason": 1.6}
        named = columns(material, "exclusions", shares)
        notes = naming.open_note(material, missing)
        yield Table("tab-missing", words.text("exclusions.caption_missing"), named, missing, notes)
    yield Heading("sec-excluded", 2, words.text("exclusions.excluded"))
    excluded = tuple(_excluded_rows(material))
    yield Paragraph(words.spans("exclusions.excluded_text" if excluded else "exclusions.excluded_none"))
    if excluded:
        named = columns(material, "exclusions", {"file": 1, "reason": 1.6})
        yield Table("tab-excluded", words.text("exclusions.caption_excluded"), named, excluded)


def _missing_rows(material: Material) -> Iterator[tuple[str, ...]]:
    for board in material.boards:
        for row in board.rows:
            if row.estimate is None:
                yield (
                    naming.case_title(material, board.workload),
                    naming.framework(material, row),
                    naming.marked_row_device(material, row),
                    material.shared("outcome", f"{row.outcome}.name"),
                    row.reason or "–",
                )


def _excluded_rows(material: Material) -> Iterator[tuple[str, str]]:
    words, dataset = material.words, material.dataset
    for entry in dataset.submissions:
        standing = next((f.standing for f in dataset.figures if f.cell.entry.id == entry.id), "current")
        withdrawal = entry.submission.withdrawn
        if withdrawal:
            yield (
                entry.file,
                words.text("exclusions.withdrawn", date=withdrawal.on.isoformat(), reason=withdrawal.reason),
            )
        elif standing == "superseded":
            newer = next(other.id for other in dataset.submissions if other.supersedes == entry.id)
            yield entry.file, words.text("exclusions.superseded", id=newer[:ID_DIGITS])
    for file in dataset.left_out:
        errors = [p for p in dataset.problems if p.file == file and p.severity is Severity.ERROR]
        for problem in errors[:1]:
            yield file, words.text("exclusions.problem", code=problem.code, path=problem.path, found=problem.found)


def _glossary(material: Material) -> Iterator[Block]:
    words = material.words
    yield Heading("sec-glossary", 1, words.text("glossary.title"))
    yield Paragraph(words.spans("glossary.text"))
    named = columns(material, "glossary", {"term": 0, "meaning": 1})
    terms = words.pairs("glossary.terms")
    yield Table("tab-terms", words.text("glossary.caption"), named, terms)
    groups = (("flag", FLAGS), ("trust", get_args(Trust)))
    marks = tuple(
        (material.shared(group, f"{name}.name"), material.shared(group, f"{name}.meaning"))
        for group, names in groups
        for name in names
    )
    named = columns(material, "glossary", {"mark": 0, "meaning": 1})
    yield Table("tab-marks", words.text("glossary.caption_marks"), named, marks)


def _citing(material: Material) -> Iterator[Block]:
    words = material.words
    yield Heading("sec-citing", 1, words.text("citing.title"))
    yield Paragraph(words.spans("citing.text"))
    yield Paragraph(citation(material))
    yield Code(_bibtex(material))


def citation(material: Material) -> tuple[str, ...]:
    """Return how to cite this edition, as one sentence."""
    return (material.words.text("cite.text", date=day(material), version=material.version),)


def _bibtex(material: Material) -> tuple[str, ...]:
    date = material.dataset.date or material.words.text("undated")
    return (
        f"@techreport{{rosetta-bench-{material.version},",
        f"  title = {{{material.words.text('cite.title')}}},",
        f"  author = {{{{{material.words.text('front.publisher')}}}}},",
        "  institution = {Rosetta Bench},",
        f"  number = {{{material.version}}},",
        *([f"  year = {{{material.dataset.date[:4]}}},"] if material.dataset.date else []),
        f"  note = {{{material.words.text('front.version_label')} {material.version}, {date}}}",
        "}",
    )
