"""The search for the largest batch: pure, and with real workers of the toy."""

from __future__ import annotations

import json
import os
import resource
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runners import environ, launch, manifests, plan, search, suite, workloads
from runners.environments import Environment
from runners.plan import PROFILES, Scale, Search, Settings


@given(st.integers(1, 5000), st.sampled_from([4, 8]))
def test_the_search_ends_within_a_step_below_what_fits(room, step):
    tried = []

    def works(size):
        tried.append(size)
        return size <= room

    found, how = search.largest(works, step)
    assert found <= room < how.first_failed <= found + max(step, found)
    assert how.first_failed - found <= step or found < step
    assert found in tried
    assert how.first_failed in tried
    assert len(set(tried)) == len(tried)


@given(st.integers(1, 500), st.integers(1, 500))
def test_a_bound_is_never_passed_and_leaves_no_failure_where_everything_worked(room, bound):
    tried = []
    found, how = search.largest(lambda size: tried.append(size) or size <= room, 8, bound)
    assert max(tried) <= bound
    if bound <= room:
        assert (found, how) == (bound, Search(8, None))


def test_where_one_sample_is_too_much_the_search_says_so():
    assert search.largest(lambda _size: False, 8) == (1, Search(8, 1))


def test_anything_but_memory_stops_the_search():
    assert search.largest(lambda size: True if size < 4 else None, 8) == (4, None)


def batch(bench):
    return bench.result()["batch"]


def test_the_largest_batch_that_works_is_measured_and_recorded_with_what_failed(bench):
    done = bench.toy("--batch", "max", "--option", "fail=oom", "--option", "above=20", "--runs", "2")
    assert done.returncode == 0, done.stdout + done.stderr
    assert batch(bench) == {"level": "max", "per_device": 16, "accumulation": 1, "global": 16,
                            "search": {"step": 8, "first_failed": 24}}  # fmt: skip
    assert (bench.result()["outcome"], len(bench.result()["runs"]), bench.result()["notes"]) == ("ok", 2, [])
    assert "the search for the largest batch of 1 cell" in done.stdout
    assert bench.rosetta("check", "out/submissions").returncode == 0


def test_a_worker_that_the_system_kills_ran_out_of_memory_in_a_search(bench):
    assert bench.toy("--batch", "max", "--option", "fail=kill", "--option", "above=6").returncode == 0
    assert (batch(bench)["per_device"], batch(bench)["search"]) == (4, {"step": 8, "first_failed": 8})


def test_another_failure_stops_the_search_and_is_the_cells_outcome(bench):
    assert bench.toy("--batch", "max", "--option", "fail=exception", "--option", "above=3").returncode == 1
    assert (batch(bench)["per_device"], batch(bench)["search"]) == (4, None)
    assert "asked to fail" in bench.result()["reason"]
    assert bench.result()["notes"] == ["The search for the largest batch ended here, and not because memory ran out."]


def test_a_bounded_search_says_that_more_may_work(bench):
    assert bench.toy("--batch", "max", "--max-batch", "5").returncode == 0
    assert (batch(bench)["per_device"], batch(bench)["search"]) == (5, {"step": 8, "first_failed": None})
    assert "bounded by --max-batch" in bench.result()["notes"][0]


def test_every_try_is_kept_and_none_is_made_again(bench):
    arguments = ("--batch", "max", "--option", "fail=oom", "--option", "above=9")
    bench.toy(*arguments)
    before = bench.logs()
    assert len(before) == 5, "1, 2, 4, 8 and 16"
    bench.toy(*arguments)
    assert bench.logs() == before


class Quiet:
    """A display that shows nothing."""

    def started(self, *_what):
        """See a run begin."""

    def ended(self, _run):
        """See it end."""


def test_of_several_scales_the_largest_batch_that_works_at_every_one_counts(tmp_path, monkeypatch):
    settings = Settings("cpu", "cpu", 1, PROFILES["smoke"], levels=("max",))
    toy, job = manifests.load()["toy"], workloads.load()["toy-regression"]
    cells = [
        plan.Cell(toy, job, "fp32", "synthetic-device", "max", settings, scale) for scale in (Scale(), Scale(1, 4))
    ]
    rooms = {1: 40, 4: 20}

    def measured(_suite, cell, _identity, _run, _display):
        fits = cell.batch <= rooms[cell.scale.devices]
        result = {"outcome": "ok" if fits else "oom", "reason": None}
        return launch.Finished("", 0.0, result, {}, None)

    monkeypatch.setattr(suite, "measure_one", measured)
    monkeypatch.setattr(suite, "identities", lambda made, _describe: [str(cell.parts) for cell in made.cells])
    made = suite.Suite(tuple(cells), {}, None, tmp_path, 60.0)
    found = search.resolved(made, None, Quiet(), None).cells
    assert [(cell.per_device, cell.search) for cell in found] == [(16, Search(8, 24))] * 2


@pytest.mark.skipif(sys.platform != "linux", reason="the limit is Linux's")
def test_a_worker_with_a_limit_gets_it_as_a_limit_of_its_data(tmp_path):
    program = tmp_path / "python"
    program.write_text(
        f"#!{sys.executable}\nimport resource\nprint(resource.getrlimit(resource.RLIMIT_DATA)[0])\n", "utf-8"
    )
    program.chmod(0o755)
    settings = Settings("cpu", "cpu", 1, PROFILES["smoke"])
    cell = plan.Cell(
        manifests.load()["toy"], workloads.load()["toy-regression"], "fp32", "synthetic-device", "one", settings
    )
    ended = launch.launch(
        Environment(Path(program), environ.for_worker(os.environ), "test"), cell.request(), tmp_path / "1.log",
        timeout_seconds=60, telemetry=dict, on_progress=lambda _phase, _steps: None, memory_bytes=1 << 30,
    )  # fmt: skip
    assert json.dumps(str(1 << 30)) in ended.reason
    assert resource.getrlimit(resource.RLIMIT_DATA)[0] != 1 << 30, "ours is what it was"
