"""Horizontal bars with error bars; what is missing says why in the bar's place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitegen.figures import measured, printed
from sitegen.fonts import width, wrap
from sitegen.svg.parts import GRID, INK, SOFT, TEXT, WIDTH, axis_title, bar, digits, highest, labels, tag, text, ticks

if TYPE_CHECKING:
    from sitegen.charts import Chart, Point

BAR, BAR_GAP, GROUP_GAP, LINE = 6.6, 1.2, 4.8, 8.4


def margin(chart: Chart) -> float:
    """Return where the bars begin: right of the longest label."""
    return 8 + max(width(line, TEXT) for label in labels(chart) for line in _broken(label))


def plot(chart: Chart, left: float, top: float) -> tuple[list[str], float]:
    """Return the tags of the bars and their axis, and the height of the drawing."""
    axis = ticks(highest([point for series in chart.series for point in series.points]))
    scale = (WIDTH - 48 - left) / axis[-1]
    tags, y = [], top
    for label in labels(chart):
        lines = _broken(label)
        rows = [(i, p) for i, s in enumerate(chart.series) for p in s.points if p.label == label]
        depth = max(len(rows) * (BAR + BAR_GAP), len(lines) * LINE)
        tags += _label(lines, left - 6, y + depth / 2)
        start = y + (depth - len(rows) * (BAR + BAR_GAP)) / 2
        for place, (index, point) in enumerate(rows):
            tags += _bar(chart, index, point, (left, start + place * (BAR + BAR_GAP)), scale)
        y += depth + GROUP_GAP
    return [*_value_axis(chart, axis, (left, top - 3, y - 3), scale), *tags], y + 21


def _broken(label: str) -> tuple[str, ...]:
    return wrap(label, TEXT, 140, 2)


def _label(lines: tuple[str, ...], x: float, middle: float) -> list[str]:
    first = middle + 1.9 - (len(lines) - 1) * LINE / 2
    return [text(line, x, first + i * LINE, text_anchor="end") for i, line in enumerate(lines)]


def _bar(chart: Chart, index: int, point: Point, at: tuple[float, float], scale: float) -> list[str]:
    x, y = at
    middle = y + BAR / 2
    if point.value is None:
        note = wrap(point.note or "–", TEXT - 0.6, WIDTH - x - 12, 1)[0]
        cross = f"M{digits(x + 2)} {digits(middle - 2)}l4 4m0 -4l-4 4"
        return [
            tag("path", d=cross, stroke=SOFT, stroke_width=0.8),
            text(note, x + 9, middle + 2.5, font_size=TEXT - 0.6, fill=SOFT),
        ]
    tags = [bar(chart, index, (x, y), (point.value * scale, BAR))]
    end = point.value
    if point.low is not None and point.high is not None:
        end = max(end, point.high)
        whisker = _whisker(x + point.low * scale, x + point.high * scale, middle)
        tags += [
            tag("path", d=whisker, stroke="#ffffff", stroke_width=2.4),  # a halo keeps it visible on a dark bar
            tag("path", d=whisker, stroke=INK, stroke_width=0.9),
        ]
    words = printed(point.value) if chart.series[index].hatched else measured(point.value)
    return [*tags, text(words, x + end * scale + 4, middle + 2.5)]


def _whisker(low: float, high: float, middle: float) -> str:
    return f"M{digits(low)} {digits(middle - 2.4)}v4.8m0 -2.4H{digits(high)}m0 -2.4v4.8"


def _value_axis(chart: Chart, axis: tuple[float, ...], frame: tuple[float, float, float], scale: float) -> list[str]:
    left, top, bottom = frame
    tags = [tag("path", d=f"M{digits(left)} {digits(top)}V{digits(bottom)}", stroke=INK, stroke_width=0.8)]
    for value in axis:
        x = left + value * scale
        if value:
            tags.append(tag("path", d=f"M{digits(x)} {digits(top)}V{digits(bottom)}", stroke=GRID, stroke_width=0.5))
        tags.append(text(printed(value), x, bottom + 9, text_anchor="middle", fill=SOFT))
    return [*tags, text(axis_title(chart), left + axis[-1] * scale / 2, bottom + 18.5, text_anchor="middle")]
