"""Which cells a plan keeps, what it says before it starts, and what a full disk does to it."""

from __future__ import annotations

import errno
import os
import sys
from dataclasses import replace

import pytest

from runners import choose, environ, files, launch, machine, manifests, plan, show, suite, workloads
from runners.environments import Environment
from runners.errors import UsageError
from runners.plan import PROFILES, Settings

SETTINGS = Settings("cpu", "cpu", 1, PROFILES["smoke"], levels=("one", "same", 5))


def toy_cells():
    return plan.cells([manifests.load()["toy"]], [workloads.load()["toy-regression"]], SETTINGS)


@pytest.mark.parametrize(
    ("only", "skip", "left"),
    [
        ([], [], [1, 16, 5]),
        (["toy/toy-regression/fp32/synthetic-device/16/1n1c"], [], [16]),
        (["*/5/*", "*/1/1n1c"], [], [1, 5]),
        (["toy/*"], ["*/16/*"], [1, 5]),
        ([], ["*/1n1c"], None),
    ],
)
def test_patterns_choose_cells_by_their_names(only, skip, left):
    if left is None:
        with pytest.raises(UsageError, match="leave nothing of 3 cells"):
            choose.selected(toy_cells(), only, skip)
    else:
        assert [cell.batch for cell in choose.selected(toy_cells(), only, skip)] == left


def suite_of(cells, folder):
    toy = Environment(sys.executable, environ.for_worker(os.environ), "test")
    harness = type("Harness", (), {"commit": None, "dirty": None})
    return suite.Suite(tuple(cells), {"toy": toy, "pytorch": "not made yet"}, harness, folder, 60.0)


def test_the_plan_counts_cells_and_runs_groups_them_and_tells_time_and_disk(tmp_path, monkeypatch):
    monkeypatch.setenv("ROSETTA_CACHE", str(tmp_path / "cache"))
    missing = manifests.load()["pytorch"]
    torch = plan.cells([missing], [workloads.load()["cifar10-cnn"]], replace(SETTINGS, levels=("same", "max")))
    lines = list(show.plan_lines(suite_of([*toy_cells(), *torch], tmp_path), {}, [missing]))
    assert lines[0] == "Plan: 5 cells, 5 runs, on the cpu with 1 thread a process; 0 of 5 runs done before."
    assert lines[1:3] == [
        "  toy-regression · fp32 · synthetic-device · 1n1c · batch 1, 16, 5 · toy: 3 cells, 3 runs to do of 7 steps",
        "  cifar10-cnn · fp32 · synthetic-device · 1n1c · batch 64, max · pytorch: 2 cells, 2 runs to do of 7 steps",
    ]
    assert "unknown for 5 cells never measured here, and the search for the largest batch of 1 cell" in lines[3]
    assert f"those to be made (pytorch) will take {missing.install_megabytes:,} MB" in lines[4]
    assert "GB free" in lines[4]


class Quiet:
    """A display that shows nothing."""

    def started(self, *_what):
        """See a run begin."""

    def progressed(self, *_what):
        """See it go on."""

    def ended(self, _run):
        """See it end."""


@pytest.mark.parametrize("where", ["scratch", "finished"])
def test_a_full_disk_ends_one_cell_with_a_reason_and_not_the_suite(where, tmp_path, monkeypatch):
    write, left = files.write_json, [1]

    def full_once(path, document):
        wanted = path.parent.name.startswith("rosetta-") if where == "scratch" else path.name == "1.json"
        if wanted and left:
            left.pop()
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
        write(path, document)

    monkeypatch.setattr(files, "write_json", full_once)
    monkeypatch.setattr(machine, "telemetry", lambda _kind: dict)
    made = suite_of(toy_cells(), tmp_path)
    measured = suite.measure(made, ["a", "b", "c"], {}, Quiet(), lambda _measured: None)
    assert [entry.outcome for entry in measured] == ["not_run", "ok", "ok"]
    assert "No space left on device. Free disk space" in measured[0].reason


def test_a_full_disk_below_the_submission_lets_the_suite_go_on(tmp_path, monkeypatch):
    monkeypatch.setattr(launch, "launch", lambda *_, **__: launch.not_run("Nothing was started."))

    def save(_measured):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "submission.json")

    measured = suite.measure(suite_of(toy_cells(), tmp_path), ["a", "b", "c"], {}, Quiet(), save)
    assert len(measured) == 3
