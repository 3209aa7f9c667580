"""Drawings: golden files, and what must hold for any chart."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sitegen.charts import Chart, Point, Series
from sitegen.svg.draw import draw
from sitegen.svg.parts import FILLS, ticks

GOLDEN = Path(__file__).parent / "golden"
SVG = "{http://www.w3.org/2000/svg}"

PUBLISHED = Chart(
    id="fig-published",
    kind="bars",
    title="Time for the fixed epochs",
    alt="Bar chart.",
    value_title="Time",
    unit="s",
    series=(
        Series("K80", (Point("PyTorch", 169.0), Point("Knet (Julia)", 159.0)), hatched=True),
        Series("P100", (Point("PyTorch", 51.0), Point("Knet (Julia)", None, note="no figure")), hatched=True),
    ),
)
MEASURED = Chart(
    id="fig-measured",
    kind="bars",
    title="吞吐率",
    alt="条形图。",
    value_title="吞吐率",
    unit="张图片/秒",
    series=(
        Series("设置 1", (Point("PyTorch", 511.25, 507.75, 515.25), Point("OneFlow", None, note="内存不足"))),
        Series("设置 2", (Point("PyTorch", 101.0, None, None),)),
    ),
)
STEPS = Chart(
    id="fig-steps",
    kind="lines",
    title="Step times",
    alt="Line chart.",
    value_title="Step time",
    unit="ms",
    series=(
        Series("Run 1", tuple(Point(str(n), v) for n, v in enumerate((900.0, 130.0, 125.0, 126.0, 251.0, 124.0), 1))),
        Series("Run 2", tuple(Point(str(n), v) for n, v in enumerate((800.0, 131.0, None, 127.0, 125.0, 124.5), 1))),
    ),
    shaded=2,
    label_title="Step",
)


@pytest.mark.parametrize("chart", [PUBLISHED, MEASURED, STEPS], ids=lambda chart: chart.id)
def test_a_drawing_equals_its_golden_file(chart, request):
    golden = GOLDEN / f"{chart.id}.svg"
    if request.config.getoption("--update-golden", default=False):
        golden.write_text(draw(chart), encoding="utf-8")
    assert draw(chart) == golden.read_text("utf-8")


def words(chart):
    return [element.text for element in ET.fromstring(draw(chart)).iter(f"{SVG}text")]


def rectangles(chart):
    """Return the rectangles of the drawing apart from those inside patterns."""
    return ET.fromstring(draw(chart)).findall(f"{SVG}rect")


def test_a_missing_value_is_a_note_and_no_bar():
    assert "no figure" in words(PUBLISHED)
    assert len(rectangles(PUBLISHED)) == 3 + len(PUBLISHED.series)  # bars and swatches


def test_names_stay_text_whatever_they_hold():
    hostile = '<script>alert("x")</script> & ]]>'
    chart = Chart("fig-x", "bars", hostile, hostile, hostile, hostile, (Series(hostile, (Point(hostile, 1.0),)),))
    root = ET.fromstring(draw(chart))
    assert root.find(f"{SVG}title").text == hostile
    assert not list(root.iter("script")) + list(root.iter(f"{SVG}script"))


def test_a_long_label_is_broken_and_shortened_instead_of_covering_the_bars():
    chart = Chart("fig-x", "bars", "", "", "v", "u", (Series("s", (Point("long name " * 40, 1.0),)),))
    ends = [element for element in ET.fromstring(draw(chart)).iter(f"{SVG}text") if element.get("text-anchor") == "end"]
    assert len(ends) == 2
    assert ends[1].text.endswith("…")


def test_the_width_of_a_bar_is_its_share_of_the_axis():
    first, second = (float(bar.get("width")) for bar in rectangles(MEASURED)[-2:])
    assert first / second == pytest.approx(511.25 / 101.0, rel=1e-3)


def test_a_slow_first_step_leaves_the_scale_to_the_others_and_shows_its_value():
    assert "▲ 900.0" in words(STEPS)
    assert "300" in words(STEPS)
    assert "1,000" not in words(STEPS)


def test_a_missing_step_is_a_gap():
    curves = [
        path.get("d") for path in ET.fromstring(draw(STEPS)).iter(f"{SVG}path") if path.get("stroke-width") == "0.9"
    ]
    assert [curve.count("M") for curve in curves if "L" in curve] == [1, 2]


@given(st.floats(min_value=1e-9, max_value=1e12))
def test_the_axis_begins_at_zero_and_covers_the_highest_value(highest):
    axis = ticks(highest)
    assert axis[0] == 0
    assert axis[-1] >= highest * (1 - 1e-6)
    assert 2 <= len(axis) <= 8
    assert list(axis) == sorted(set(axis))


def test_fills_can_be_told_apart_in_black_and_white():
    def grey(colour):
        red, green, blue = (int(colour[start : start + 2], 16) for start in (1, 3, 5))
        return 0.299 * red + 0.587 * green + 0.114 * blue

    shades = sorted(map(grey, FILLS))
    assert min(lighter - darker for darker, lighter in pairwise(shades)) > 40
