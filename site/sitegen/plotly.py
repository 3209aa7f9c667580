"""A chart as a Plotly figure: plain dicts, drawn in the browser in the colours of the theme."""

from __future__ import annotations

import html
import math
from statistics import median
from typing import TYPE_CHECKING, Any

from sitegen import figures

if TYPE_CHECKING:
    from sitegen.charts import Chart, Point, Series

Figure = dict[str, Any]

BAR_PIXELS = 22
GROUP_GAP = 0.5  # of a bar, between the groups of one label and the next
FRAME_PIXELS = 96  # axis, its title and the legend
LINES_PIXELS = 320
LABEL_CHARACTERS = 40
LINE_CHARACTERS = 21  # of a label beside its bar: two lines fit between one bar and the next, and a phone
NOTE_CHARACTERS = 90
HOVER_CHARACTERS = 300
LOGARITHMIC_FROM = 8  # a first step this many medians long would flatten all others
HEADROOM = 1.3  # for the value printed after the longest bar


def figure(chart: Chart) -> Figure:
    """Return `data` and `layout` of a chart; the browser adds the template."""
    return _bars(chart) if chart.kind == "bars" else _lines(chart)


def height(chart: Chart) -> int:
    """Return the height of a chart in CSS pixels."""
    if chart.kind == "lines":
        return LINES_PIXELS
    rows = len(_labels(chart)) * (len(chart.series) + GROUP_GAP)
    return round(FRAME_PIXELS + BAR_PIXELS * rows)


def _plain(text: str, longest: int) -> str:
    """Return a text in which Plotly finds no mark-up."""
    return html.escape(figures.shorten(text, longest), quote=False)


def _two_lines(label: str) -> str:
    """Return a label broken once, at the last space of its first line, and cut where it is longer still."""
    if len(label) <= LINE_CHARACTERS:
        return _plain(label, LINE_CHARACTERS)
    space = label.rfind(" ", 0, LINE_CHARACTERS + 1)
    cut = space if space > 0 else LINE_CHARACTERS
    return f"{_plain(label[:cut], LINE_CHARACTERS)}<br>{_plain(label[cut:].strip(), LINE_CHARACTERS)}"


def _labels(chart: Chart) -> list[str]:
    return list(dict.fromkeys(point.label for series in chart.series for point in series.points))


def _value(value: float | None, *, as_printed: bool) -> str:
    if value is None:
        return ""
    return figures.printed(value) if as_printed else figures.measured(value)


def _bars(chart: Chart) -> Figure:
    labels = _labels(chart)
    pitch = len(chart.series) + GROUP_GAP
    centres = {label: index * pitch + (len(chart.series) - 1) / 2 for index, label in enumerate(labels)}
    starts = {label: index * pitch for index, label in enumerate(labels)}
    traces = [_bar_trace(series, starts, offset, chart.unit) for offset, series in enumerate(chart.series)]
    texts = [_text_trace(series, starts, offset) for offset, series in enumerate(chart.series)]
    longest = max((p.high or p.value or 0 for s in chart.series for p in s.points), default=0)
    layout = {
        "height": height(chart),
        "bargap": 0,
        "margin": {"l": 8, "r": 8, "t": 8, "b": 52},
        "showlegend": len(chart.series) > 1,
        "legend": {"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom"},
        "xaxis": {
            "title": {"text": _plain(f"{chart.value_title} ({chart.unit})", LABEL_CHARACTERS * 2)},
            "range": [0, longest * HEADROOM or 1],
            "nticks": 5,
            "tickformat": ",~f",
            "tickangle": 0,
            "fixedrange": True,
        },
        "yaxis": {
            "tickmode": "array",
            "tickvals": [centres[label] for label in labels],
            "ticktext": [_two_lines(label) for label in labels],
            "range": [len(labels) * pitch - GROUP_GAP / 2 - 0.5, -0.5 - GROUP_GAP / 2],
            "automargin": True,
            "fixedrange": True,
            "showgrid": False,
            "zeroline": False,
            "ticks": "",
        },
    }
    return {"data": traces + texts, "layout": layout}


def _bar_trace(series: Series, starts: dict[str, float], offset: int, unit: str) -> Figure:
    points = [point for point in series.points if point.value is not None]
    trace: Figure = {
        "type": "bar",
        "orientation": "h",
        "name": _plain(series.name, LABEL_CHARACTERS),
        "x": [point.value for point in points],
        "y": [starts[point.label] + offset for point in points],
        "width": 0.8,
        "customdata": [
            [_plain(point.label, NOTE_CHARACTERS), _hover(point, unit, as_printed=series.hatched)] for point in points
        ],
        "hovertemplate": "%{customdata[0]}<br>%{customdata[1]}<extra></extra>",
    }
    if series.hatched:
        trace["marker"] = {"pattern": {"shape": "/", "size": 6, "solidity": 0.2}}
    if any(point.low is not None for point in points):
        trace["error_x"] = _errors(points)
    return trace


def _errors(points: list[Point]) -> Figure:
    def distance(point: Point, end: float | None) -> float:
        return 0.0 if end is None or point.value is None else abs(end - point.value)

    return {
        "type": "data",
        "symmetric": False,
        "array": [distance(point, point.high) for point in points],
        "arrayminus": [distance(point, point.low) for point in points],
        "thickness": 1.5,
        "width": 4,
    }


def _hover(point: Point, unit: str, *, as_printed: bool) -> str:
    value, low, high = (_value(number, as_printed=as_printed) for number in (point.value, point.low, point.high))
    interval = f" ({low} – {high})" if low else ""
    return html.escape(f"{value} {unit}{interval}", quote=False)


def _text_trace(series: Series, starts: dict[str, float], offset: int) -> Figure:
    """Return the text after each bar: its value, or the reason why there is no bar."""
    return {
        "type": "scatter",
        "mode": "text",
        "x": [point.high or point.value or 0 for point in series.points],
        "y": [starts[point.label] + offset for point in series.points],
        "text": [
            f" <i>{_plain(point.note or '', NOTE_CHARACTERS)}</i>"
            if point.value is None
            else f" {_value(point.value, as_printed=series.hatched)}"
            for point in series.points
        ],
        "textposition": "middle right",
        "cliponaxis": True,
        "hovertext": [_plain(point.note or "", HOVER_CHARACTERS) for point in series.points],
        "hoverinfo": ["skip" if point.note is None else "text" for point in series.points],
        "showlegend": False,
    }


def _lines(chart: Chart) -> Figure:
    values = [point.value for series in chart.series for point in series.points if point.value is not None]
    steep = bool(values) and min(values) > 0 and max(values) > LOGARITHMIC_FROM * median(values)
    layout: Figure = {
        "height": LINES_PIXELS,
        "margin": {"l": 8, "r": 8, "t": 8, "b": 52},
        "showlegend": len(chart.series) > 1,
        "legend": {"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom"},
        "hovermode": "closest",
        "xaxis": {"title": {"text": _plain(chart.label_title, LABEL_CHARACTERS)}, "zeroline": False},
        "yaxis": {
            "title": {"text": _plain(f"{chart.value_title} ({chart.unit})" if chart.unit else chart.value_title, 60)},
            "type": "log" if steep else "linear",
            "rangemode": "normal" if steep else "tozero",
            "automargin": True,
        },
    }
    if steep:
        layout["yaxis"] |= _decades(min(values), max(values))
    if chart.shaded:
        layout["shapes"] = [_shade(chart.shaded)]
    return {"data": [_line_trace(series) for series in chart.series], "layout": layout}


def _decades(low: float, high: float) -> Figure:
    """Return the ticks 1, 2 and 5 of each power of ten between two values: the browser's own show every digit."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    ticks = [digit * 10.0**power for power in powers for digit in (1, 2, 5)]
    shown = [tick for tick in ticks if low / 2 <= tick <= high * 2]
    return {"tickmode": "array", "tickvals": shown, "ticktext": [figures.printed(tick) for tick in shown]}


def _line_trace(series: Series) -> Figure:
    return {
        "type": "scatter",
        "mode": "lines",
        "name": _plain(series.name, LABEL_CHARACTERS),
        "x": [int(point.label) for point in series.points],
        "y": [point.value for point in series.points],
        "line": {"width": 1.5},
        "hovertemplate": "%{x}: %{y:.4g}",
    }


def _shade(steps: int) -> Figure:
    return {
        "type": "rect",
        "xref": "x",
        "yref": "paper",
        "x0": 0.5,
        "x1": steps + 0.5,
        "y0": 0,
        "y1": 1,
        "line": {"width": 0},
        "fillcolor": "rgba(128, 128, 128, 0.16)",
        "layer": "below",
    }
