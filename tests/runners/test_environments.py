"""Environments: found, made, interrupted, refused; and the variables that a worker gets."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from packaging.specifiers import SpecifierSet
from packaging.version import Version

from runners import environ, environments, interpreters, manifests
from runners.errors import ManifestError, SetupError
from runners.interpreters import Interpreter


@pytest.fixture
def toy():
    return manifests.load()["toy"]


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("ROSETTA_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(interpreters, "find", lambda: [Interpreter(Path(sys.executable), Version("3.11.7"))])
    return tmp_path / "cache"


def test_an_environment_is_made_once_and_its_cost_is_recorded(toy, cache):
    assert environments.find(toy, "cpu") is None
    lines = []
    made = environments.make(toy, "cpu", lines.append)
    assert made == environments.find(toy, "cpu") == environments.make(toy, "cpu", lines.append)
    assert made.install_seconds >= 0
    assert made.install_bytes > 0
    (folder,) = cache.glob("toy-*")
    assert folder.name.startswith("toy-1.0-cp311-")
    assert subprocess.check_output([made.python, "-c", "import sys; print(sys.prefix)"], text=True).strip() == str(
        folder
    )


@pytest.mark.usefixtures("cache")
def test_changed_requirements_make_another_environment(toy, tmp_path):
    first = environments.make(toy, "cpu", print)
    pinned = tmp_path / "requirements.txt"
    pinned.write_text("", encoding="utf-8")
    assert environments.find(replace(toy, requirements={"cpu": (pinned,)}), "cpu") == first, (
        "the same requirements: none"
    )
    assert environments.find(replace(toy, requirements={"cpu": (pinned,)}), "gpu") == first, "no build of its own there"
    pinned.write_text("# another\n", encoding="utf-8")
    assert environments.find(replace(toy, requirements={"cpu": (pinned,)}), "cpu") is None


@pytest.mark.usefixtures("cache")
def test_an_interrupted_setup_never_looks_finished_and_is_made_again(toy):
    made = environments.make(toy, "cpu", print)
    record = made.python.parents[1] / environments.RECORD
    record.unlink()
    (record.parent / "half-written").touch()
    assert environments.find(toy, "cpu") is None
    environments.make(toy, "cpu", print)
    assert record.exists()
    assert not (record.parent / "half-written").exists()


def test_ctrl_c_during_setup_leaves_nothing_that_is_used(bench, tmp_path):
    slow = tmp_path / "python3"
    slow.write_text("#!/bin/sh\necho installing\nexec sleep 60\n", encoding="utf-8")
    slow.chmod(0o755)
    code = (
        "import pathlib, sys; from packaging.version import Version; import rosetta; from runners import interpreters as i;"
        f"i.find = lambda: [i.Interpreter(pathlib.Path({str(slow)!r}), Version('3.11.7'))];"
        "rosetta.main(['setup', 'toy'])"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code],
        start_new_session=True,
        env=bench.variables(),
        stdout=subprocess.PIPE,
        encoding="utf-8",
    ) as process:
        assert process.stdout.readline() == "installing\n"
        os.killpg(process.pid, signal.SIGINT)
        assert process.wait(timeout=30) == 1
    rows = json.loads(bench.rosetta("list", "--json").stdout)
    assert {row["id"]: row["environment"] for row in rows}["toy"] == "not made"


@pytest.mark.usefixtures("cache")
def test_a_failed_installation_shows_the_end_of_its_log(toy, tmp_path):
    pinned = tmp_path / "requirements.txt"
    pinned.write_text("./no-such-folder\n", encoding="utf-8")
    broken = replace(toy, requirements={"cpu": (pinned,)})
    with pytest.raises(SetupError, match=r"(?s)Making the environment failed, see .*setup\.log.*no-such-folder"):
        environments.make(broken, "cpu", lambda _line: None)
    assert environments.find(broken, "cpu") is None


@pytest.mark.usefixtures("cache")
def test_a_missing_interpreter_is_named_with_the_way_to_get_it(toy):
    with pytest.raises(SetupError, match=r"Toy 1\.0 needs Python ==2\.7\.\*.*pyenv install.*ROSETTA_PYTHONS"):
        environments.make(replace(toy, requires_python=SpecifierSet("==2.7.*")), "cpu", print)


def test_interpreters_are_found_where_the_user_says(tmp_path, monkeypatch):
    (tmp_path / "python3.99").write_text("#!/bin/sh\necho 3.99.1\n", encoding="utf-8")
    (tmp_path / "python3").write_text("#!/bin/sh\necho 'no such version' >&2; exit 127\n", encoding="utf-8")
    for path in tmp_path.iterdir():
        path.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path))
    monkeypatch.setenv("ROSETTA_PYTHONS", "")
    own, other = interpreters.find()
    assert own.python == Path(sys.executable)
    assert (other.python.name, other.tag) == ("python3.99", "cp399")
    assert interpreters.fitting([own, other], SpecifierSet(">=3.99")) == other
    assert interpreters.fitting([own, other], SpecifierSet("<3.6")) is None


def test_another_python_is_another_identity(toy):
    mine = environments.use(toy, Path(sys.executable))
    assert mine == environments.use(toy, Path(sys.executable))
    assert mine.install_seconds is None
    others = [entry for entry in interpreters.find() if str(entry.version) != sys.version.split()[0]]
    if not others:
        pytest.skip("this machine has one Python only")
    assert environments.use(toy, others[0].python).identity != mine.identity


def test_a_program_that_is_no_python_is_refused(toy, tmp_path):
    fake = tmp_path / "python"
    fake.write_text("hello", encoding="utf-8")
    with pytest.raises(SetupError, match="can't be started: Permission denied"):
        environments.use(toy, fake)


@pytest.mark.parametrize(
    ("says", "message"),
    [
        ("", "doesn't answer like a Python"),
        ("usage: something", "doesn't answer like a Python"),
        ('["2.7.18", []]', r"is Python 2\.7\.18; the worker needs 3\.6 or newer"),
    ],
)
def test_a_program_that_only_looks_like_a_python_is_refused(toy, tmp_path, says, message):
    fake = tmp_path / "python"
    fake.write_text(f"#!/bin/sh\necho '{says}'\n", encoding="utf-8")
    fake.chmod(0o755)
    with pytest.raises(SetupError, match=message):
        environments.use(toy, fake)


@pytest.mark.usefixtures("cache")
def test_an_environment_in_which_the_framework_cannot_be_imported_is_not_ready(toy):
    hollow = replace(toy, import_name="torch_that_is_not_there")
    with pytest.raises(SetupError, match=r"`import torch_that_is_not_there` fails in .*setup\.log"):
        environments.make(hollow, "cpu", print)
    assert environments.find(hollow, "cpu") is None


def test_a_worker_gets_what_it_needs_and_nothing_of_the_users_python():
    mine = {"PATH": "/bin", "PYTHONPATH": "/x", "AWS_SECRET": "s", "TF_VAR_token": "s", "OMP_NUM_THREADS": "2"}
    given = environ.for_worker(mine)
    assert given["PYTHONNOUSERSITE"] == "1"
    assert given["PYTHONHASHSEED"] == "0"
    assert not {"PYTHONPATH", "AWS_SECRET", "TF_VAR_token"} & given.keys()
    assert environ.recorded(given) == {"OMP_NUM_THREADS": "2"}


def test_every_manifest_here_can_be_read():
    found = manifests.load()
    assert {"toy", "pytorch"} <= found.keys()
    assert all(name == framework.folder.name for name, framework in found.items())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"name": None}, "the key 'name' is missing"),
        ({"version": 1.0}, "version is 1.0, expected a text"),
        ({"requires_python": "three"}, "three"),
        ({"requirements": {"cpu": ["gone.txt"]}}, "gone.txt does not exist"),
        ({"supports": "all"}, "'all' should be a list"),
        ({"supports": [{"workload": "x", "data": []}]}, "'precisions'"),
    ],
)
def test_a_wrong_manifest_is_named_with_its_mistake(tmp_path, change, message):
    document = {"name": "X", "version": "1", "requires_python": ">=3.6", "language": "python", "status": "new",
                "supports": []} | change  # fmt: skip
    folder = tmp_path / "x"
    folder.mkdir()
    text = "".join(f"{key} = {_toml(value)}\n" for key, value in document.items() if value is not None)
    (folder / "framework.toml").write_text(text, encoding="utf-8")
    with pytest.raises(ManifestError, match=r"^x/framework\.toml: ") as error:
        manifests.load(tmp_path)
    assert message in str(error.value)


def _toml(value):
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {_toml(part)}" for key, part in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value)


def test_the_cache_folder_follows_the_environment(monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", "/x")
    monkeypatch.delenv("ROSETTA_CACHE", raising=False)
    assert environments.cache() == Path("/x/rosetta-bench")
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert environments.cache() == Path("~/.cache/rosetta-bench").expanduser()
