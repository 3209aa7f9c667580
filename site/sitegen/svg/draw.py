"""A chart as SVG for print: text stays text, patterns and dashes carry what colour does, same chart, same bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.sax.saxutils import quoteattr

from sitegen.fonts import FAMILY, width, wrap
from sitegen.svg import bars, lines
from sitegen.svg.parts import FILLS, HATCHES, INK, TEXT, WIDTH, bar, digits, pattern, stroke, tag, text

if TYPE_CHECKING:
    from sitegen.charts import Chart


def draw(chart: Chart) -> str:
    """Return the chart as an SVG document."""
    kind = bars if chart.kind == "bars" else lines
    left = kind.margin(chart)
    legend, top = _legend(chart, left)
    body, height = kind.plot(chart, left, top)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {digits(WIDTH)} {digits(height)}" '
        f'font-family={quoteattr(FAMILY)} font-size="{digits(TEXT)}" fill="{INK}">'
    )
    about = [tag("title", chart.title), tag("desc", chart.alt)]
    return "\n".join([head, *about, *_patterns(chart), *legend, *body, "</svg>"]) + "\n"


def _patterns(chart: Chart) -> list[str]:
    found = []
    for index, series in enumerate(chart.series):
        if series.hatched:
            angle, line, distance = HATCHES[index % len(HATCHES)]
            size = f'width="{digits(distance)}" height'
            found.append(
                f'<defs><pattern id={quoteattr(pattern(chart, index))} {size}="{digits(distance)}" '
                f'patternUnits="userSpaceOnUse" patternTransform="rotate({angle})">'
                f'<rect {size}="{digits(distance)}" fill="#ffffff"/>'
                f'<rect {size}="{digits(line)}" fill="{FILLS[0]}"/></pattern></defs>'
            )
    return found


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
        tags += [*_swatch(chart, index, x, y), text(lines[0], x + 18, y)]
        x += needed
    return tags, y + 9


def _swatch(chart: Chart, index: int, x: float, y: float) -> list[str]:
    if chart.kind == "bars":
        return [bar(chart, index, (x, y - 6.6), (14, 7))]
    return [tag("path", d=f"M{digits(x)} {digits(y - 2.8)}h14", **stroke(index))]
