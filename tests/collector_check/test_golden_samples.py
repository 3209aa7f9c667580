"""Every sample says what it should: valid ones nothing, invalid ones exactly the text beside them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from collector import report
from collector.cli import check_command
from collector.digest import digest
from collector.neighbours import compared
from collector.problems import CATALOGUE
from collector.read import MAX_BYTES, read
from collector.repeats import across
from collector.report import Checked

SAMPLES = Path(__file__).resolve().parents[1] / "samples"
INVALID = SAMPLES / "invalid"
CASES = sorted(path.with_suffix("") for path in INVALID.glob("*/*.expected"))
CASE_FOLDERS = sorted(path for path in INVALID.glob("*/*") if path.suffix != ".expected")


def case_files(case, tmp_path):
    """Copy a case to an empty folder, and return what `rosetta check` is to be given there."""
    if case.parent.name == "too-large":  # five megabytes are made here rather than kept
        path = tmp_path / f"{case.name}.json"
        path.write_bytes(b" " * MAX_BYTES + b"{")
        return path
    source = case if case.is_dir() else case.with_suffix(".json")
    target = tmp_path / source.name
    if source.is_dir():
        shutil.copytree(source, target, symlinks=True)
    else:
        shutil.copyfile(source, target)
    return target


def through_the_api(target, vocabulary, today):
    """Return the report on a case, composed from the stages."""
    paths = sorted(target.rglob("*.json")) if target.is_dir() else [target]
    root = target.parent
    readings = {
        path.relative_to(root).as_posix(): read(path.read_bytes(), path.relative_to(root).as_posix()) for path in paths
    }
    digests = [digest(reading, file, vocabulary, yours=False, today=today) for file, reading in readings.items()]
    values = [value for each in digests for value in each.values]
    between = (*across([each.claims for each in digests if each.claims]), *compared(values))
    files = []
    for header in (each.header for each in digests):
        found = (*header.problems, *(problem for problem in between if problem.file == header.file))
        files.append(Checked(header.file, header.id, header.results, header.runs, found))
    return report.text(files)


def through_the_command(target, monkeypatch):
    monkeypatch.chdir(target.parent)
    arguments = ["--today", "2026-12-01", "--data", str(SAMPLES / "data"), target.name]
    return CliRunner().invoke(check_command, arguments)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.parent.name}/{case.name}")
def test_an_invalid_sample_gives_exactly_the_text_beside_it(case, tmp_path, monkeypatch, vocabulary, today, request):
    target = case_files(case, tmp_path)
    result = through_the_command(target, monkeypatch)
    if request.config.getoption("--update-golden", default=False):
        case.with_suffix(".expected").write_text(result.stdout, "utf-8")
    expected = case.with_suffix(".expected").read_text("utf-8")
    assert result.stdout == expected
    assert f": {case.parent.name}: " in expected, "the sample doesn't show the problem whose folder it is in"
    assert result.exit_code == int(": error: " in expected)
    if case.parent.name != "unreadable-file":  # only the command opens files
        assert through_the_api(target, vocabulary, today) == expected


def test_every_code_of_the_catalogue_has_a_sample_and_every_sample_an_expectation():
    assert {case.parent.name for case in CASES} == set(CATALOGUE)
    assert {path.with_suffix("") for path in CASE_FOLDERS} | {INVALID / "too-large" / "padded"} == set(CASES)


def test_valid_samples_have_no_problem_not_even_a_warning(monkeypatch):
    monkeypatch.chdir(SAMPLES)
    arguments = ["--strict", "--today", "2026-12-01", "--data", "data", "valid"]
    result = CliRunner().invoke(check_command, arguments)
    assert result.exit_code == 0, result.stdout
    assert "no problems in" in result.stdout


def test_there_is_a_valid_sample_for_every_outcome_and_origin():
    documents = [json.loads(path.read_text("utf-8")) for path in (SAMPLES / "valid").glob("*.json")]
    results = [result for document in documents for result in document["results"]]
    outcomes = {"ok", "oom", "failed", "timed_out", "crashed", "unsupported", "not_run", "invalid"}
    assert {result["outcome"] for result in results} == outcomes
    assert {document["origin"] for document in documents} == {"measured", "published", "imported-log", "computed"}
