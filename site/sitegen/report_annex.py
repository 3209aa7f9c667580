"""The appendices: published cells and runs in full, sources, exclusions, glossary, how to cite."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING, get_args

from collector.derive import Trust
from collector.problems import Severity
from sitegen import figures, labels, report_material
from sitegen.report_blocks import Block, Cell, Code, Column, Heading, Link, Paragraph, Ref, Table, Turned
from sitegen.report_tables import aligned

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from collector.derive import Figure
    from collector.normalise import Entry
    from collector.schema import Run, Source
    from sitegen.report_material import Material

FLAGS = ("short", "unsettled", "stalls", "single", "pair", "spread", "unproved")
ID_DIGITS = 12  # as in addresses of the site


def appendices(material: Material) -> Iterator[Block]:
    """Yield all appendices in order."""
    yield Turned((*_published_cells(material), *_runs(material)))
    yield from _sources(material)
    yield from _exclusions(material)
    yield from _citing(material)
    yield from _glossary(material)


def columns(material: Material, chapter: str, shares: dict[str, float], right: Sequence[str] = ()) -> tuple[Column, ...]:
    """Return columns titled by the words of a chapter, with their shares of the width (0: as wide as needed)."""
    return tuple(
        Column(material.words.text(f"{chapter}.{key}"), "right" if key in right else "left", share)
        for key, share in shares.items()
    )


def _published_cells(material: Material) -> Iterator[Block]:
    words = material.words
    yield Heading("sec-published-cells", 1, words.text("cells.title"))
    if not material.published:
        yield Paragraph(words.spans("cells.none"))
    shares = {"number": 0, "case": 1.7, "framework": 0.9, "interface": 1.4, "language": 0, "device": 1.5, "data": 1.6}
    shares |= {"printed": 0, "value": 0, "unit": 0, "place": 1}
    for number, (title, cells) in enumerate(_by_source(material).items(), start=1):
        ident = f"tab-published-cells-{number}"
        yield Paragraph(words.spans("cells.text", tab=Ref(ident), source=title))
        caption = words.text("cells.caption", source=title)
        rows = _cell_rows(material, cells)
        named = columns(material, "cells", shares, ("number", "value"))
        yield Table(ident, caption, named, rows, report_material.open_note(material, rows))


def _by_source(material: Material) -> dict[str, list[Figure]]:
    found: dict[str, list[Figure]] = {}
    for figure in material.published:
        source = figure.cell.entry.submission.source
        found.setdefault(source.title if source else "–", []).append(figure)
    return found


def _cell_rows(material: Material, cells: Sequence[Figure]) -> tuple[tuple[str | Cell, ...], ...]:
    values = iter(aligned(figures.printed(cell.estimate.value) for cell in cells if cell.estimate))
    rows = []
    for number, figure in enumerate(cells, start=1):
        cell, metric = figure.cell, material.dataset.vocabulary.metrics[figure.metric]
        interface = [part for part in (cell.stack.api, cell.result.variant) if part]
        locator = cell.result.locator
        place = "–" if locator is None else locator.path if locator.line is None else f"{locator.path}:{locator.line}"
        rows.append(
            (
                str(number),
                report_material.case_title(material, cell.result.workload),
                labels.framework_name(material.edition, cell.framework),
                ", ".join(interface) or "–",
                report_material.language(cell.stack.language or "–"),
                report_material.marked_device(material, cell.device, cell.result.scale.devices),
                material.shared("data_kind", cell.result.data.kind),
                figure.raw_text or "–",
                next(values) if figure.estimate else Cell(("–",), role="missing"),
                labels.unit_name(material.edition, metric.unit, cell.result.workload),
                place,
            )
        )
    return tuple(rows)


def _runs(material: Material) -> Iterator[Block]:
    words = material.words
    yield Heading("sec-runs", 1, words.text("runs.title"))
    rows = tuple(row for figure in material.measured for row in _run_rows(material, figure))
    if not rows:
        yield Paragraph(words.spans("runs.none"))
        return
    yield Paragraph(words.spans("runs.text"))
    shares = {"submission": 0, "case": 1, "framework": 1, "run": 0, "started": 0, "steps": 0}
    shares |= {"window": 0, "rate": 0, "first": 0, "loss": 0}
    right = ("run", "window", "rate", "first")
    yield Table("tab-runs", words.text("runs.caption"), columns(material, "runs", shares, right), rows)


def _run_rows(material: Material, figure: Figure) -> Iterator[tuple[str, ...]]:
    cell = figure.cell
    release = " ".join(filter(None, (labels.framework_name(material.edition, cell.framework), cell.stack.framework_version)))
    for number, run in enumerate(cell.result.runs, start=1):
        yield (
            cell.entry.id[:ID_DIGITS],
            report_material.case_title(material, cell.result.workload),
            release,
            str(number),
            run.started_at.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S") if run.started_at else "–",
            f"{run.warmup_steps or 0} + {run.measured_steps or 0}",
            _measured(run.window_seconds),
            _measured(_rate(run)),
            _measured(run.first_step_seconds),
            f"{figures.measured(run.loss[0])} → {figures.measured(run.loss[-1])}" if run.loss else "–",
        )


def _rate(run: Run) -> float | None:
    if not (run.window_seconds and run.samples_per_step and run.measured_steps):
        return None
    return run.samples_per_step * run.measured_steps / run.window_seconds


def _measured(value: float | None) -> str:
    return "–" if value is None else figures.measured(value)


def _sources(material: Material) -> Iterator[Block]:
    words = material.words
    yield Heading("sec-sources", 1, words.text("sources.title"))
    sources = tuple(_source_rows(material))
    yield Paragraph(words.spans("sources.text" if sources else "sources.text_measured"))
    if sources:
        shares = {"source": 1.1, "address": 1.7, "commit": 1.5, "licence": 0, "retrieved": 0}
        named = columns(material, "sources", shares)
        yield Table("tab-sources", words.text("sources.caption_sources"), named, sources)
    shares = {"file": 1.5, "identity": 0, "submitter": 0.6, "origin": 1}
    rows = tuple(_entry_row(material, entry) for entry in report_material.entries(material.figures))
    named = columns(material, "sources", shares)
    yield Table("tab-submissions", words.text("sources.caption_submissions"), named, rows)


def _source_rows(material: Material) -> Iterator[tuple[str | Cell, ...]]:
    found: dict[tuple[str, str | None, str | None], Source] = {}
    for entry in report_material.entries(material.published):
        source = entry.submission.source
        if source:
            found.setdefault((source.title, source.url, source.commit), source)
    for source in found.values():
        address = Cell((Link(source.url),)) if source.url else "–"
        licence = source.licence or material.shared("licence", None)
        yield (source.title, address, source.commit or "–", licence, source.retrieved_on.isoformat())


def _entry_row(material: Material, entry: Entry) -> tuple[str, ...]:
    origin = material.shared("origin", entry.submission.origin)
    if entry.yours:
        origin += material.words.text("brackets", inner=material.words.text("sources.local"))
    return (entry.file, entry.id[:ID_DIGITS], entry.submission.submitter.name, origin)


def _exclusions(material: Material) -> Iterator[Block]:
    words = material.words
    yield Heading("sec-exclusions", 1, words.text("exclusions.title"))
    yield Heading("sec-missing", 2, words.text("exclusions.missing"))
    missing = tuple(_missing_rows(material))
    yield Paragraph(words.spans("exclusions.missing_text" if missing else "exclusions.missing_none"))
    if missing:
        shares = {"case": 1.3, "framework": 1.3, "device": 1, "outcome": 0, "reason": 1.5}
        named = columns(material, "exclusions", shares)
        notes = report_material.open_note(material, missing)
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
                    report_material.case_title(material, board.workload),
                    report_material.framework(material, row),
                    report_material.marked_row_device(material, row),
                    material.shared("outcome", f"{row.outcome}.name"),
                    row.reason or "–",
                )


def _excluded_rows(material: Material) -> Iterator[tuple[str, str]]:
    words, dataset = material.words, material.dataset
    for entry in dataset.submissions:
        standing = next((f.standing for f in dataset.figures if f.cell.entry.id == entry.id), "current")
        withdrawal = entry.submission.withdrawn
        if withdrawal:
            yield entry.file, words.text("exclusions.withdrawn", date=withdrawal.on.isoformat(), reason=withdrawal.reason)
        elif standing == "superseded":
            newer = next(other.id for other in dataset.submissions if other.submission.supersedes == entry.id)
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
    date = report_material.day(material, material.dataset.date or "")
    return (material.words.text("cite.text", date=date, version=material.version),)


def _bibtex(material: Material) -> tuple[str, ...]:
    date = material.dataset.date or ""
    return (
        f"@techreport{{rosetta-bench-{date},",
        f"title = {{{material.words.text('cite.title')}}},",
        f"author = {{{{{material.words.text('front.publisher')}}}}},",
        "institution = {Rosetta Bench},",
        f"number = {{{material.version}}},",
        f"year = {{{date[:4]}}},",
        f"note = {{{material.words.text('front.version_label')} {material.version}, {date}}}",
        "}",
    )
