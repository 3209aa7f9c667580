"""`rosetta list` and the wrong ways to use `rosetta run`: exit code 2, and a sentence that says what to do."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest


def test_list_shows_what_runs_and_whether_its_environment_is_made(bench):
    rows = {row["id"]: row for row in json.loads(bench.rosetta("list", "--json").stdout)}
    assert rows["toy"]["environment"] == "not made"
    assert rows["toy"]["supports"][0]["workload"] == "toy-regression"
    assert bench.rosetta("setup", "toy").returncode == 0
    shown = bench.rosetta("list").stdout
    assert re.search(r"^toy +1\.0 +made +fp32 ", shown, re.MULTILINE)
    assert re.search(r"^pytorch .* \+ .*", shown, re.MULTILINE)


def test_list_says_what_is_missing_and_how_to_get_it(bench):
    bench.environ |= {"PATH": "/nowhere", "PYENV_ROOT": "/nowhere"}
    code = (
        "import dataclasses, rosetta; from packaging.specifiers import SpecifierSet; from runners import manifests\n"
        "load = manifests.load\n"
        "old = lambda: {k: dataclasses.replace(f, requires_python=SpecifierSet('<3.6')) for k, f in load().items()}\n"
        "manifests.load = old; rosetta.main(['list', '--json'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=bench.variables(), capture_output=True, encoding="utf-8", check=True
    )
    rows = {row["id"]: row for row in json.loads(done.stdout)}
    assert rows["pytorch"]["environment"] == "interpreter missing"
    assert "needs Python <3.6" in rows["pytorch"]["remedy"]
    assert "pyenv install" in rows["pytorch"]["remedy"]
    assert {"workload": "cifar10-cnn", "reason": "Our adapter has no code for this workload yet."} in rows["toy"][
        "unsupported"
    ]


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
        (["--framework", "toy", "--batch", "most"], "'most' is not one of one, same, max or a number above 0"),
        (["--framework", "toy", "--batch", "0"], "'0' is not one of one, same, max or a number"),
        (["--framework", "toy", "--max-batch", "8"], "bounds the search of --batch max; add that"),
        (
            ["--framework", "toy", "--data", "real", "--data-dir", ".", "--batch", "max", "--profile", "quick"],
            "with --data real add --steps",
        ),
        (["--framework", "toy", "--only", "*/vgg16/*"], "leave nothing of 1 cells, such as toy/toy-regression/fp32/"),
        (["--framework", "toy", "--data", "real"], "needs --data-dir"),
        (["--framework", "toy", "--epochs", "2"], "add --data real"),
        (["--framework", "toy", "--workers", "2"], "--workers load real data; add --data real"),
        (["--data", "real", "--data-dir", ".", "--epochs", "2", "--steps", "9"], "leave --warmup, --steps"),
        (["--framework", "toy", "--option", "fail"], "'fail' is not KEY=VALUE"),
        (["--framework", "toy", "--device", "gpu"], "use --device cpu"),
        (["--python", "/bin/sh"], "name that one with --framework"),
        (["--framework", "toy", "--submitter", "李"], "add one in Latin letters"),
        (["--framework", "toy", "--profile", "slow"], "'slow' is not one of"),
        (["--scale", "2n3c"], "'2n3c' is not NnCc"),
        (["--scale", "1n999c"], "needs 999 usable threads on a node"),
        (["--scale", "2n2c"], "A job of 2 nodes needs --hosts with 2 names or addresses"),
        (["--scale", "2n2c", "--hosts", "one,-oProxyCommand=x"], "is no name or address of a host"),
        (["--framework", "toy", "--scale", "1n2c", "--threads", "99"], "take fewer devices or threads"),
        ([], "No framework is set up yet"),
    ],
)
def test_wrong_usage_is_told_before_anything_is_measured(bench, arguments, message):
    bench.environ |= {"CUDA_VISIBLE_DEVICES": "", "SLURM_JOB_NODELIST": ""}
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
