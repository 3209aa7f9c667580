"""Every outcome that a worker can have, provoked in the real worker with the toy."""

from __future__ import annotations

import json
import struct
import time

import pytest


def progress(folder):
    return struct.unpack("<QQ", (folder / "progress.bin").read_bytes())


def test_a_plain_run_is_ok_and_keeps_every_raw_time(ask, work, tmp_path):
    result = work(ask())
    assert (result["outcome"], result["reason"], result["limit"], result["traceback"]) == ("ok", None, None, None)
    assert result["equality"] == {"parameters": 9, "probe_loss": 1.0, "logits_error": None}
    run = result["run"]
    assert (len(run["warmup_step_seconds"]), len(run["step_seconds"]), len(run["loss"])) == (2, 5, 5)
    assert run["first_step_seconds"] == run["warmup_step_seconds"][0]
    assert run["window_seconds"] >= sum(run["step_seconds"]) > 0
    assert run["samples_per_step"] == 16
    assert progress(tmp_path) == (4, 7)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["progress.bin", "request.json", "result.json"]


def test_the_loss_falls(ask, work):
    losses = work(ask(measured_steps=200))["run"]["loss"]
    assert losses[-1] < 0.5 < losses[0]


def test_the_same_request_trains_the_same(ask, work):
    first, again, other = (work(ask(seed=seed))["run"]["loss"] for seed in (0, 0, 1))
    assert first == again != other


def test_an_exception_is_a_failure_with_its_traceback(ask, work):
    result = work(ask(options={"fail": "exception"}))
    assert (result["outcome"], result["reason"]) == ("failed", "RuntimeError: the toy was asked to fail")
    assert "provoke" in result["traceback"]
    assert result["run"] is None
    assert result["equality"]["parameters"] == 9, "what was found out before the failure is kept"
    assert result["stack"]["framework_version"] == "1.0"


def test_memory_that_runs_out_is_an_outcome_of_its_own(ask, work):
    result = work(ask(options={"fail": "oom"}))
    assert result["outcome"] == "oom"
    assert result["reason"] == "Memory ran out: MemoryError: the toy was asked to run out of memory"


def test_a_wrong_network_is_measured_and_invalid(ask, work):
    result = work(ask(options={"fail": "wrong-parameters"}))
    assert result["outcome"] == "invalid"
    assert result["reason"] == "The network has 10 trainable parameters; toy-regression has 9."
    assert result["equality"]["parameters"] == 10
    assert len(result["run"]["step_seconds"]) == 5


def test_a_loss_that_is_no_number_makes_the_run_invalid_and_stays_out_of_the_file(ask, work):
    result = work(ask(options={"fail": "nan"}))
    assert (result["outcome"], result["reason"]) == ("invalid", "The loss of step 3 of 7 is nan; it must be finite.")
    assert result["run"]["loss"] == []
    assert len(result["run"]["step_seconds"]) == 5


def test_several_broken_checks_are_all_named(ask, work):
    request = ask(options={"fail": "wrong-parameters"})
    request["workload"]["expected_loss"] = 2.0
    reason = work(request)["reason"]
    assert reason.endswith("The probe loss before training is 1; 2 ± 10% is expected.")
    assert reason.startswith("The network has 10")


@pytest.mark.parametrize(
    ("changes", "limit", "says"),
    [
        ({"precision": "amp-fp16"}, "ours", "precision of toy-regression 'amp-fp16'"),
        ({"data": {"kind": "real", "directory": None}}, "ours", "data kind of toy-regression 'real'"),
        ({"options": {"compile": True}}, "ours", "option 'compile'"),
        ({"epochs": 2}, "never", "Whole epochs need real data"),
        ({"workload": {"id": "resnet50"}}, "ours", "workload 'resnet50' yet; it has code for toy-regression"),
    ],
    ids=["precision", "data", "option", "epochs", "workload"],
)
def test_what_there_is_no_code_for_is_unsupported(ask, work, changes, limit, says):
    result = work(ask(**changes))
    assert (result["outcome"], result["limit"]) == ("unsupported", limit)
    assert says in result["reason"]
    assert result["traceback"] is None


def test_a_framework_that_is_not_installed_is_a_failure_with_a_remedy(ask, work):
    result = work(ask(framework="pytorch"))
    assert result["outcome"] == "failed"
    assert "No module named" in result["reason"]
    assert "rosetta setup pytorch" in result["reason"]
    assert result["stack"] is None


def test_a_crash_leaves_no_result_behind(ask, start, tmp_path):
    worker = start(ask(options={"fail": "crash"}))
    worker.communicate(timeout=60)
    assert worker.returncode < 0
    assert not (tmp_path / "result.json").exists()
    assert progress(tmp_path) == (2, 2), "the last step that was done"


def test_a_hanging_step_shows_where_it_hangs(ask, start, tmp_path):
    start(ask(options={"fail": "hang"}, warmup_steps=0))
    deadline = time.monotonic() + 60
    while not ((tmp_path / "progress.bin").exists() and progress(tmp_path) == (3, 2)):
        assert time.monotonic() < deadline, "the worker didn't come as far as the step that hangs"
        time.sleep(0.05)
    assert not (tmp_path / "result.json").exists()


def test_a_request_of_another_protocol_is_refused_aloud(ask, start, tmp_path):
    worker = start(ask(protocol=1))
    _, errors = worker.communicate(timeout=60)
    assert worker.returncode == 1
    assert "protocol 1, this worker 2" in errors
    assert not (tmp_path / "result.json").exists()


def test_what_the_framework_prints_does_not_reach_the_result(ask, start, tmp_path):
    worker = start(ask())
    output, errors = worker.communicate(timeout=60)
    assert (output, errors) == ("", "")
    assert json.loads((tmp_path / "result.json").read_text("utf-8"))["protocol"] == 2
