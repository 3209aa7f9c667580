"""What all drawings share: measures, colours, patterns, and the tags of an SVG document."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sitegen.charts import Chart, Point

WIDTH = 470.0  # points: the text width of the report's page
TEXT = 7.2
INK = "#16283a"
SOFT = "#5b6b78"
GRID = "#d5dde3"
FILLS = ("#163f5c", "#3d7f9f", "#c3dce9", "#e2a23b")  # luminance differs by even steps, for black and white
HATCHES = ((45, 1.1, 3.0), (-45, 0.8, 4.2), (0, 0.8, 3.2), (90, 0.8, 2.4))  # angle, line, distance
DASHES = ("", "4 2", "1.2 1.6", "6 1.5 1.2 1.5", "2.5 1", "8 3", "1 3")


def digits(value: float) -> str:
    """Return a coordinate with at most two decimals."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def tag(name: str, content: str = "", **attributes: str | float) -> str:
    """Return an element; underscores in names of attributes become hyphens, content is escaped."""
    pairs = "".join(
        f" {key.replace('_', '-')}={quoteattr(value if isinstance(value, str) else digits(value))}"
        for key, value in attributes.items()
    )
    return f"<{name}{pairs}/>" if not content else f"<{name}{pairs}>{escape(content)}</{name}>"


def text(content: str, x: float, y: float, **attributes: str | float) -> str:
    """Return a line of text with its base line at `y`."""
    return tag("text", content, x=x, y=y, **attributes)


def pattern(chart: Chart, index: int) -> str:
    """Return the name of a series' hatch."""
    return f"{chart.id}-hatch-{index}"


def fill(chart: Chart, index: int) -> str:
    """Return the fill of a series: its hatch where it is published, else its colour."""
    return f"url(#{pattern(chart, index)})" if chart.series[index].hatched else FILLS[index % len(FILLS)]


def bar(chart: Chart, index: int, corner: tuple[float, float], size: tuple[float, float]) -> str:
    """Return a bar in the look of a series."""
    (x, y), (width, height) = corner, size
    look = {"fill": fill(chart, index), "stroke": FILLS[0], "stroke_width": "0.6"}
    return tag("rect", x=x, y=y, width=width, height=height, **look)


def stroke(index: int) -> dict[str, str]:
    """Return the look of a series' line: a dash of its own beside the colour."""
    dash = DASHES[index % len(DASHES)]
    colour = (FILLS[0], FILLS[1], FILLS[3])[index % 3]
    return {"fill": "none", "stroke": colour, "stroke_width": "0.9"} | ({"stroke_dasharray": dash} if dash else {})


def axis_title(chart: Chart) -> str:
    """Return what the values are, with their unit in the brackets of its script."""
    return f"{chart.value_title} ({chart.unit})" if chart.unit.isascii() else f"{chart.value_title}（{chart.unit}）"


def labels(chart: Chart) -> list[str]:
    """Return the labels of all series, each once, in order."""
    return list(dict.fromkeys(point.label for series in chart.series for point in series.points))


def highest(points: Sequence[Point]) -> float:
    """Return the largest value or upper end of an interval, 0 where there is none."""
    return max((max(p.value, p.high or p.value) for p in points if p.value is not None), default=0.0)


def ticks(highest: float, about: int = 5) -> tuple[float, ...]:
    """Return round axis values from 0 to the first one that is not below `highest`."""
    if highest <= 0:
        return (0.0, 1.0)
    power = 10.0 ** math.floor(math.log10(highest / about))
    step = next(m * power for m in (1, 2, 2.5, 5, 10) if m * power * about >= highest * (1 - 1e-9))
    return tuple(round(step * i, 12) for i in range(math.ceil(highest / step - 1e-9) + 1))
