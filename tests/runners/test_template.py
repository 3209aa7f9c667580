"""`rosetta new framework`: what it writes keeps the static contract at once."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
COPIED = ("collector", "runners", "data/vocabulary", "data/workloads", "templates/framework", "tests/contract")


@pytest.fixture
def checkout(tmp_path):
    """Copy as much of the project as the command and the static contract tests need."""
    for name in COPIED:
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "rosetta.py", tmp_path)
    return tmp_path


def python(checkout, *arguments):
    environ = {**os.environ, "PYTHONPATH": str(checkout), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        [sys.executable, *arguments], cwd=checkout, env=environ, capture_output=True, encoding="utf-8", check=False
    )


def new(checkout, *arguments):
    return python(checkout, "-c", "import rosetta; rosetta.main()", "new", "framework", *arguments)


def contract(checkout, name):
    return python(checkout, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", "/dev/null", "--rootdir", ".",
                  "--import-mode=importlib", "tests/contract/test_static.py", "-k", name)  # fmt: skip


def test_a_new_folder_keeps_the_static_contract_and_the_vocabulary_knows_it(checkout):
    done = new(checkout, "mindnet", "--name", 'Mind "Net"', "--version", "2.7", "--url", "https://example.org",
               "--package", "mind-net", "--import-name", "mindnet", "--python", ">=3.8")  # fmt: skip
    assert done.returncode == 0, done.stderr
    document = tomllib.loads((checkout / "data/vocabulary/frameworks.toml").read_text("utf-8"))
    assert document["mindnet"] == {"name": 'Mind "Net"', "aliases": [], "url": "https://example.org"}
    manifest = tomllib.loads((checkout / "runners/frameworks/mindnet/framework.toml").read_text("utf-8"))
    assert (manifest["name"], manifest["version"], manifest["requires_python"]) == ('Mind "Net"', "2.7", ">=3.8")
    proof = contract(checkout, "mindnet")
    assert proof.returncode == 0, proof.stdout
    assert "passed" in proof.stdout


def test_a_framework_that_the_vocabulary_has_needs_no_name(checkout):
    before = (checkout / "data/vocabulary/frameworks.toml").read_text("utf-8")
    assert new(checkout, "paddlepaddle", "--version", "3.0.0").returncode == 0
    assert (checkout / "data/vocabulary/frameworks.toml").read_text("utf-8") == before
    assert contract(checkout, "paddlepaddle").returncode == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["toy", "--version", "1.0"], "is there already"),
        (["mindnet", "--version", "1.0"], "give --name and --url"),
        (["Mind-Net", "--version", "1.0", "--name", "M", "--url", "u"], "use small letters, digits and _"),
        (["paddlepaddle", "--version", "1.0", "--python", "3.x"], "is no range of versions"),
        (["paddlepaddle"], "Missing option '--version'"),
    ],
)
def test_what_can_not_be_written_is_refused_and_leaves_nothing_behind(checkout, arguments, message):
    before = sorted(checkout.rglob("*"))
    done = new(checkout, *arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert sorted(checkout.rglob("*")) == before
