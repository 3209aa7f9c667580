"""Findings, limits and gaps: sentences that follow from the numbers, each only where they support it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from collector.derive import FLAGS
from sitegen import board_charts, figures
from sitegen.report import naming
from sitegen.report.blocks import Block, Heading, Items, Paragraph
from sitegen.report.material import cases
from sitegen.views import board as board_views

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from collector.boards import Board, Row
    from collector.derive import Figure
    from sitegen.report.blocks import Text
    from sitegen.report.material import Material


def findings(material: Material) -> Iterator[Text]:
    """Yield a sentence for each group of comparable results that says something."""
    for board in material.boards:
        if board.published:
            continue
        for group, rows in board_views.groups(board).items():
            if group is not None:
                yield from _finding(material, board, rows)


def _finding(material: Material, board: Board, rows: Sequence[Row]) -> Iterator[Text]:
    placed = [row for row in rows if row.place is not None]
    valued = [row for row in rows if row.estimate is not None]
    common = {
        "case": naming.case_title(material, board.workload),
        "setting": naming.row_setting(material, rows[0]),
        "metric": naming.metric(material, board),
    }
    if len(placed) > 1 and all(row.place == 1 for row in placed):
        yield _tie(material, board, placed, common)
    elif len(placed) > 1:
        yield _lead(material, board, placed, common)
    elif len(rows) == 1 and valued:
        gaps = {"framework": naming.framework(material, rows[0]), **_value(material, board, rows[0])}
        yield material.words.spans("summary.alone", **common, **gaps)


def _tie(material: Material, board: Board, placed: Sequence[Row], common: dict[str, str]) -> Text:
    words = material.words
    values = sorted(row.estimate.value for row in placed if row.estimate)
    unit = naming.unit(material, board)
    ends = {
        "low": f"{figures.measured(values[0])}{figures.NBSP}{unit}",
        "high": f"{figures.measured(values[-1])}{figures.NBSP}{unit}",
    }
    names = words.join(naming.framework(material, row) for row in placed)
    return words.spans("summary.tied", frameworks=names, **ends, **common)


def _lead(material: Material, board: Board, placed: Sequence[Row], common: dict[str, str]) -> Text:
    words = material.words
    leaders = [row for row in placed if row.place == 1]
    behind = [
        words.text(
            "summary.follower", framework=naming.framework(material, row), value=_value(material, board, row)["value"]
        )
        for row in placed
        if row.place != 1
    ]
    named = [
        words.text("summary.leader", framework=naming.framework(material, row), **_value(material, board, row))
        for row in leaders
    ]
    others = [words.text("summary.behind", frameworks=words.join(behind))]
    if len(leaders) > 1:
        others.insert(0, words.text("summary.leaders_tied"))
    return words.spans("summary.leads", leaders=words.join(named), others=words.text("space").join(others), **common)


def _value(material: Material, board: Board, row: Row) -> dict[str, str]:
    words, estimate = material.words, row.estimate
    if estimate is None:
        return {"value": "–", "interval": ""}
    runs = words.count(estimate.n, "runs")
    value = f"{board_charts.value_text(board, row)}{figures.NBSP}{naming.unit(material, board)}"
    if estimate.low is None or estimate.high is None:
        return {"value": value, "interval": words.text("summary.no_interval", runs=runs)}
    places = figures.decimals(estimate.value)
    ends = {"low": figures.fixed(estimate.low, places), "high": figures.fixed(estimate.high, places)}
    return {"value": value, "interval": words.text("summary.interval", runs=runs, **ends)}


def limits(material: Material) -> Iterator[Text]:
    """Yield what this edition's numbers can't say."""
    words, measured = material.words, material.measured
    machines = {figure.cell.machine.name for figure in measured}
    if not measured:
        yield words.spans("summary.limit_none_measured")
    elif len(machines) == 1:
        yield words.spans("summary.limit_one_machine", machine=next(iter(machines)))
    if measured and not _several_frameworks(material):
        yield words.spans("summary.limit_one_framework")
    yield from _marks(material)
    failed = sum(figure.estimate is None for figure in measured)
    if failed:
        yield words.spans("summary.limit_failed", failed=words.count(failed, "results"))
    if material.published:
        yield words.spans("summary.limit_published")
    missing = sum(figure.estimate is None for figure in material.published)
    if missing:
        total = words.count(len(material.published), "cells")
        yield words.spans("summary.limit_missing", total=total, missing=str(missing))
    empty = cases_without(material, material.figures)
    if empty:
        yield words.spans("summary.limit_empty", cases=words.join(empty))


def _marks(material: Material) -> Iterator[Text]:
    """Yield how many entries carry each of the marks that qualify a value."""
    words = material.words
    marks = Counter(
        flag for board in material.boards if not board.published for row in board.rows for flag in row.flags
    )
    if marks:
        named = [
            material.shared("flag", f"{flag}.name") + words.text("brackets", inner=str(marks[flag]))
            for flag in FLAGS
            if flag in marks
        ]
        yield words.spans("summary.limit_marks", marks=words.join(named))


def _several_frameworks(material: Material) -> bool:
    groups = (
        rows
        for board in material.boards
        if not board.published
        for group, rows in board_views.groups(board).items()
        if group is not None
    )
    return any(len({row.framework for row in rows}) > 1 for rows in groups)


def cases_without(material: Material, found: Sequence[Figure]) -> list[str]:
    """Return the titles of test cases for which none of the given figures stands."""
    present = {figure.cell.result.workload for figure in found}
    return [naming.case_title(material, case) for case in cases(material) if case not in present]


def gaps(material: Material) -> Iterator[Block]:
    """Yield the chapter on what this edition lacks."""
    words = material.words
    yield Heading("sec-gaps", 1, words.text("gaps.title"))
    yield Paragraph(words.spans("gaps.text"))
    found = tuple(_gaps(material))
    yield Items(found) if found else Paragraph(words.spans("gaps.complete"))


def _gaps(material: Material) -> Iterator[Text]:
    words, measured = material.words, material.measured
    missing = cases_without(material, material.figures)
    if missing:
        yield words.spans("gaps.missing_cases", cases=words.join(missing))
    unmeasured = [case for case in cases_without(material, measured) if case not in missing]
    if unmeasured:
        yield words.spans("gaps.unmeasured_cases", cases=words.join(unmeasured))
    names = _only_published(material)
    if names:
        yield words.spans("gaps.unmeasured_frameworks", frameworks=words.join(names))
    if len({figure.cell.machine.name for figure in measured}) < 2:  # noqa: PLR2004 - "more than one" is meant
        yield words.spans("gaps.one_machine")
    if not any((figure.cell.result.scale.devices or 0) > 1 for figure in measured):
        yield words.spans("gaps.no_scale")
    if measured and not any(figure.trust == "reproduced" for figure in measured):
        yield words.spans("gaps.reproduced")


def _only_published(material: Material) -> list[str]:
    measured = {figure.cell.framework for figure in material.measured}
    others = {figure.cell.framework for figure in material.published} - measured
    known = material.dataset.vocabulary.frameworks
    return sorted((known[name].name if name in known else name for name in others), key=str.casefold)
