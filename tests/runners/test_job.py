"""A job of several processes, by a worker that only pretends: which result counts, and that nobody stays behind."""

from __future__ import annotations

import os
import sys
from dataclasses import replace

import psutil
import pytest

from runners import environ, job, launch, launchers, manifests, workloads
from runners.environments import Environment
from runners.plan import Cell, Profile, Scale, Settings


def result(outcome="ok", reason=None, checksum=1.0):
    return {"outcome": outcome, "reason": reason, "checksum": checksum}


FAILED, OOM = result("failed", "Connection closed by peer."), result("oom", "Memory ran out.")


@pytest.mark.parametrize(
    ("results", "killed_by", "outcome", "reason"),
    [
        ([result(), result(checksum=1.0 + 9e-6)], None, "ok", None),
        ([FAILED, OOM], None, "oom", "Process 1 of 2: Memory ran out."),
        ([None, FAILED], None, "failed", "Process 1 of 2: Connection closed by peer."),
        ([FAILED, None], None, "failed", "Connection closed by peer."),
        ([OOM, None], "SIGKILL", "oom", "Memory ran out."),
    ],
)
def test_the_first_result_counts_unless_another_process_says_why_there_is_no_value(results, killed_by, outcome, reason):
    found = job.judge(results, killed_by)
    assert (found["outcome"], found["reason"]) == (outcome, reason)


@pytest.mark.parametrize(("results", "killed_by"), [([result(), None], None), ([FAILED, None], "SIGKILL")])
def test_a_process_that_vanished_leaves_a_job_without_result(results, killed_by):
    assert job.judge(results, killed_by) is None


@pytest.mark.parametrize("other", [1.0 + 2e-5, -1.0, None, float("nan")])
def test_processes_that_end_with_different_parameters_make_the_job_invalid(other):
    found = job.judge([result(), result(), result(checksum=other)], None)
    assert found["outcome"] == "invalid"
    assert f"1.0 in process 0 and {other} in process 2" in found["reason"]


# Every process leaves its number, and one child that left its session; what else it does says the first word of the log.
PRETENDING = """
import json, os, pathlib, signal, subprocess, sys, time
rank = int(os.environ["OMPI_COMM_WORLD_RANK"])
child = subprocess.Popen(["sleep", "600"], start_new_session=True)
pathlib.Path("{folder}", f"pids.{{rank}}").write_text(f"{{os.getpid()}} {{child.pid}}")
if "{what}" == "hang":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(600)
while not pathlib.Path("{folder}", f"pids.{{1 - rank}}").exists():
    time.sleep(0.05)
if "{what}" == "killed" and rank:
    os.kill(os.getpid(), signal.SIGKILL)
if "{what}" == "killed":
    time.sleep(600)
name = f"result.{{rank}}.json" if rank else "result.json"
pathlib.Path(name).write_text(json.dumps(
    {{"protocol": 2, "outcome": "ok", "checksum": 1.0 + (rank if "{what}" == "apart" else 0)}}))
"""


@pytest.fixture
def pretend(tmp_path, monkeypatch):
    """Launch a job of two processes by mpiexec; return how it ended and the numbers of all its processes."""
    if lack := launchers.missing("mpiexec", 1, os.environ):
        assert not os.environ.get("CI"), lack
        pytest.skip(f"NO JOB WAS RUN: {lack}")

    def run(what, timeout_seconds=60.0):
        worker = tmp_path / "worker.py"
        worker.write_text(PRETENDING.format(folder=tmp_path, what=what), encoding="utf-8")
        monkeypatch.setattr(launch, "WORKER", worker)
        toy = replace(manifests.load()["toy"], launchers=("mpiexec",))
        cell = Cell(toy, workloads.load()["toy-regression"], "fp32", "synthetic-device", "same",
                    Settings("cpu", "cpu", 1, Profile(1, 2, 5)), Scale(1, 2))  # fmt: skip
        ended = launch.launch(
            Environment(sys.executable, environ.for_worker(os.environ), "test"),
            cell.request(),
            tmp_path / "runs" / "1.log",
            timeout_seconds=timeout_seconds,
            telemetry=dict,
            on_progress=lambda _phase, _steps: None,
        )
        numbers = [int(number) for rank in (0, 1) for number in (tmp_path / f"pids.{rank}").read_text("utf-8").split()]
        return ended, [number for number in numbers if _alive(number)]

    return run


def _alive(number):
    return psutil.pid_exists(number) and psutil.Process(number).status() != psutil.STATUS_ZOMBIE


def test_a_job_is_started_by_a_real_engine_and_its_children_end_with_it(pretend):
    ended, left = pretend("agree")
    assert (ended.outcome, ended.reason, left) == ("ok", None, [])


def test_a_job_whose_processes_disagree_is_invalid(pretend):
    ended, left = pretend("apart")
    assert (ended.outcome, left) == ("invalid", [])
    assert "1.0 in process 0 and 2.0 in process 1" in ended.reason


def test_a_killed_process_is_a_crash_of_the_job_and_nobody_stays(pretend):
    ended, left = pretend("killed")
    assert (ended.outcome, left) == ("crashed", [])
    assert ended.reason.startswith(
        "A process of the job was ended by SIGKILL (the system kills so when memory runs out)"
    )


def test_at_the_limit_the_whole_job_ends_also_what_does_not_want_to(pretend):
    ended, left = pretend("hang", timeout_seconds=5.0)
    assert (ended.outcome, left) == ("timed_out", [])
