"""Charts of boards: which bars there are, and what stands in the place of a missing one."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from sitegen import figures, labels
from sitegen.charts import Chart, Point, Series

LEADERS = 30  # bars that a chart can show legibly

if TYPE_CHECKING:
    from collections.abc import Sequence

    from collector.boards import Board, Row
    from sitegen.labels import Edition


def missing_note(edition: Edition, row: Row) -> str:
    """Return why a row has no value: its outcome in words, then the reason."""
    outcome = edition.words.named("outcome", f"{row.outcome}.name")
    limit = edition.words.named("limit", row.limit) if row.limit else None
    return " – ".join(filter(None, (outcome, limit, row.reason)))


def measured_chart(edition: Edition, board: Board, rows: Sequence[Row], chart_id: str) -> Chart:
    """Return the bars of rows that compare with each other, one bar a row."""
    title = labels.device_name(edition, rows[0].device, rows[0].devices)
    points = tuple(_point(edition, row, label) for row, label in zip(rows, _distinct(edition, rows), strict=True))
    return _chart(edition, board, chart_id, (Series(name=title, points=points),), best(board, rows))


def published_chart(edition: Edition, board: Board, chart_id: str) -> Chart:
    """Return the hatched bars of a source's table, one series a device; of a long one, a bar for the best of each."""
    series = _leading_series(edition, board) if board.long else _device_series(edition, board)
    return _chart(edition, board, chart_id, tuple(series), best(board, board.rows))


def _leading_series(edition: Edition, board: Board) -> list[Series]:
    leaders = _leaders(board)[:LEADERS]
    points = tuple(_point(edition, row, _device_label(edition, row, leaders)) for row in leaders)
    return [Series(name=board.source_title or "", points=points, hatched=True)]


def _device_series(edition: Edition, board: Board) -> list[Series]:
    devices: dict[str, list[Point]] = {}
    for row in board.rows:
        name = labels.device_name(edition, row.device, row.devices)
        devices.setdefault(name, []).append(_point(edition, row, labels.row_label(edition, row)))
    return [Series(name=name, points=tuple(points), hatched=True) for name, points in devices.items()]


def _device_label(edition: Edition, row: Row, leaders: Sequence[Row]) -> str:
    """Return a bar's device, with its framework where there are several."""
    device = labels.device_name(edition, row.device, row.devices)
    if len({other.framework for other in leaders}) == 1:
        return device
    return f"{device}: {labels.row_title(edition, row)}"


def _leaders(board: Board) -> list[Row]:
    """Return the best row of each device and number of devices, the best first."""
    groups: dict[tuple[str, int | None], list[Row]] = {}
    for row in board.rows:
        groups.setdefault((row.device, row.devices), []).append(row)
    found = [leader for rows in groups.values() if (leader := best(board, rows))]
    return sorted(found, key=lambda row: row.estimate.value if row.estimate else 0, reverse=board.better == "higher")


def best(board: Board, rows: Sequence[Row]) -> Row | None:
    """Return the row with the best value, the first of equals; None where no row has one.

    Rows with a place go before those that have too few runs for one: a single lucky run is no answer.
    """
    valued = [row for row in rows if row.estimate is not None]
    valued = [row for row in valued if row.place is not None] or valued
    sign = -1 if board.better == "higher" else 1
    return min(valued, key=lambda row: sign * row.estimate.value if row.estimate else 0.0, default=None)


def value_text(board: Board, row: Row) -> str:
    """Return a row's value; a published one with the digits that its source prints."""
    if row.estimate is None:
        return ""
    return figures.printed(row.estimate.value) if board.published else figures.measured(row.estimate.value)


def _distinct(edition: Edition, rows: Sequence[Row]) -> list[str]:
    """Return a label a row, marked or numbered where two would be the same bar."""
    seen: Counter[str] = Counter()
    found = []
    for row in rows:
        label = labels.row_label(edition, row)
        if row.yours:
            label = f"{label} · {edition.words('shared.yours_short')}"
        seen[label] += 1
        found.append(label if seen[label] == 1 else f"{label} · {seen[label]}")
    return found


def _point(edition: Edition, row: Row, label: str) -> Point:
    if row.estimate is None:
        return Point(label=label, value=None, note=missing_note(edition, row))
    return Point(label=label, value=row.estimate.value, low=row.estimate.low, high=row.estimate.high)


def _chart(edition: Edition, board: Board, chart_id: str, series: tuple[Series, ...], leader: Row | None) -> Chart:
    words = edition.words
    caption = labels.caption(edition, board)
    unit = labels.unit_name(edition, board.unit, board.workload)
    sentence = words("site.board.chart_none")
    if leader is not None:
        label = labels.row_label(edition, leader)
        sentence = words("site.board.chart_best", label=label, value=value_text(board, leader), unit=unit)
    return Chart(
        id=chart_id,
        kind="bars",
        title=caption,
        alt=words("site.board.chart_alt", caption=caption, best=sentence),
        value_title=labels.metric_title(edition, board.metric),
        unit=unit,
        series=series,
    )
