"""The README tables and notebooks of DeepLearningFrameworks, against the figures kept beside them."""

from __future__ import annotations

import csv
from collections import Counter

import pytest

from collector import store
from collector.importers import deeplearningframeworks as importer
from collector.transcribe import ImporterError

SOURCE = store.DATA / "sources/deeplearningframeworks.csv"


@pytest.fixture(scope="module")
def everything(vocabulary):
    return importer.submissions(SOURCE.read_text("utf-8"), vocabulary)


@pytest.fixture(scope="module")
def parts(everything):
    return {part: submission for part, submission in everything.items() if not part.endswith("-notebooks")}


@pytest.fixture(scope="module")
def rows():
    with SOURCE.open(encoding="utf-8", newline="") as lines:
        return {row["row_id"]: row for row in csv.DictReader(lines) if row["table"].startswith("README")}


@pytest.fixture(scope="module")
def results(parts):
    """Return every result by the id of its row in the source's figures."""
    return {result.notes[0].split()[1]: result for submission in parts.values() for result in submission.results}


def test_every_cell_of_the_readme_is_a_result_with_or_without_a_figure(results, rows):
    assert set(results) == set(rows)
    assert Counter(result.outcome for result in results.values()) == {"ok": 80, "not_run": 10}


def test_every_figure_is_the_source_s_in_seconds_with_its_text_and_place(results, rows):
    for row_id, row in rows.items():
        result, (reported,) = results[row_id], results[row_id].reported
        factor = 60 if row["table"] in ("README table 2a", "README table 2b") else 1
        expected = float(row["value"]) * factor if row["value"] else None
        assert (reported.value, reported.unit, reported.raw_text) == (expected, "s", row["raw_text"]), row_id
        assert (result.locator.path, result.locator.line) == ("README.md", int(row["source_line"])), row_id
        assert (result.scale.devices, result.outcome == "ok") == (int(row["gpu_count"]), expected is not None), row_id


def test_a_gap_keeps_what_the_source_prints_as_its_reason(results):
    gaps = {result.reason for result in results.values() if result.outcome == "not_run"}
    assert gaps == {
        "The source prints “??” instead of a figure.",
        "The source prints “???” instead of a figure.",
        "The source prints “TBA” instead of a figure.",
        "The source has an empty cell.",
    }


def test_what_the_source_does_not_state_stays_unstated(parts):
    for submission in parts.values():
        assert {stack.framework_version for stack in submission.stacks.values()} == {None}
        for result in submission.results:
            assert (result.batch.per_device, result.class_, result.workload_version) == (None, None, None)
    assert {part: {result.precision for result in parts[part].results} for part in parts} == {
        "cifar10-cnn": {"fp32"},
        "densenet121-chestxray-real": {None},
        "densenet121-chestxray-synthetic": {None},
        "resnet50-features": {None},
        "gru-imdb": {None},
    }


def test_back_ends_interfaces_and_languages_are_kept_apart(parts):
    cifar = parts["cifar10-cnn"]
    stacks = {(cifar.stacks[r.stack].framework, cifar.stacks[r.stack].api, r.variant) for r in cifar.results}
    assert {("keras", None, "TensorFlow back end"), ("mxnet", "Gluon", None), ("mxnet", "Module API", None)} <= stacks
    assert {stack.language for stack in cifar.stacks.values()} == {"python", "r", "julia"}


def test_a_notebook_s_figure_keeps_its_own_machine_release_and_metric(everything):
    cifar = everything["cifar10-cnn-notebooks"]
    seconds, evaluation, accuracy = (r for r in cifar.results if r.locator.path == "notebooks/Gluon_CNN.ipynb")
    assert [r.reported[0].metric for r in (seconds, evaluation, accuracy)] == [
        "fixed-epochs-seconds",
        "evaluation-seconds",
        "accuracy",
    ]
    assert cifar.machines[seconds.machine].devices[0].name == "Tesla V100-SXM2-16GB"
    assert cifar.stacks[seconds.stack].framework_version == "1.3.0"
    assert (seconds.window, accuracy.window) == ("epochs", None)


def test_remarks_of_the_source_are_notes(results):
    assert "cuDNN RNN kernel: No" in results["dlf-0073"].notes
    assert any("1,280 images" in note for note in results["dlf-0070"].notes)
    assert any("minutes" in note for note in results["dlf-0027"].notes)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("row_id,source,", "row_id,", "lacks the column 'source'"),
        (",Caffe2,,,Python,K80,1,", ",Cafe2,,,Python,K80,1,", "'dlf-0001': the column 'framework' holds 'Cafe2'"),
        (",s,148,148,", ",s,0,148,", "the column 'value' holds '0'"),
        (",s,148,148,", ",s,nan,148,", "the column 'value' holds 'nan'"),
        (",s,148,148,", ",ms,148,148,", "the column 'unit' holds 'ms'"),
        ("README table 1", "README table 9", "the column 'table' holds 'README table 9'"),
    ],
    ids=["header", "framework", "zero", "not a number", "unit", "table"],
)
def test_figures_that_are_not_understood_stop_the_import_and_are_named(vocabulary, old, new, message):
    text = SOURCE.read_text("utf-8")
    assert old in text
    with pytest.raises(ImporterError, match=message):
        importer.submissions(text.replace(old, new, 1), vocabulary)


def test_a_row_that_is_cut_short_stops_the_import(vocabulary):
    text = SOURCE.read_text("utf-8")
    with pytest.raises(ImporterError, match="dlf-0090"):
        importer.submissions(text[: text.rindex(",R,P100,")], vocabulary)
