"""`rosetta check` and `rosetta schema` as a user meets them: exit codes, formats, order, odd names and locales."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import rosetta
from collector.problems import CATALOGUE

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def run(samples, tmp_path, monkeypatch):
    """Return a function that runs `rosetta check` in an empty folder, with the vocabulary of the samples."""
    monkeypatch.chdir(tmp_path)

    def invoke(*arguments):
        command = ["check", "--data", str(samples / "data"), "--today", "2026-12-01", *map(str, arguments)]
        return CliRunner().invoke(rosetta.main, command)

    return invoke


def write(path, document):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document, ensure_ascii=False) + "\n", "utf-8")
    return path


def in_a_plain_locale(arguments, folder):
    """Run the command as a process whose output can hold ASCII only."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "LC_", "LANG"))}
    environment |= {"LC_ALL": "C", "PYTHONUTF8": "0"}
    command = [sys.executable, "-c", "import rosetta; rosetta.main()", "check", *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False)


def test_a_clean_file_gets_a_good_word(run, document, tmp_path):
    write(tmp_path / "a.json", document)
    result = run("a.json")
    assert result.exit_code == 0
    assert result.stdout == "a.json: fine (1 result, 3 runs)\nno problems in 1 file\n"


def test_warnings_are_fine_unless_strict(run, samples):
    warning = samples / "invalid" / "version-spelling" / "leading-v.json"
    assert run(warning).exit_code == 0
    assert run("--strict", warning).exit_code == 1


def test_wrong_usage_is_told_from_problems(run, tmp_path):
    (tmp_path / "empty").mkdir()
    for arguments in (["missing.json"], ["empty"], ["--format", "xml", "empty"], ["--today", "2026-13-01", "empty"]):
        result = run(*arguments)
        assert result.exit_code == 2, arguments
        assert "Error: " in result.stderr


def test_every_file_is_checked_in_order_unreadable_ones_included(run, document, tmp_path):
    write(tmp_path / "b" / "10.json", document)
    write(tmp_path / "b" / "9.json", document | {"origin": "guessed"})
    (tmp_path / "b" / "broken.json").write_bytes(b"{")
    (tmp_path / "b" / "link.json").symlink_to("nowhere")
    (tmp_path / "b" / "notes.txt").write_text("not ours", "utf-8")
    (tmp_path / "b" / "folder.json").mkdir()
    (tmp_path / "z.json").write_bytes(b"[]\n")
    result = run("z.json", "b", "b/10.json")
    files = [re.split("::|: ", line)[0] for line in result.stdout.splitlines()[:-1]]
    assert list(dict.fromkeys(files)) == ["z.json", "b/10.json", "b/9.json", "b/broken.json", "b/link.json"]
    assert result.stdout.endswith("4 errors, 1 warning in 5 files\n")
    assert result.exit_code == 1


def test_what_is_no_plain_file_is_named_and_not_waited_for(run, document, tmp_path):
    write(tmp_path / "in" / "a.json", document)
    os.mkfifo(tmp_path / "in" / "pipe.json")
    (tmp_path / "in" / "endless.json").symlink_to("/dev/zero")
    (tmp_path / "in" / "round.json").symlink_to("round.json")
    (tmp_path / "in" / "up").symlink_to("..")
    result = run("in")
    assert [line.split(";")[0] for line in result.stdout.splitlines()] == [
        "in/a.json: fine (1 result, 3 runs)",
        "in/endless.json::$: error: unreadable-file: found a link",
        "in/pipe.json::$: error: unreadable-file: found a pipe or a device",
        "in/round.json::$: error: unreadable-file: found a link",
        "3 errors in 4 files",
    ]


def test_a_name_with_a_newline_stays_on_its_line(run, document, tmp_path):
    write(tmp_path / "a\nb\x1b[31m.json", document)
    write(tmp_path / "c\nd.json", [])
    assert run(tmp_path / "a\nb\x1b[31m.json").stdout.startswith("a\\u000ab\\u001b[31m.json: fine")
    found = run("c\nd.json").stdout.splitlines()
    assert (len(found), found[0].split(":")[0]) == (2, "c\\u000ad.json")


def test_a_file_of_any_size_is_refused_without_being_read_whole(run, tmp_path):
    with (tmp_path / "sparse.json").open("wb") as file:
        file.truncate(2**40)
    assert "too-large: found more than 5,000,000 bytes" in run("sparse.json").stdout


def test_json_has_every_part_of_every_problem(run, samples):
    result = run(
        "--json", samples / "invalid" / "step-count" / "decimal-comma.json", samples / "valid" / "published.json"
    )
    assert result.exit_code == 1
    assert result.stdout.isascii()
    data = json.loads(result.stdout)
    assert (data["errors"], data["warnings"]) == (1, 1)
    [bad, good] = data["files"]
    assert good["problems"] == []
    assert len(good["id"]) == 64
    [warning, error] = bad["problems"]
    assert list(error) == ["code", "severity", "file", "path", "found", "expected", "remedy"]
    assert (warning["severity"], error["severity"]) == ("warning", "error")
    assert error["path"] == "$.results[0].runs[0].step_seconds"
    assert run("--format", "json", samples / "valid" / "published.json").stdout.startswith("{")


def test_annotations_escape_what_would_break_them(run, document, tmp_path):
    document["notes, 100 %: a::b"] = 1
    write(tmp_path / "a, b: 50%.json", document)
    result = run("--format", "github", "a, b: 50%.json")
    [annotation, summary] = result.stdout.splitlines()
    assert annotation.startswith("::error file=a%2C b%3A 50%25.json,title=Unknown field (unknown-field)::$[")
    assert "100 %25: a::b" in annotation
    assert summary == "1 error in 1 file"


@pytest.mark.parametrize("form", ["text", "json", "github"])
def test_no_locale_makes_the_output_crash(document, tmp_path, form):
    document["submitter"]["name"] = "Šárka 李"
    document["machines"]["m1"]["name"] = "µArch"
    document["stacks"]["s1"]["framework_version"] = "v2.13 µ李"
    write(tmp_path / "Šárka 李.json", document)
    result = in_a_plain_locale(["--format", form, "."], tmp_path)
    assert result.stderr == b""
    assert result.returncode == 0
    assert result.stdout.isascii()
    assert b"version-spelling" in result.stdout
    assert b"\\u674e" in result.stdout


def test_a_file_is_compared_with_the_data_it_would_join(document, tmp_path, samples, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for part in ("vocabulary", "workloads"):
        (tmp_path / "data").mkdir(exist_ok=True)
        (tmp_path / "data" / part).symlink_to(samples / "data" / part)
    write(tmp_path / "data" / "submissions" / "jane" / "old.json", document)
    write(tmp_path / "new.json", document)
    result = CliRunner().invoke(rosetta.main, ["check", "--data", "data", "--today", "2026-12-01", "new.json"])
    assert "duplicate-submission: found the content of data/submissions/jane/old.json" in result.stdout
    assert result.exit_code == 1
    result = CliRunner().invoke(rosetta.main, ["check", "--data", "data", "--today", "2026-12-01"])
    assert "duplicate-submission" not in result.stdout
    assert result.stdout.endswith("1 warning in 1 file\n"), "the file name is not by the scheme"


def test_a_broken_vocabulary_is_said_not_traced(tmp_path, samples):
    (tmp_path / "vocabulary").mkdir()
    (tmp_path / "vocabulary" / "frameworks.toml").write_text("[", "utf-8")
    result = CliRunner().invoke(
        rosetta.main, ["check", "--data", str(tmp_path), str(samples / "valid" / "measured-ok.json")]
    )
    assert result.exit_code == 1
    assert "frameworks.toml" in result.stderr


def test_a_wrong_entry_of_the_vocabulary_is_named(tmp_path, samples):
    shutil.copytree(samples / "data", tmp_path / "data")
    file = tmp_path / "data" / "vocabulary" / "hardware.toml"
    file.write_text(file.read_text("utf-8") + '\n["New One"]\nkind = "gpux"\nvendor = "X"\naliases = []\n', "utf-8")
    result = CliRunner().invoke(
        rosetta.main, ["check", "--data", str(tmp_path / "data"), str(samples / "valid" / "measured-ok.json")]
    )
    assert result.exit_code == 1
    assert "correct vocabulary/hardware, entry 'New One', field 'kind': Input should be 'cpu'" in result.stderr


def test_the_projects_own_data_have_no_errors_by_the_newest_rules():
    result = CliRunner().invoke(rosetta.main, ["check", "--json", str(ROOT / "data" / "submissions")])
    data = json.loads(result.stdout)
    assert data["files"]
    assert [problem for file in data["files"] for problem in file["problems"] if problem["severity"] == "error"] == []


def test_every_entry_of_the_catalogue_is_written_out():
    for code, entry in CATALOGUE.items():
        assert re.fullmatch("[a-z0-9]+(-[a-z0-9]+)*", code)
        assert entry.title[0].isupper()
        assert entry.explanation.endswith(".")
        assert not entry.remedy.endswith("."), "it ends a line that has no full stop"
