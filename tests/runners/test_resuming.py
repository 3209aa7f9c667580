"""What is finished stays finished: interruption, resumption, `--retry`, `--fresh`."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from pathlib import Path

import pytest


def interrupted(bench, number, *arguments):
    """Start a slow measurement, send a signal in the middle of its second run, and wait for the end."""
    command = bench.command(*bench.toy_arguments("--runs", "3", *arguments))
    with subprocess.Popen(
        command, env=bench.variables(), cwd=bench.folder, stdout=subprocess.PIPE, encoding="utf-8"
    ) as process:
        until(lambda: len(bench.logs()) == 2)
        process.send_signal(number)
        output, _nothing = process.communicate(timeout=60)
    return process.returncode, output


def until(condition, seconds=60):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.02)


def workers(bench):
    """Return the worker processes that run in a scratch folder of ours."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            command, place = (process / "cmdline").read_bytes(), (process / "cwd").readlink()
        except OSError:
            continue
        if b"worker/__main__.py" in command and place.is_relative_to(bench.folder):
            found.append(process.name)
    return found


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interruption_ends_the_worker_and_loses_nothing_that_was_finished(bench, number):
    slow = ("--option", "fail=slow", "--steps", "100")
    code, output = interrupted(bench, number, *slow)
    assert code == 1
    assert "the same command goes on from there" in output
    assert workers(bench) == []
    assert len(bench.result()["runs"]) == 1
    first = next(iter(bench.logs().items()))
    resumed = bench.toy("--runs", "3", *slow)
    assert "1 of 3 runs done before" in resumed.stdout
    assert first in bench.logs().items(), "the finished run was measured again"
    assert len(bench.result()["runs"]) == 3


def test_the_same_plan_again_measures_nothing_and_keeps_one_file(bench):
    bench.toy("--runs", "2")
    before = (bench.logs(), bench.submissions())
    bench.toy("--runs", "2")
    assert (bench.logs(), bench.submissions()) == before


def test_more_runs_of_the_same_cell_use_those_that_there_are(bench):
    bench.toy("--runs", "1")
    before = bench.logs()
    bench.toy("--runs", "2")
    assert before.items() < bench.logs().items()


def test_other_steps_are_measured_anew_and_the_newest_measurement_of_a_cell_stands(bench):
    bench.toy()
    bench.toy("--steps", "6")
    assert len(bench.logs()) == 2
    assert bench.result()["runs"][0]["measured_steps"] == 6
    bench.toy()
    assert len(bench.logs()) == 2, "the earlier run was still there"
    assert bench.result()["runs"][0]["measured_steps"] == 5


def test_a_file_keeps_the_cells_that_a_newer_plan_does_not_measure(bench):
    bench.toy("--batch", "one", "--batch", "same")
    bench.toy("--batch", "one", "--runs", "2")
    batches = [
        [
            (result["batch"]["per_device"], len(result["runs"]))
            for result in json.loads(path.read_text("utf-8"))["results"]
        ]
        for path in bench.submissions()
    ]
    assert sorted(batches) == [[(1, 2)], [(16, 1)]]
    assert bench.rosetta("check", "out/submissions").returncode == 0


def test_fresh_measures_again(bench):
    bench.toy()
    before = bench.logs()
    bench.toy("--fresh")
    after = bench.logs()
    assert before.keys() == after.keys()
    assert before != after
    assert len(bench.submissions()) == 1


def test_a_failed_run_is_kept_and_only_measured_again_with_retry(bench):
    bench.toy("--option", "fail=exception")
    before = bench.logs()
    bench.toy("--option", "fail=exception")
    assert bench.logs() == before
    bench.toy("--option", "fail=exception", "--retry")
    assert bench.logs() != before


def test_a_damaged_file_of_a_run_is_measured_again(bench):
    bench.toy()
    (file,) = (bench.folder / "out" / "runs").glob("*/1.json")
    file.write_text('{"started_at": "2026-', encoding="utf-8")
    assert bench.toy().returncode == 0
    assert bench.result()["outcome"] == "ok"


def test_a_launcher_that_is_killed_takes_its_worker_along_and_the_same_command_goes_on(bench):
    slow = ("--option", "fail=slow", "--steps", "100")
    code, _output = interrupted(bench, signal.SIGKILL, *slow)
    assert code == -signal.SIGKILL
    until(lambda: not workers(bench))
    assert "1 of 3 runs done before" in bench.toy("--runs", "3", *slow).stdout
    assert len(bench.result()["runs"]) == 3


def test_two_at_once_measure_one_after_the_other_and_what_the_first_has_done_is_not_done_again(bench):
    slow = bench.toy_arguments("--runs", "2", "--option", "fail=slow", "--steps", "200")
    with subprocess.Popen(
        bench.command(*slow), env=bench.variables(), cwd=bench.folder, stdout=subprocess.PIPE, encoding="utf-8"
    ) as first:
        until(bench.logs)
        second = bench.rosetta(*slow)
        assert "0 of 2 runs done before" in first.communicate(timeout=60)[0]
    assert "Waiting for another rosetta run" in second.stdout
    assert "2 of 2 runs done before" in second.stdout
    assert len(bench.logs()) == 2
