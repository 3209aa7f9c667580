"""`rosetta stats`: counts, and the maintainer's queue of unknown names."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

import rosetta

SAMPLES = Path(__file__).resolve().parents[1] / "samples"


@pytest.fixture
def data(tmp_path):
    """Return a data folder with one submission of one result."""
    shutil.copytree(SAMPLES / "data", tmp_path / "data")
    folder = tmp_path / "data" / "submissions"
    folder.mkdir()
    shutil.copy(SAMPLES / "valid" / "measured-ok.json", folder / "one.json")
    return tmp_path / "data"


def renamed(data, device, framework):
    document = json.loads((data / "submissions" / "one.json").read_text("utf-8"))
    for machine in document["machines"].values():
        machine["devices"][0]["name"] = device
    for stack in document["stacks"].values():
        stack["framework"] = framework
    (data / "submissions" / "two.json").write_text(json.dumps(document), "utf-8")


def stats(data, *options):
    done = CliRunner().invoke(rosetta.main, ["stats", "--data", str(data), *options])
    assert done.exit_code == 0, done.output
    return done


def test_counts_use_canonical_names(data):
    renamed(data, "8x NVIDIA H200", "pytorch")
    found = json.loads(stats(data, "--json").stdout)
    assert (found["submissions"], found["results"]) == (2, sum(found["by"]["outcome"].values()))
    assert found["by"]["device"]["NVIDIA H200 SXM 141GB"] * 2 == found["results"]
    assert list(found["by"]) == ["framework", "device", "workload", "outcome"]


def test_counts_as_text_begin_with_the_whole(data):
    assert stats(data).stdout.startswith("1 submission, ")


def test_unknown_names_come_with_how_often_and_what_they_look_like(data):
    renamed(data, "NVIDIA H2000", "pytorhc")
    found = {(entry["what"], entry["name"]): entry for entry in json.loads(stats(data, "--unknown", "--json").stdout)}
    device, framework = found["device", "NVIDIA H2000"], found["framework", "pytorhc"]
    assert "NVIDIA H200" in device["near"]
    assert framework["near"] == ["pytorch"]
    assert device["results"] == framework["results"] >= 1


def test_unknown_names_are_shown_harmless(data):
    renamed(data, "NVIDIA H2000\u200b", "pytorch")
    assert "NVIDIA H2000\\u200b" in stats(data, "--unknown").stdout


def test_a_file_that_cannot_be_read_is_named_and_left_out(data):
    (data / "submissions" / "broken.json").write_text("{", "utf-8")
    done = stats(data)
    assert "broken.json" in done.stderr
    assert done.stdout.startswith("1 submission, ")


def test_a_broken_vocabulary_is_said_not_traced(data):
    (data / "vocabulary" / "hardware.toml").write_text("[", "utf-8")
    done = CliRunner().invoke(rosetta.main, ["stats", "--data", str(data)])
    assert (done.exit_code, "hardware.toml" in done.stderr) == (1, True)
