"""`rosetta list` and the wrong ways to use `rosetta run`: exit code 2, and a sentence that says what to do."""

from __future__ import annotations

import json

import pytest


def test_list_shows_what_runs_and_whether_its_environment_is_made(bench):
    rows = {row["id"]: row for row in json.loads(bench.rosetta("list", "--json").stdout)}
    assert rows["toy"]["environment"] == "not made"
    assert rows["toy"]["supports"][0]["workload"] == "toy-regression"
    assert bench.rosetta("setup", "toy").returncode == 0
    shown = bench.rosetta("list").stdout
    assert "toy      1.0  made" in shown
    assert "cifar10-cnn (fp32" in shown


def test_a_named_framework_gets_its_environment_by_itself(bench):
    done = bench.rosetta("run", "--framework", "toy", "--profile", "smoke", "--output", "out")
    assert done.returncode == 0, done.stderr
    (stack,) = bench.submission()["stacks"].values()
    assert stack["install_seconds"] is not None
    assert stack["environment"]["OMP_NUM_THREADS"]


def test_without_a_framework_everything_that_is_set_up_is_measured(bench):
    assert bench.rosetta("setup", "toy").returncode == 0
    done = bench.rosetta("run", "--profile", "smoke", "--output", "out", "--threads", "1")
    assert done.returncode == 0, done.stderr
    assert bench.result()["threads_per_process"] == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--framework", "pytorhc"], "There is no framework 'pytorhc': did you mean pytorch?"),
        (["--framework", "zzz"], "There is no framework 'zzz': there are "),
        (["--framework", "toy", "--workload", "toy-regresion"], "did you mean toy-regression?"),
        (["--framework", "toy", "--workload", "cifar10-cnn"], "Nothing to measure: no framework supports"),
        (["--framework", "toy", "--batch", "max"], "not there yet; use one or same"),
        (["--framework", "toy", "--data", "real"], "needs --data-dir"),
        (["--framework", "toy", "--epochs", "2"], "add --data real"),
        (["--framework", "toy", "--workers", "2"], "--workers load real data; add --data real"),
        (["--data", "real", "--data-dir", ".", "--epochs", "2", "--steps", "9"], "leave --warmup, --steps"),
        (["--framework", "toy", "--option", "fail"], "'fail' is not KEY=VALUE"),
        (["--framework", "toy", "--device", "gpu"], "use --device cpu"),
        (["--python", "/bin/sh"], "name that one with --framework"),
        (["--framework", "toy", "--submitter", "李"], "add one in Latin letters"),
        (["--framework", "toy", "--profile", "slow"], "'slow' is not one of"),
        ([], "No framework is set up yet"),
    ],
)
def test_wrong_usage_is_told_before_anything_is_measured(bench, arguments, message):
    bench.environ["CUDA_VISIBLE_DEVICES"] = ""
    done = bench.rosetta("run", "--output", "out", *arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert not (bench.folder / "out").exists()


def test_a_framework_without_environment_does_not_stop_the_others(bench):
    bench.environ["PIP_NO_INDEX"] = "1"
    bench.environ["PIP_CONFIG_FILE"] = "/dev/null"
    bench.environ["PIP_FIND_LINKS"] = ""
    done = bench.rosetta("run", "--framework", "toy", "--framework", "pytorch", "--workload", "toy-regression",
                         "--workload", "cifar10-cnn", "--profile", "smoke", "--output", "out")  # fmt: skip
    assert done.returncode == 1
    outcomes = {result["workload"]: result["outcome"] for result in bench.submission()["results"]}
    assert outcomes == {"toy-regression": "ok", "cifar10-cnn": "not_run"}


def test_results_of_a_named_submitter_lie_in_a_folder_of_that_name(bench):
    bench.toy("--submitter", "Šárka Nováková")
    (path,) = bench.submissions()
    assert path.parent.name == "sarka-novakova"
    assert bench.submission()["submitter"]["name"] == "Šárka Nováková"


def test_a_terminal_that_knows_ascii_only_gets_question_marks_and_no_crash(bench):
    bench.environ |= {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = bench.toy("--submitter", "Jan µ")
    assert done.returncode == 0, done.stderr
    assert "toy ? toy-regression" in done.stdout
    assert bench.submission()["submitter"]["name"] == "Jan µ"
    assert bench.rosetta("list").returncode == 0
