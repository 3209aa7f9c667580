"""Files that mean harm, or were made by a program gone wild: a few clear problems, in bounded time and memory."""

from __future__ import annotations

import csv
import io
import json
import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from collector import store
from collector.serialise import table_csv

SIZES = Path(__file__).with_name("sizes.py")
CASES = runpy.run_path(str(SIZES))["CASES"]
MEASURED = store.ROOT / "tests" / "samples" / "valid" / "measured-ok.json"
PATIENCE = 120  # seconds, for what takes five at most: only a hang takes longer
FEW = 2 * 100 + 50  # problems of a file: a hundred of a kind are shown
TEXTS = [
    "<script>alert(1)</script>", "{{ 7 * 7 }}", "{% include '/etc/passwd' %}", '=HYPERLINK("http://x")', "@SUM(1)",
    "../../../etc/passwd", "..\\..\\boot.ini", "%2e%2e/", "nul\\u0000", "a\u200bb", "\u0430pple", "'; DROP TABLE files; --",
    "a\tb", "line\nbreak", "\\", '"', "ﷺ" * 50, "👩‍👩‍👧‍👦", "\ufeff", "\u00a0",
]  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_huge_file_ends_soon_with_few_problems(name):
    command = [sys.executable, SIZES, name]
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert len(json.loads(done.stdout)) <= FEW


@pytest.fixture
def folder(tmp_path):
    """Make a data folder with the project's vocabulary and no submissions."""
    data = tmp_path / "project" / "data"
    (data / "submissions/jane").mkdir(parents=True)
    for name in ("vocabulary", "workloads"):
        (data / name).symlink_to(store.DATA / name)
    return data


def placed(text):
    """Return a submission with a text wherever a person may choose one."""
    document = json.loads(MEASURED.read_text("utf-8"))
    document["submitter"] = {"name": text, "organisation": text, "url": text}
    for machine in document["machines"].values():
        machine |= {"name": text, "os": text, "kernel": text, "interconnect": text}
    for stack in document["stacks"].values():
        stack |= {"framework_version": text, "api": text, "packages": {text: text}, "environment": {text: text}}
    document["results"][0] |= {"variant": text, "notes": [text]}
    return document


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: ascii(text)[1:30])
def test_a_hostile_text_is_refused_or_comes_back_as_it_was(text, folder, tmp_path):
    content = json.dumps(placed(text), ensure_ascii=False) + "\n"
    (folder / "submissions/jane/a.json").write_text(content, "utf-8")
    dataset = store.load(folder, tmp_path / "none", keep_going=True)
    before = {path for path in tmp_path.rglob("*") if path.is_file()}
    store.write_dataset(dataset, tmp_path / "out")
    assert all(path.is_relative_to(tmp_path / "out") for path in set(tmp_path.rglob("*")) - before if path.is_file())
    lines = list(csv.DictReader(io.StringIO(b"".join(table_csv(dataset.table)).decode(), newline="")))
    assert list(dataset.table["submitter"]) == [text] * len(lines)
    assert not any(field.startswith(("=", "+", "-", "@", "\t", "\r")) for line in lines for field in line.values())


@pytest.mark.parametrize("name", ["../../escape", "/etc/passwd", "a/../b", "..", "con", "A", "a b", "a\u202eb", ""])
def test_an_id_that_is_a_path_is_refused(name, folder, tmp_path):
    document = json.loads(MEASURED.read_text("utf-8"))
    document["results"][0]["workload"] = name
    (folder / "submissions/jane/a.json").write_text(json.dumps(document) + "\n", "utf-8")
    assert store.load(folder, tmp_path / "none", keep_going=True).left_out != ()


def test_links_are_followed_only_to_files_and_never_round(folder, tmp_path):
    submissions = folder / "submissions"
    (submissions / "round").symlink_to(submissions)
    (submissions / "up").symlink_to(tmp_path)
    (submissions / "jane/loop.json").symlink_to("loop.json")
    (submissions / "jane/passwd.json").symlink_to("/etc/passwd")
    (submissions / "jane/device.json").symlink_to("/dev/zero")
    (submissions / "jane/folder.json").symlink_to(tmp_path)
    os.mkfifo(submissions / "jane/pipe.json")
    dataset = store.load(folder, tmp_path / "none", keep_going=True)
    assert {Path(file).name for file in dataset.left_out} == {"loop.json", "passwd.json", "device.json", "pipe.json"}
    assert not any("root:" in str(problem) for problem in dataset.problems), "what a link leads to is nobody's business"
