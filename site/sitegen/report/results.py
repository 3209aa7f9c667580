"""A chapter for each test case that has results: specification, measured results, published figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitegen import board_charts, figures
from sitegen.report import naming
from sitegen.report.blocks import Block, Column, Heading, Paragraph, Ref, Table
from sitegen.report.figures import board_figures, step_figure
from sitegen.report.material import cases
from sitegen.report.tables import measured_table, published_tables, ranges_table
from sitegen.report.words import joined
from sitegen.views import board as board_views

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from collector import derive
    from collector.boards import Board, Row
    from collector.vocabulary import Workload
    from sitegen.report.blocks import Figure, Piece, Text
    from sitegen.report.material import Material


def chapters(material: Material) -> Iterator[Block]:
    """Yield the blocks of all test cases with results."""
    present = {board.workload for board in material.boards}
    for case in cases(material):
        if case in present:
            yield from _chapter(material, case)


def _chapter(material: Material, case: str) -> Iterator[Block]:
    words, title = material.words, naming.case_title(material, case)
    boards = [board for board in material.boards if board.workload == case]
    yield Heading(f"sec-{case}", 1, title)
    workload = material.dataset.vocabulary.workloads.get(case)
    if workload:
        task = workload.task[words.language]
        if words.language == "en":
            task = task[:1].lower() + task[1:]  # it stands in a sentence
        yield Paragraph(words.spans("case.intro", case=title, task=task))
        yield _specification(material, case, workload)
    yield Heading(f"sec-{case}-measured", 2, words.text("case.measured"))
    measured = [board for board in boards if not board.published]
    if not measured:
        yield Paragraph(words.spans("case.no_measured"))
    for board in measured:
        yield from _measured(material, board)
    published = [board for board in boards if board.published]
    if published:
        yield Heading(f"sec-{case}-published", 2, words.text("case.published"))
    for board in published:
        yield from _published(material, board)


def _specification(material: Material, case: str, workload: Workload) -> Table:
    words = material.words
    caption = words.text("case.caption_settings", case=naming.case_title(material, case))
    columns = (Column(words.text("case.item")), Column(words.text("case.value"), share=1))
    rows = tuple((words.text(f"case.{key}"), value) for key, value in _facts(material, workload))
    return Table(f"tab-{case}-specification", caption, columns, rows)


def _facts(material: Material, workload: Workload) -> Iterator[tuple[str, str]]:
    words = material.words
    yield "mode", material.shared("mode", workload.mode)
    network = workload.network
    if "input" in network:
        yield "input", " × ".join(str(size) for size in network["input"])
    if "classes" in network:
        yield "classes", str(network["classes"])
    yield "parameters", words.text("case.or").join(f"{count:,}" for count in workload.parameters)
    yield "work", f"{workload.multiply_adds:,}"
    yield "batch", str(workload.batch["same"])
    if workload.optimizer:
        momentum, rate = workload.optimizer.get("momentum", 0.0), workload.optimizer["learning_rate"]
        name = str(workload.optimizer["name"]).upper()
        yield "optimizer", words.text("case.optimizer_value", name=name, rate=f"{rate:g}", momentum=f"{momentum:g}")
    if workload.expected_loss is not None:
        yield "expected_loss", figures.measured(workload.expected_loss)
    if workload.accuracy:
        ends = {"low": figures.printed(workload.accuracy.low), "high": figures.printed(workload.accuracy.high)}
        metric = material.shared("metric_short", workload.accuracy.metric)
        yield "quality", words.text("case.quality_value", metric=metric, **ends)
    if workload.real:
        sizes = {"train": f"{workload.real.train_samples:,}", "test": f"{workload.real.test_samples:,}"}
        yield "real", words.text("case.real_value", epochs=str(workload.real.epochs), **sizes)
    yield "version", str(workload.version)


def _measured(material: Material, board: Board) -> Iterator[Block]:
    words = material.words
    table = measured_table(material, board)
    metric = naming.metric_with_unit(material, board)
    title = words.text("case.chart_measured", case=naming.case_title(material, board.workload), metric=metric)
    charts = board_figures(material, board, title)
    better = material.shared("better", board.better)
    if charts:
        yield Paragraph(
            words.spans("case.measured_text_chart", tab=Ref(table.id), fig=Ref(charts[0].id), better=better)
        )
    else:
        yield Paragraph(words.spans("case.measured_text", tab=Ref(table.id), better=better))
    yield table
    yield from charts
    if not charts:
        yield Paragraph(words.spans("case.no_chart"))
    yield from _steps(material, board)


def _steps(material: Material, board: Board) -> Iterator[Block]:
    """Yield the step times of the best result of each setting; accuracy and the like have none of their own."""
    if board.unit == "fraction":
        return
    settings = enumerate(board_views.groups(board).values(), start=1)
    charts = [chart for number, rows in settings if (chart := _step_figure(material, board, number, rows))]
    if charts:
        key = "case.steps_text_one" if len(charts) == 1 else "case.steps_text"
        yield Paragraph(material.words.spans(key, fig=Ref(charts[0].id), last=Ref(charts[-1].id)))
        yield from charts


def _step_figure(material: Material, board: Board, number: int, rows: Sequence[Row]) -> Figure | None:
    best = board_charts.best(board, rows)
    figure = _figure_of(material, board, best) if best else None
    if best is None or figure is None:
        return None
    caption = material.words.text(
        "case.chart_steps",
        case=naming.case_title(material, board.workload),
        framework=naming.framework(material, best),
        setting=material.words.text("case.setting_in_text", n=str(number)),
    )
    return step_figure(material, figure, f"fig-{board.id}-steps-{number}", caption)


def _figure_of(material: Material, board: Board, row: Row) -> derive.Figure | None:
    """Return the newest figure behind a row."""
    for ident in row.submissions:
        for figure in material.measured:
            cell = figure.cell
            mine = (cell.entry.id, figure.key, figure.metric, cell.framework) == (
                ident,
                row.group,
                board.metric,
                row.framework,
            )
            if mine and (cell.stack.api, cell.result.variant) == (row.api, row.variant):
                return figure
    return None


def _published(material: Material, board: Board) -> Iterator[Block]:
    words = material.words
    part = naming.source_part(material, board)
    case = naming.case_title(material, board.workload)
    metric = naming.metric_with_unit(material, board)
    caption = words.text("case.caption_published", case=case, metric=metric, part=part)
    if board.long:
        yield from _ranges_only(material, board, caption)
        return
    tables = published_tables(material, board, caption)
    charts = board_figures(material, board, caption)
    gaps: dict[str, Piece] = {
        "tab": Ref(tables[0].id),
        "metric": naming.metric(material, board),
        "source": naming.source_in_text(material, board),
        "better": material.shared("better", board.better),
    }
    if charts:
        opening = words.spans("case.published_text_chart", fig=Ref(charts[0].id), **gaps)
    else:
        opening = words.spans("case.published_text", **gaps)
    yield Paragraph(joined((*opening, *_ranges(material, board))))
    yield from tables
    yield from charts


def _ranges_only(material: Material, board: Board, caption: str) -> Iterator[Block]:
    """Yield the ranges of a source's long table, a row a device and number of them."""
    words = material.words
    table = ranges_table(material, board, caption, by_device(material, board))
    yield Paragraph(
        words.spans(
            "case.published_long",
            tab=Ref(table.id),
            cells=words.count(len(board.rows), "cells"),
            metric=naming.metric(material, board),
            source=naming.source_in_text(material, board),
            better=material.shared("better", board.better),
        )
    )
    yield table


def _ranges(material: Material, board: Board) -> Text:
    sentences = []
    for device, rows in by_device(material, board).items():
        values = sorted(row.estimate.value for row in rows if row.estimate)
        if not values:
            continue
        unit = naming.unit(material, board)
        low, high = (f"{figures.printed(value)}{figures.NBSP}{unit}" for value in (values[0], values[-1]))
        count = material.words.count(len(values), "figures")
        key = "case.published_one" if len(values) == 1 else "case.published_range"
        sentences.append(material.words.text(key, device=device, figures=count, low=low, high=high))
    return tuple(material.words.text("space") + sentence for sentence in sentences)


def by_device(material: Material, board: Board) -> dict[str, Sequence[Row]]:
    """Return the rows of a board by the device's name."""
    found: dict[str, list[Row]] = {}
    for row in board.rows:
        found.setdefault(naming.row_device(material, row), []).append(row)
    return dict(found)
