"""Every outcome, provoked with the toy through the real command and the real worker."""

from __future__ import annotations

import json
import re
import sys

import pytest

from collector import canonical, schema


def test_a_good_run_gives_a_submission_that_the_schema_accepts(bench):
    done = bench.toy("--runs", "3")
    assert done.returncode == 0, done.stderr
    (path,) = bench.submissions()
    made = schema.Submission.model_validate_json(path.read_bytes())
    assert path.parent.name == "local"
    assert path.stem.endswith(canonical.identity(made)[:6])
    (result,) = made.results
    assert (result.outcome, result.reason, len(result.runs), result.class_) == ("ok", None, 3, "plain")
    assert result.equality.parameters == 9
    assert len({run.log_sha256 for run in result.runs}) == 3, "one log, one run"
    for run in result.runs:
        assert (len(run.warmup_step_seconds), len(run.step_seconds)) == (2, 5)
        assert run.step_seconds == [round(seconds, 6) for seconds in run.step_seconds]


def test_the_command_ends_with_the_throughput_the_place_of_the_file_and_the_next_step(bench):
    done = bench.toy()
    (path,) = bench.submissions()
    assert "points/s (median of 1 run)" in done.stdout
    assert f"Submission: {path.relative_to(bench.folder)}" in done.stdout
    assert f"Next: rosetta check {path.relative_to(bench.folder)}" in done.stdout


@pytest.mark.parametrize(
    ("fail", "outcome", "words"),
    [
        ("exception", "failed", "RuntimeError: the toy was asked to fail"),
        ("oom", "oom", "the toy was asked to run out of memory"),
        ("wrong-parameters", "invalid", "10"),
        ("nan", "invalid", "finite"),
        ("crash", "crashed", "SIGABRT"),
    ],
)
def test_a_failure_is_a_result_with_its_reason(bench, fail, outcome, words):
    done = bench.toy("--option", f"fail={fail}")
    assert done.returncode == 1, done.stderr
    result = bench.result()
    assert (result["outcome"], result["options"], result["class"]) == (outcome, {"fail": fail}, "tuned")
    assert words in result["reason"]
    assert f"{outcome}: " in done.stdout


def test_a_crash_tells_the_last_words_of_the_worker(bench):
    bench.toy("--option", "fail=crash")
    assert "Fatal Python error: Aborted" in bench.result()["reason"]


def test_an_option_that_the_adapter_does_not_know_is_unsupported_and_says_whose_limit_it_is(bench):
    bench.toy("--option", "turbo=true")
    assert re.match(r"\d{4}-\d\d-\d\d-", bench.submissions()[0].name)
    result = bench.result()
    assert (result["outcome"], result["limit"], result["runs"]) == ("unsupported", "ours", [])
    assert result["options"] == {"turbo": True}


def test_a_worker_that_hangs_is_ended_at_the_limit_and_the_reason_names_it(bench):
    done = bench.toy("--option", "fail=hang", "--timeout", "2")
    assert done.returncode == 1
    result = bench.result()
    assert result["outcome"] == "timed_out"
    assert result["reason"].startswith("No result after 2 s, the limit for a run; ended while warm-up, after 2 steps")


def test_a_cell_is_ok_only_if_every_run_is_and_keeps_the_runs_that_are(bench):
    assert bench.toy("--runs", "2").returncode == 0
    (file,) = (bench.folder / "out" / "runs").glob("*/2.json")
    document = json.loads(file.read_text("utf-8"))
    document["result"].update(outcome="crashed", reason="It fell over.", run=None)
    file.write_text(json.dumps(document), encoding="utf-8")
    assert bench.toy("--runs", "2").returncode == 1
    result = bench.result()
    assert (result["outcome"], result["reason"]) == ("crashed", "1 of 2 runs: It fell over.")
    assert len(result["runs"]) == 1
    assert result["notes"] == ["Runs by outcome: 1 crashed, 1 ok."]


def test_json_goes_to_standard_output_and_progress_to_standard_error(bench):
    done = bench.toy("--json")
    document = json.loads(done.stdout)
    assert document["results"][0]["outcome"] == "ok"
    assert document["submission"] == str(bench.submissions()[0])
    assert "run 1/1" in done.stderr


def test_a_python_without_the_framework_is_refused_with_what_failed(bench):
    done = bench.rosetta("run", "--framework", "pytorch", "--python", sys.executable, "--output", "out")
    assert done.returncode == 1
    assert "`import torch` fails in" in done.stderr
    assert "ModuleNotFoundError: No module named 'torch'" in done.stderr
    assert "rosetta setup pytorch" in done.stderr


def test_a_folder_that_cannot_be_written_is_an_error_with_a_remedy(bench):
    (bench.folder / "file").write_text("in the way", encoding="utf-8")
    done = bench.toy("--output", "file/out")
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith("Error: ")
    assert "Not a directory. Free disk space, or choose a folder" in line


def test_a_failure_says_how_to_measure_it_again_and_the_next_command_can_be_pasted(bench):
    done = bench.toy("--option", "fail=exception", "--output", "a b")
    assert "; --retry measures it again" in done.stdout
    assert "Next: rosetta check 'a b/submissions/local/" in done.stdout
