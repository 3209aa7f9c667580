"""What the launcher sees of a worker from outside, and what it leaves alone."""

from __future__ import annotations

import os
import sys

import pytest

from runners import environ, launch, manifests, workloads
from runners.environments import Environment
from runners.plan import Cell, Profile, Settings


@pytest.fixture
def request_of_a_slow_toy():
    settings = Settings("cpu", "cpu", 1, Profile(1, 20, 30), options=(("fail", "slow"),))
    toy, job = manifests.load()["toy"], workloads.load()["toy-regression"]
    return Cell(toy, job, "fp32", "synthetic-device", "same", settings).request()


def run(python, request, folder, seen):
    def telemetry():
        seen.append("asked")
        return {"asked": len(seen)}

    return launch.launch(
        Environment(python, environ.for_worker(os.environ), "test"),
        request,
        folder / "1.log",
        timeout_seconds=60,
        telemetry=telemetry,
        on_progress=lambda phase, _steps: seen.append(phase),
    )


def test_the_device_is_asked_for_its_state_before_and_after_the_window_and_never_inside(
    request_of_a_slow_toy, tmp_path
):
    seen = []
    ended = run(sys.executable, request_of_a_slow_toy, tmp_path, seen)
    assert ended.outcome == "ok"
    first = seen.index("measuring")
    last = len(seen) - 1 - seen[::-1].index("measuring")
    assert "asked" not in seen[first:last]
    assert ended.telemetry["start"]["asked"] <= first, "in warm-up"
    assert ended.telemetry["end"]["asked"] > last


def test_of_a_log_without_end_only_the_last_words_are_told(request_of_a_slow_toy, tmp_path):
    python = tmp_path / "python"
    python.write_text(
        "#!/bin/sh\nhead -c 300000 /dev/zero | tr '\\0' x; echo; echo It broke.; exit 3\n", encoding="utf-8"
    )
    python.chmod(0o755)
    ended = run(python, request_of_a_slow_toy, tmp_path, [])
    assert ended.outcome == "crashed"
    assert "ended with exit status 3 and wrote no result" in ended.reason
    assert ended.reason.endswith('xxx / It broke.".')
    assert len(ended.reason) < 1000
