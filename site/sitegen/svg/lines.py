"""Lines over steps: gaps where values are missing, warm-up shaded, what leaves the axis marked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitegen.figures import measured, printed
from sitegen.fonts import width
from sitegen.svg.parts import (
    GRID,
    INK,
    SOFT,
    TEXT,
    WIDTH,
    axis_title,
    digits,
    highest,
    labels,
    stroke,
    tag,
    text,
    ticks,
)

if TYPE_CHECKING:
    from sitegen.charts import Chart, Series

DEPTH = 84.0
SHADE = "#e9eef2"


def margin(chart: Chart) -> float:
    """Return where the curves begin: right of the axis' numbers."""
    return 14 + max(width(printed(value), TEXT) for value in ticks(_ceiling(chart)))


def plot(chart: Chart, left: float, top: float) -> tuple[list[str], float]:
    """Return the tags of the curves and their axes, and the height of the drawing."""
    names, axis = labels(chart), ticks(_ceiling(chart))
    top, bottom, right = top + 12, top + 12 + DEPTH, WIDTH - 8
    step, scale = (right - left) / max(1, len(names) - 1), DEPTH / axis[-1]
    places = {name: left + i * step for i, name in enumerate(names)}
    tags = []
    if chart.shaded:
        tags.append(tag("rect", x=left, y=top, width=(chart.shaded - 0.5) * step, height=DEPTH, fill=SHADE))
    tags += _grid(chart, axis, (left, bottom), scale)
    every = max(1, len(names) // 6)
    for name in names[every - 1 :: every]:
        tags.append(text(name, places[name], bottom + 9, text_anchor="middle", fill=SOFT))
    for index, series in enumerate(chart.series):
        tags += _curve(series, index, places, (bottom, scale, axis[-1]))
    highest_value = max((p.value for s in chart.series for p in s.points if p.value is not None), default=0.0)
    if highest_value > axis[-1]:
        tags.append(text(f"▲ {measured(highest_value)}", right, top - 5, text_anchor="end"))
    title = text(chart.label_title, (left + right) / 2, bottom + 18.5, text_anchor="middle")
    return [*tags, title], bottom + 22


def _ceiling(chart: Chart) -> float:
    """Return the largest value after the shaded points: a slow first step must not flatten all others."""
    late = [point for series in chart.series for point in series.points[chart.shaded :]]
    return highest(late) * 1.08 or highest([point for series in chart.series for point in series.points])


def _grid(chart: Chart, axis: tuple[float, ...], corner: tuple[float, float], scale: float) -> list[str]:
    left, bottom = corner
    tags = [text(axis_title(chart), left, bottom - axis[-1] * scale - 5)]
    for value in axis:
        y = bottom - value * scale
        colour = GRID if value else INK
        tags.append(tag("path", d=f"M{digits(left)} {digits(y)}H{digits(WIDTH - 8)}", stroke=colour, stroke_width=0.5))
        tags.append(text(printed(value), left - 5, y + 2.6, text_anchor="end", fill=SOFT))
    return tags


def _curve(series: Series, index: int, places: dict[str, float], frame: tuple[float, float, float]) -> list[str]:
    """Return a series as a path with gaps where values are missing; what leaves the axis is marked."""
    bottom, scale, top = frame
    path, tags, pen = "", [], "M"
    for point in series.points:
        if point.value is None:
            pen = "M"
            continue
        x, y = places[point.label], bottom - min(point.value, top) * scale
        path += f"{pen}{digits(x)} {digits(y)}"
        pen = "L"
        if point.value > top:
            tags.append(tag("path", d=f"M{digits(x - 2.4)} {digits(y + 4)}h4.8l-2.4 -4.4z", fill=INK))
    return [tag("path", d=path, **stroke(index)), *tags]
