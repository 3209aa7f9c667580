"""What a suite at work shows: durations, plain lines, the bar of a terminal."""

from __future__ import annotations

import io
import re

import pytest
from rich.console import Console
from rich.live import Live

from runners import finished, manifests, plan, progress, suite, workloads
from runners.finished import Finished
from runners.plan import PROFILES, Settings

SETTINGS = Settings(kind="cpu", device="cpu", threads=2, profile=PROFILES["quick"])
RUN = {"warmup_step_seconds": [1.0] * 20, "window_seconds": 100.0, "warmup_steps": 20, "measured_steps": 100}
OK = Finished("2026-11-30T12:00:00Z", 125.0, {"outcome": "ok", "reason": None, "run": RUN, "stack": None}, {}, None)


@pytest.fixture
def cell():
    (made,) = plan.cells([manifests.load()["toy"]], [workloads.load()["toy-regression"]], SETTINGS)
    return made


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.44, "0.4 s"), (42.4, "42 s"), (119, "119 s"), (120, "2 min"), (7199, "120 min"), (7200, "2.0 h")],
)
def test_durations_read_well(seconds, words):
    assert progress.duration(seconds) == words


def test_plain_lines_are_few_and_the_end_says_the_outcome(cell):
    written = io.StringIO()
    display = progress.Plain(Console(file=written, width=60))
    display.started(cell, 1, 3, 90.0)
    for steps in range(120):
        display.progressed("measuring", steps)
    display.ended(Finished("", 2.0, {"outcome": "failed", "reason": "It broke."}, {}, None))
    first, last = written.getvalue().splitlines()
    title = "toy · toy-regression · fp32 · synthetic-device · batch 16 · 1n1c · run 1/3"
    assert first == f"{title} · measuring · 90 s left"
    assert last == f"{title} · failed in 2.0 s: It broke."


def test_a_terminal_shows_a_bar_with_phase_and_step(cell):
    written = io.StringIO()
    console = Console(file=written, width=100, force_terminal=True, color_system=None)
    with Live(console=console, auto_refresh=False) as live:
        display = progress.OnTerminal(console, live)
        display.started(cell, 2, 3, None)
        display.progressed("warm-up", 12)
    assert re.search(r"run 2/3\W.*warm-up · step 12/120", written.getvalue(), re.DOTALL)


def test_the_time_of_a_run_is_estimated_from_earlier_runs_of_the_same_setting(cell, tmp_path):
    assert suite.estimate(tmp_path, cell) is None
    finished.write(finished.path(tmp_path / "runs", "a", 1), OK, cell.request())
    assert suite.estimate(tmp_path, cell) == pytest.approx(5 + 120)
    smoke = plan.cells([cell.framework], [cell.workload], Settings("cpu", "cpu", 2, PROFILES["smoke"]))[0]
    assert suite.estimate(tmp_path, smoke) == pytest.approx(5 + 7)
    other = plan.cells([cell.framework], [cell.workload], Settings("cpu", "cpu", 1, PROFILES["quick"]))[0]
    assert suite.estimate(tmp_path, other) is None
