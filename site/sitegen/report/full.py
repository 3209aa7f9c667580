"""The long tables of the appendix: measured runs and published cells in full, grouped by what they share."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING

from collector.rates import throughput
from collector.schema import ID_DIGITS
from sitegen import figures, labels
from sitegen.report import naming
from sitegen.report.blocks import Block, Cell, Heading, Paragraph, Ref, Table
from sitegen.report.tables import aligned, columns, group, value_cells
from sitegen.views.board import kept_apart, source_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from collector.boards import Board, Row
    from collector.normalise import Cell as Result
    from sitegen.report.material import Material
    from sitegen.report.tables import Line

RUN_SHARES = {"run": 0, "started": 1.1, "steps": 0.8, "window": 0.8, "rate": 0.8, "first": 0.8, "loss": 1}
CELL_SHARES = {"framework": 1.5, "device": 1.1, "printed": 0.6, "value": 0.6, "place": 1}


def runs(material: Material) -> Iterator[Block]:
    """Yield every run of the measured results, once however many metrics it gave."""
    words = material.words
    results = {(figure.cell.entry.id, figure.cell.position): figure.cell for figure in material.measured}
    rows = tuple(row for cell in results.values() if cell.result.runs for row in _run_rows(material, cell))
    yield Heading("sec-runs", 1, words.text("runs.title"))
    yield Paragraph(words.spans("runs.text" if rows else "runs.none"))
    if rows:
        right = ("run", "window", "rate", "first")
        yield Table("tab-runs", words.text("runs.caption"), columns(material, "runs", RUN_SHARES, right), rows)


def _run_rows(material: Material, cell: Result) -> Iterator[Line]:
    found = cell.result.runs
    times = (
        aligned("–" if value is None else figures.measured(value) for value in values)
        for values in (
            [run.window_seconds for run in found],
            [throughput(run) for run in found],
            [run.first_step_seconds for run in found],
        )
    )
    yield group(_name(material, cell), _facts(material, cell), len(RUN_SHARES))
    for number, (run, *measured) in enumerate(zip(found, *times, strict=True), start=1):
        yield (
            str(number),
            run.started_at.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S") if run.started_at else "–",
            f"{run.warmup_steps or 0} + {run.measured_steps or 0}",
            *measured,
            f"{figures.measured(run.loss[0])} → {figures.measured(run.loss[-1])}" if run.loss else "–",
        )


def _name(material: Material, cell: Result) -> str:
    release = (labels.framework_name(material.edition, cell.framework), cell.stack.framework_version)
    detail = ", ".join(filter(None, (cell.stack.api, cell.result.variant)))
    brackets = f"({detail})" if detail else None
    return " ".join(filter(None, (*release, brackets))) + material.words.text("colon")


def _facts(material: Material, cell: Result) -> str:
    words, result = material.words, cell.result
    device = naming.device(material, cell.device, result.scale.devices)
    how = (result.threads_per_process, result.precision, result.batch.per_device, result.data.kind)
    submission = words.text("runs.submission", id=cell.entry.id[:ID_DIGITS])
    facts = (naming.case_title(material, result.workload), naming.setting(material, device, *how), submission)
    return words.text("semicolon").join(facts)


def published_cells(material: Material) -> Iterator[Block]:
    """Yield every published cell with its place in the source, a table a source."""
    words = material.words
    yield Heading("sec-published-cells", 1, words.text("cells.title"))
    if not material.published:
        yield Paragraph(words.spans("cells.none"))
    sources: dict[str, list[Board]] = {}
    for board in material.boards:
        if board.published and not board.long:
            sources.setdefault(board.source_title or "–", []).append(board)
    if unlisted := sum(len(board.rows) for board in material.boards if board.long):
        yield Paragraph(words.spans("cells.long", cells=words.count(unlisted, "cells")))
    for number, (source, boards) in enumerate(sources.items(), start=1):
        ident = f"tab-published-cells-{number}"
        yield Paragraph(words.spans("cells.text", tab=Ref(ident), source=source))
        rows = tuple(row for board in boards for row in _cell_rows(material, board))
        named = columns(material, "cells", CELL_SHARES, ("printed", "value"))
        caption = words.text("cells.caption", source=source)
        yield Table(ident, caption, named, rows, naming.open_note(material, rows))


def _cell_rows(material: Material, board: Board) -> Iterator[Line]:
    rows = sorted(board.rows, key=_in_source)
    facts = [naming.metric_with_unit(material, board), *kept_apart(material.edition, board)]
    title = naming.case_title(material, board.workload) + material.words.text("colon")
    yield group(title, material.words.text("semicolon").join(facts), len(CELL_SHARES))
    for row, value in zip(rows, value_cells(board, rows, "–"), strict=True):
        place = source_line(material.edition, row)
        names = (naming.framework(material, row), naming.marked_row_device(material, row))
        yield (*names, Cell((row.raw_text or "–",)), value, place)


def _in_source(row: Row) -> tuple[str, str]:
    return (row.source_path or "", (row.source_line or "").zfill(9))
