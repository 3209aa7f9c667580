"""A chart as SVG for print: text stays text, patterns and dashes carry what colour does, same chart, same bytes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from sitegen.figures import measured, printed
from sitegen.fonts import FAMILY, width, wrap

if TYPE_CHECKING:
    from sitegen.charts import Chart, Point, Series

WIDTH = 470.0  # points: the text width of the report's page
TEXT = 7.2
INK = "#16283a"
SOFT = "#5b6b78"
GRID = "#d5dde3"
FILLS = ("#163f5c", "#5a9bbd", "#c3dce9", "#e2a23b")  # luminance falls in even steps, for black and white
HATCHES = ((45, 1.1, 3.0), (-45, 0.8, 4.2), (0, 0.8, 3.2), (90, 0.8, 2.4))  # angle, line, distance
DASHES = ("", "4 2", "1.2 1.6", "6 1.5 1.2 1.5", "2.5 1", "8 3", "1 3")
BAR, BAR_GAP, GROUP_GAP = 6.6, 1.2, 4.8


def draw(chart: Chart) -> str:
    """Return the chart as an SVG document."""
    body, height = _bars(chart) if chart.kind == "bars" else _lines(chart)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {_n(WIDTH)} {_n(height)}" '
        f'font-family={quoteattr(FAMILY)} font-size="{_n(TEXT)}" fill="{INK}">'
    )
    about = [_tag("title", chart.title), _tag("desc", chart.alt)]
    return "\n".join([head, *about, *_patterns(chart), *body, "</svg>"]) + "\n"


def _n(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _tag(name: str, content: str | None = None, **attributes: str | float) -> str:
    pairs = "".join(
        f" {key.replace('_', '-')}={quoteattr(value if isinstance(value, str) else _n(value))}"
        for key, value in attributes.items()
    )
    return f"<{name}{pairs}/>" if content is None else f"<{name}{pairs}>{escape(content)}</{name}>"


def _text(content: str, x: float, y: float, **attributes: str | float) -> str:
    return _tag("text", content, x=x, y=y, **attributes)


def _patterns(chart: Chart) -> list[str]:
    found = []
    for index, series in enumerate(chart.series):
        if series.hatched:
            angle, line, distance = HATCHES[index % len(HATCHES)]
            found.append(
                f'<defs><pattern id={quoteattr(_pattern(chart, index))} width="{_n(distance)}" height="{_n(distance)}" '
                f'patternUnits="userSpaceOnUse" patternTransform="rotate({angle})">'
                f'<rect width="{_n(distance)}" height="{_n(distance)}" fill="#ffffff"/>'
                f'<rect width="{_n(distance)}" height="{_n(line)}" fill="{FILLS[0]}"/></pattern></defs>'
            )
    return found


def _pattern(chart: Chart, index: int) -> str:
    return f"{chart.id}-hatch-{index}"


def _fill(chart: Chart, index: int) -> str:
    return f"url(#{_pattern(chart, index)})" if chart.series[index].hatched else FILLS[index % len(FILLS)]


def _legend(chart: Chart, left: float) -> tuple[list[str], float]:
    """Return the legend's tags and the height that they take; one plain series needs none."""
    if len(chart.series) < 2 and not chart.series[0].hatched:  # noqa: PLR2004 - a legend tells two or more apart
        return [], 4.0
    tags, x, y = [], left, 10.0
    for index, series in enumerate(chart.series):
        lines = wrap(series.name, TEXT, WIDTH - left - 24, 1)
        needed = 18 + width(lines[0], TEXT) + 14
        if x > left and x + needed > WIDTH:
            x, y = left, y + 12
        tags += [*_swatch(chart, index, x, y), _text(lines[0], x + 18, y)]
        x += needed
    return tags, y + 9


def _swatch(chart: Chart, index: int, x: float, y: float) -> list[str]:
    if chart.kind == "bars":
        return [_tag("rect", x=x, y=y - 6.6, width=14, height=7, fill=_fill(chart, index), stroke=FILLS[0], stroke_width=0.6)]
    return [_tag("path", d=f"M{_n(x)} {_n(y - 2.8)}h14", **_stroke(index))]


def _stroke(index: int) -> dict[str, str | float]:
    dash = DASHES[index % len(DASHES)]
    colour = (FILLS[0], FILLS[1], FILLS[3])[index % 3]
    return {"fill": "none", "stroke": colour, "stroke_width": 0.9} | ({"stroke_dasharray": dash} if dash else {})


def _labels(chart: Chart) -> list[str]:
    return list(dict.fromkeys(point.label for series in chart.series for point in series.points))


def _highest(points: list[Point]) -> float:
    return max((max(p.value, p.high or p.value) for p in points if p.value is not None), default=0.0)


def ticks(highest: float, about: int = 5) -> tuple[float, ...]:
    """Return round axis values from 0 to the first one that is not below `highest`."""
    if highest <= 0:
        return (0.0, 1.0)
    power = 10.0 ** math.floor(math.log10(highest / about))
    step = next(m * power for m in (1, 2, 2.5, 5, 10) if m * power * about >= highest * (1 - 1e-9))
    return tuple(round(step * i, 12) for i in range(math.ceil(highest / step - 1e-9) + 1))


def _bars(chart: Chart) -> tuple[list[str], float]:
    labels = {label: wrap(label, TEXT, 140, 2) for label in _labels(chart)}
    left = 8 + max(width(line, TEXT) for lines in labels.values() for line in lines)
    legend, y = _legend(chart, left)
    axis = ticks(_highest([point for series in chart.series for point in series.points]))
    scale = (WIDTH - 48 - left) / axis[-1]
    top, bars = y, []
    for label, lines in labels.items():
        rows = [(i, p) for i, s in enumerate(chart.series) for p in s.points if p.label == label]
        depth = max(len(rows) * (BAR + BAR_GAP), len(lines) * 8.4)
        bars += _label(lines, left - 6, y + depth / 2)
        start = y + (depth - len(rows) * (BAR + BAR_GAP)) / 2
        for place, (index, point) in enumerate(rows):
            bars += _bar(chart, index, point, (left, start + place * (BAR + BAR_GAP)), scale)
        y += depth + GROUP_GAP
    return [*legend, *_value_axis(chart, axis, (left, top - 3, y - 3), scale), *bars], y + 21


def _label(lines: tuple[str, ...], x: float, middle: float) -> list[str]:
    first = middle + 1.9 - (len(lines) - 1) * 4.2
    return [_text(line, x, first + i * 8.4, text_anchor="end") for i, line in enumerate(lines)]


def _bar(chart: Chart, index: int, point: Point, at: tuple[float, float], scale: float) -> list[str]:
    x, y = at
    middle = y + BAR / 2
    if point.value is None:
        note = wrap(point.note or "–", TEXT - 0.6, WIDTH - x - 12, 1)[0]
        cross = f"M{_n(x + 2)} {_n(middle - 2)}l4 4m0 -4l-4 4"
        return [
            _tag("path", d=cross, stroke=SOFT, stroke_width=0.8),
            _text(note, x + 9, middle + 2.5, font_size=TEXT - 0.6, fill=SOFT),
        ]
    tags = [
        _tag("rect", x=x, y=y, width=point.value * scale, height=BAR, fill=_fill(chart, index), stroke=FILLS[0], stroke_width=0.6)
    ]
    end = point.value
    if point.low is not None and point.high is not None:
        end = max(end, point.high)
        whisker = _whisker(x + point.low * scale, x + point.high * scale, middle)
        tags += [
            _tag("path", d=whisker, stroke="#ffffff", stroke_width=2.4),  # a halo keeps it visible on a dark bar
            _tag("path", d=whisker, stroke=INK, stroke_width=0.9),
        ]
    words = printed(point.value) if chart.series[index].hatched else measured(point.value)
    return [*tags, _text(words, x + end * scale + 4, middle + 2.5)]


def _whisker(low: float, high: float, middle: float) -> str:
    return f"M{_n(low)} {_n(middle - 2.4)}v4.8m0 -2.4H{_n(high)}m0 -2.4v4.8"


def _value_axis(
    chart: Chart, axis: tuple[float, ...], frame: tuple[float, float, float], scale: float
) -> list[str]:
    left, top, bottom = frame
    tags = [_tag("path", d=f"M{_n(left)} {_n(top)}V{_n(bottom)}", stroke=INK, stroke_width=0.8)]
    for value in axis:
        x = left + value * scale
        if value:
            tags.append(_tag("path", d=f"M{_n(x)} {_n(top)}V{_n(bottom)}", stroke=GRID, stroke_width=0.5))
        tags.append(_text(printed(value), x, bottom + 9, text_anchor="middle", fill=SOFT))
    title = f"{chart.value_title} ({chart.unit})"
    return [*tags, _text(title, left + axis[-1] * scale / 2, bottom + 18.5, text_anchor="middle")]


def _lines(chart: Chart) -> tuple[list[str], float]:
    labels = _labels(chart)
    axis = ticks(_ceiling(chart))
    left = 14 + max(width(printed(value), TEXT) for value in axis)
    legend, top = _legend(chart, left)
    top += 12
    bottom, step = top + 120, (WIDTH - 8 - left) / max(1, len(labels) - 1)
    scale = (bottom - top) / axis[-1]
    places = {label: left + i * step for i, label in enumerate(labels)}
    tags = [*legend]
    if chart.shaded:
        tags.append(_tag("rect", x=left, y=top, width=max(0.0, chart.shaded - 0.5) * step, height=120, fill="#e9eef2"))
    tags += _grid(chart, axis, (left, bottom), scale)
    for label in labels[:: max(1, len(labels) // 6)]:
        tags.append(_text(label, places[label], bottom + 10, text_anchor="middle", fill=SOFT))
    for index, series in enumerate(chart.series):
        tags += _curve(series, index, places, (bottom, scale, axis[-1]))
    title = _text(chart.label_title, (left + WIDTH - 8) / 2, bottom + 21, text_anchor="middle")
    return [*tags, title], bottom + 25


def _ceiling(chart: Chart) -> float:
    """Return the largest value after the shaded points: a slow first step must not flatten all others."""
    late = [point for series in chart.series for point in series.points[chart.shaded :]]
    return _highest(late) * 1.08 or _highest([point for series in chart.series for point in series.points])


def _grid(chart: Chart, axis: tuple[float, ...], corner: tuple[float, float], scale: float) -> list[str]:
    left, bottom = corner
    tags = [_text(f"{chart.value_title} ({chart.unit})", left, bottom - axis[-1] * scale - 5)]
    for value in axis:
        y = bottom - value * scale
        colour = GRID if value else INK
        tags.append(_tag("path", d=f"M{_n(left)} {_n(y)}H{_n(WIDTH - 8)}", stroke=colour, stroke_width=0.5))
        tags.append(_text(printed(value), left - 5, y + 2.6, text_anchor="end", fill=SOFT))
    return tags


def _curve(series: Series, index: int, places: dict[str, float], frame: tuple[float, float, float]) -> list[str]:
    """Return a series as a path with gaps where values are missing; a value beyond the axis is a marked triangle."""
    bottom, scale, top = frame
    path, tags, pen = "", [], "M"
    for point in series.points:
        if point.value is None:
            pen = "M"
            continue
        x, y = places[point.label], bottom - min(point.value, top) * scale
        path += f"{pen}{_n(x)} {_n(y)}"
        pen = "L"
        if point.value > top:
            tags.append(_tag("path", d=f"M{_n(x - 2.4)} {_n(y + 4)}h4.8l-2.4 -4.4z", fill=INK))
            tags.append(_text(measured(point.value), x + 5, y + 5 + 8 * index, fill=INK))
    return [_tag("path", d=path, **_stroke(index)), *tags]
