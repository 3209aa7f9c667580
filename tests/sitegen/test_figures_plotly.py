"""Charts as Plotly figures: valid, without mark-up from names, and without bars where there is no value."""

from __future__ import annotations

import json
from pathlib import Path

import plotly.graph_objects as go
import plotly.offline
import pytest
from sitegen import plotly as drawing
from sitegen.charts import Chart, Point, Series

VENDOR = Path(__file__).resolve().parents[2] / "site" / "assets" / "vendor"
HOSTILE = "<b>%{x}</b> & $y$ " + "x" * 90


def bars(**changes):
    points = (
        Point(HOSTILE, 12.0, 11.0, 13.0),
        Point("plain", 10.0),
        Point("absent", None, note="out of memory – <i>big</i>"),
    )
    values = {
        "id": "fig-a", "kind": "bars", "title": "t", "alt": "a", "value_title": "Throughput", "unit": "images/s",
        "series": (Series("measured", points), Series("printed", points[1:], hatched=True)),
    }  # fmt: skip
    return Chart(**{**values, **changes})


def lines(values, shaded=2):
    series = tuple(Series(f"Run {n}", tuple(Point(str(i), v) for i, v in enumerate(values, 1))) for n in (1, 2))
    return Chart("fig-l", "lines", "Steps", "a", "Step", "ms", series, shaded=shaded)


@pytest.mark.parametrize(
    "chart",
    [bars(), bars(series=()), lines([400.0, 10.0, 10.5, 9.5]), lines([])],
    ids=["bars", "empty", "lines", "none"],
)
def test_plotly_itself_accepts_the_figure(chart):
    go.Figure(drawing.figure(chart))


def test_every_chart_of_the_site_is_accepted(site):
    for name, text in site.data.items():
        go.Figure(json.loads(text)), name


def test_a_missing_value_has_a_reason_and_no_bar():
    data = drawing.figure(bars())["data"]
    assert [trace["x"] for trace in data if trace["type"] == "bar"] == [[12.0, 10.0], [10.0]]
    texts = next(trace for trace in data if trace["type"] == "scatter")
    assert texts["text"][-1] == " <i>out of memory – &lt;i&gt;big&lt;/i&gt;</i>"


def test_names_carry_no_markup_into_the_chart():
    figure = drawing.figure(bars())
    assert "<b>" not in json.dumps(figure)
    assert "&lt;b&gt;" in figure["layout"]["yaxis"]["ticktext"][0]
    templates = {trace["hovertemplate"] for trace in figure["data"] if trace["type"] == "bar"}
    assert templates == {
        "%{customdata[0]}<br>%{customdata[1]}<extra></extra>"
    }  # names are values in it, never part of it


def test_published_bars_are_hatched_and_measured_ones_show_their_interval():
    measured, printed = [trace for trace in drawing.figure(bars())["data"] if trace["type"] == "bar"]
    assert measured["error_x"]["array"] == [1.0, 0.0]
    assert measured["error_x"]["arrayminus"] == [1.0, 0.0]
    assert "marker" not in measured
    assert printed["marker"]["pattern"]["shape"] == "/"


def test_warm_up_is_shaded_and_a_long_first_step_makes_the_axis_logarithmic():
    layout = drawing.figure(lines([400.0, 10.0, 10.5, 9.5]))["layout"]
    assert layout["shapes"][0]["x1"] == 2.5
    assert layout["yaxis"]["type"] == "log"
    assert layout["yaxis"]["ticktext"] == ["5", "10", "20", "50", "100", "200", "500"]
    assert drawing.figure(lines([11.0, 10.0]))["layout"]["yaxis"]["type"] == "linear"


def test_the_vendored_bundle_is_the_one_that_the_python_package_expects():
    import hashlib

    origin = json.loads((VENDOR / "plotly" / "vendor.json").read_text("utf-8"))
    bundle = (VENDOR / "plotly" / origin["file"]).read_bytes()
    assert origin["version"] == plotly.offline.get_plotlyjs_version()
    assert hashlib.sha256(bundle).hexdigest() == origin["sha256"]
    assert f"plotly.js (cartesian - minified) v{origin['version']}".encode() in bundle[:500]
