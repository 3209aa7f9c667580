"""The report's charts: boards and step times, cut into parts that fit a page."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sitegen import board_charts, figures
from sitegen.charts import Chart, Point, Series
from sitegen.report import naming
from sitegen.report.blocks import Figure
from sitegen.views.board import groups

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from collector import derive
    from collector.boards import Board
    from collector.schema import Run
    from sitegen.report.material import Material

SERIES, BARS = 4, 32  # as many as fills and a page can tell apart
RUNS = 7  # as many as dashes can
MILLISECONDS = 1000


def board_figures(material: Material, board: Board, caption: str) -> tuple[Figure, ...]:
    """Return the charts of a board, none where no row has a value."""
    if not any(row.estimate for row in board.rows):
        return ()
    chart = _published(material, board) if board.published else _measured(material, board)
    parts = [part for part in _parts(chart) if any(point.value is not None for s in part.series for point in s.points)]
    return tuple(_figure(material, part, caption, n, len(parts)) for n, part in enumerate(parts, start=1))


def step_figure(material: Material, figure: derive.Figure, ident: str, caption: str) -> Figure | None:
    """Return the chart of a figure's step times in milliseconds, or None where no run has recorded them."""
    runs = [run for run in figure.cell.result.runs if run.step_seconds][:RUNS]
    if not runs:
        return None
    words = material.words
    series = tuple(Series(words.text("case.run", n=str(n)), _steps(run)) for n, run in enumerate(runs, start=1))
    median = figures.measured((figure.steps.median or 0) * MILLISECONDS)
    chart = Chart(
        id=ident,
        kind="lines",
        title=caption,
        alt=words.text("case.alt_steps", caption=caption, median=median),
        value_title=words.text("case.step_time"),
        unit=material.shared("unit", "ms"),
        series=series,
        shaded=min(len(run.warmup_step_seconds) for run in runs),
        label_title=words.text("case.step"),
    )
    return Figure(ident, caption, chart)


def _steps(run: Run) -> tuple[Point, ...]:
    times = (*run.warmup_step_seconds, *run.step_seconds)
    return tuple(Point(str(n), seconds * MILLISECONDS) for n, seconds in enumerate(times, start=1))


def _measured(material: Material, board: Board) -> Chart:
    """Return one chart with a series a setting, numbered like the table."""
    charts = [
        board_charts.measured_chart(
            material.edition, board, [replace(row, yours=False) for row in rows], f"fig-{board.id}"
        )
        for rows in groups(board).values()
    ]
    series = tuple(
        replace(part, name=f"{material.words.text('case.setting', n=str(n))}{material.words.text('colon')}{part.name}")
        for n, chart in enumerate(charts, start=1)
        for part in chart.series
    )
    return replace(charts[0], series=series)


def _published(material: Material, board: Board) -> Chart:
    chart = board_charts.published_chart(material.edition, board, f"fig-{board.id}")
    names = dict.fromkeys(naming.row_device(material, row) for row in board.rows)
    return replace(chart, series=tuple(replace(s, name=n) for s, n in zip(chart.series, names, strict=True)))


def _parts(chart: Chart) -> Iterator[Chart]:
    for first in range(0, len(chart.series), SERIES):
        series = chart.series[first : first + SERIES]
        names = list(dict.fromkeys(point.label for part in series for point in part.points))
        room = BARS // len(series)
        for start in range(0, len(names), room):
            shown = set(names[start : start + room])
            yield replace(chart, series=tuple(_only(part, shown) for part in series))


def _only(series: Series, labels: set[str]) -> Series:
    kept = tuple(_tidy(point) for point in series.points if point.label in labels)
    return replace(series, points=kept)


def _tidy(point: Point) -> Point:
    """Return a point without the font's dot and curly quotes, which in a drawing come as wide as a Chinese character."""
    note = point.note and point.note.replace("“", '"').replace("”", '"')
    return replace(point, label=point.label.replace(" · ", ", "), note=note)


def _figure(material: Material, part: Chart, caption: str, number: int, count: int) -> Figure:
    ident = part.id if count == 1 else f"{part.id}-{number}"
    if count > 1:
        caption = material.words.text("case.continued", caption=caption, n=str(number), all=str(count))
    alt = material.words.text("case.alt", caption=caption, values=_spoken(material, part.series))
    return Figure(ident, caption, replace(part, id=ident, title=caption, alt=alt))


def _spoken(material: Material, series: Sequence[Series]) -> str:
    values = [
        material.words.text("case.alt_value", label=point.label, series=part.name, value=_value(part, point))
        for part in series
        for point in part.points
    ]
    return "; ".join(values)


def _value(series: Series, point: Point) -> str:
    if point.value is None:
        return point.note or "–"
    return figures.printed(point.value) if series.hatched else figures.measured(point.value)
