"""The summary: what this edition holds, what follows from it, what doesn't."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitegen.report import naming
from sitegen.report.blocks import Block, Cell, Column, Heading, Items, Paragraph, Table
from sitegen.report.findings import findings, limits
from sitegen.report.material import cases, day
from sitegen.report.results import by_device
from sitegen.report.tables import range_columns, range_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from collector.boards import Board
    from sitegen.report.material import Material


def summary(material: Material) -> Iterator[Block]:
    """Yield the summary: what there is, what follows, what doesn't."""
    words = material.words
    yield Heading("sec-summary", 1, words.text("summary.title"))
    yield Paragraph(words.spans("summary.intro", date=day(material), version=material.version))
    yield Paragraph(words.spans("summary.coverage", extent=_extent(material)))
    yield _coverage(material)
    yield Heading("sec-findings", 2, words.text("summary.findings"))
    found = tuple(findings(material))
    yield Items(found) if found else Paragraph(words.spans("summary.no_findings"))
    if material.published:
        yield Paragraph(words.spans("summary.published_intro"))
        yield _published_ranges(material)
    yield Heading("sec-limits", 2, words.text("summary.limits"))
    yield Items(tuple(limits(material)))


def _extent(material: Material) -> str:
    words = material.words
    machines = {figure.cell.machine.name for figure in material.measured}
    sources = {source.title for figure in material.published if (source := figure.cell.entry.submission.source)}
    parts = []
    if material.measured:
        counts = (words.count(len(material.measured), "results"), words.count(len(machines), "machines"))
        parts.append(words.text("summary.extent", what=counts[0], where=counts[1]))
    if material.published:
        counts = (words.count(len(material.published), "cells"), words.count(len(sources), "sources"))
        parts.append(words.text("summary.extent", what=counts[0], where=counts[1]))
    return words.join(parts)


def _coverage(material: Material) -> Table:
    words = material.words
    keys = ("measured", "measured_missing", "published", "published_missing")
    columns = (
        Column(words.text("summary.case"), share=1.6),
        *(Column(words.text(f"summary.{key}"), "right", share=1) for key in keys),
    )
    rows: list[tuple[str | Cell, ...]] = [
        (naming.case_title(material, case), *_counts(material, case)) for case in cases(material)
    ]
    total = (words.text("summary.total"), *_counts(material, None))
    rows.append(tuple(Cell((text,), role="total") for text in total))
    return Table("tab-coverage", words.text("summary.caption_coverage"), columns, tuple(rows))


def _counts(material: Material, case: str | None) -> tuple[str, ...]:
    counts = []
    for group in (material.measured, material.published):
        mine = [figure for figure in group if case in (None, figure.cell.result.workload)]
        counts += [str(len(mine)), str(sum(figure.estimate is None for figure in mine))]
    return tuple(count if count != "0" else "–" for count in counts)


def _published_ranges(material: Material) -> Table:
    words = material.words
    rows = [row for board in material.boards if board.published for row in _range_rows(material, board)]
    notes = naming.open_note(material, rows)
    return Table("tab-ranges", words.text("summary.caption_ranges"), range_columns(material), tuple(rows), notes)


def _range_rows(material: Material, board: Board) -> Iterator[tuple[str | Cell, ...]]:
    words = material.words
    parts = [naming.metric_with_unit(material, board), naming.source_part(material, board)]
    head = naming.case_title(material, board.workload) + words.text("colon")
    yield (Cell((head, words.text("semicolon").join(parts)), span=5, role="group"),)
    if board.long:
        yield _long_line(material, board)
        return
    yield from range_lines(material, by_device(material, board))


def _long_line(material: Material, board: Board) -> tuple[str | Cell, ...]:
    """Return the line that stands for a long board: its ranges stand in the chapter of its test case."""
    missing = sum(row.estimate is None for row in board.rows)
    names = {row.device for row in board.rows}
    where = material.words.text("summary.long", n=str(len(names)))
    return (where, str(len(board.rows) - missing), str(missing) if missing else "–", "–", "–")


def extent(material: Material) -> str:
    """Return how much this edition holds, for the cover."""
    words = material.words
    found = ((material.measured, "results"), (material.published, "cells"))
    parts = [words.count(len(some), noun) for some, noun in found if some]
    present = {figure.cell.result.workload for figure in material.figures}
    return words.text("comma").join([*parts, words.count(len(present), "cases")])
