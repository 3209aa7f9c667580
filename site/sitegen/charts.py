"""What a chart shows, apart from how it is drawn: `plotly.py` draws it for the site, `svg/` for the report."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Point:
    """One value with its interval; `note` stands in the place of a missing value (why it failed or is absent)."""

    label: str
    value: float | None
    low: float | None = None
    high: float | None = None
    note: str | None = None


@dataclass(frozen=True)
class Series:
    """Points of one name; `hatched` marks published figures."""

    name: str
    points: tuple[Point, ...]
    hatched: bool = False


@dataclass(frozen=True)
class Chart:
    """A chart with its words in one language; `id` is stable: anchor, file name and PDF destination.

    `bars`: horizontal, one group a label, one bar a series. `lines`: labels are x values in order; `shaded` counts the
    leading points that are warm-up; `label_title` names the label axis of lines.
    """

    id: str
    kind: Literal["bars", "lines"]
    title: str
    alt: str
    value_title: str
    unit: str
    series: tuple[Series, ...]
    shaded: int = 0
    label_title: str = ""
