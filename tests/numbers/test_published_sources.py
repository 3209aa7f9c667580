"""Every published source against the figures kept beside it: nothing is lost, nothing is invented."""

from __future__ import annotations

import csv
import importlib
import pkgutil
import re
from collections import Counter, defaultdict

import pytest

from collector import importers, store
from collector.check import check
from collector.serialise import submission_json
from collector.transcribe import ImporterError

NAMES = sorted(module.name for module in pkgutil.iter_modules(importers.__path__) if not module.ispkg)
ROW_ID = re.compile(r"[a-z0-9]+-\d{4}")
FACTORS = {("deeplearningframeworks", "min"): 60}  # its metric is in seconds
VALUES = {"dlperf": "throughput", "paddle_perf": "throughput"}


def source(name):
    return (store.DATA / "sources" / f"{name}.csv").read_text("utf-8")


@pytest.fixture(scope="module", params=NAMES)
def name(request):
    return request.param


@pytest.fixture(scope="module")
def parts(name, vocabulary):
    return importlib.import_module(f"collector.importers.{name}").submissions(source(name), vocabulary)


@pytest.fixture(scope="module")
def rows(name):
    return {row["row_id"]: row for row in csv.DictReader(source(name).splitlines())}


@pytest.fixture(scope="module")
def cited(parts, name):
    """Return the results by the rows of the source that they name."""
    found = defaultdict(list)
    for submission in parts.values():
        for result in submission.results:
            assert result.notes[0].endswith(f" of data/sources/{name}.csv")
            for row_id in ROW_ID.findall(result.notes[0]):
                found[row_id].append(result)
    return found


def imported(name, vocabulary):
    return importlib.import_module(f"collector.importers.{name}").submissions(source(name), vocabulary)


def citing(parts, row_id):
    return next(r for submission in parts.values() for r in submission.results if row_id in r.notes[0])


def test_the_committed_files_are_what_the_import_makes_byte_for_byte(parts, name):
    folder = store.DATA / "submissions/published" / importlib.import_module(f"collector.importers.{name}").FOLDER
    made = {f"{part}.json": submission_json(submission).encode() for part, submission in parts.items()}
    assert made == {path.name: path.read_bytes() for path in folder.iterdir()}


def test_every_row_is_in_exactly_one_result(cited, rows):
    # An author's pick of the best library for each layer was never run.
    left_out = {row_id for row_id, row in rows.items() if row.get("library") == "cherry-picking"}
    assert set(cited) == set(rows) - left_out
    assert {row_id for row_id, results in cited.items() if len(results) != 1} == set()


def test_every_figure_stands_in_its_result_as_printed(cited, rows, name):
    for row_id, (result,) in cited.items():
        row = rows[row_id]
        stated = [f"{figure.value:.6g}" for figure in result.reported if figure.value is not None]
        printed = row[VALUES.get(name, "value")]
        if not printed:
            assert stated == [], row_id
        elif row.get("run_status", "success") in ("", "success"):  # another MLPerf run has no time to its target
            assert f"{float(printed) * FACTORS.get((name, row['unit']), 1):.6g}" in stated, row_id


def test_only_a_result_with_a_figure_is_ok_and_every_other_says_why(parts):
    for submission in parts.values():
        for result in submission.results:
            has_value = any(figure.value is not None for figure in result.reported)
            assert (result.outcome == "ok") == has_value, result.notes
            assert (result.reason is None) == has_value, result.notes


def test_every_citation_leads_to_a_place_of_a_version(parts):
    for submission in parts.values():
        assert re.fullmatch(r"[0-9a-f]{40}", submission.source.commit)
        assert submission.source.url == f"https://github.com/{submission.source.title}"
        assert all(result.locator.path for result in submission.results)


def test_the_submissions_have_no_errors(parts, vocabulary):
    for part, submission in parts.items():
        found = check(submission, part, vocabulary)
        assert [problem for problem in found if problem.severity.value == "error"] == []


@pytest.mark.parametrize("name", NAMES, scope="module")
def test_a_file_that_lacks_a_column_stops_the_import(name, vocabulary):
    header, rest = source(name).split("\n", 1)
    broken = f"{header.replace('source_path', 'file')}\n{rest}"
    with pytest.raises(ImporterError, match="lacks the column 'source_path'"):
        importlib.import_module(f"collector.importers.{name}").submissions(broken, vocabulary)


# What is known of the single sources


def test_dlperf_puts_the_copies_and_the_single_runs_of_a_cell_together(vocabulary):
    result = citing(imported("dlperf", vocabulary), "dlperf-0001")
    assert [(f.statistic, f.run_index, f.value) for f in result.reported][:3] == [
        ("median of runs", None, 392.24),
        ("single run", 1, 392.24),
        ("single run", 2, 390.09),
    ]
    assert len(result.reported) == 8
    assert "also at reports/DLPerf_report_v1.0.xlsm:r50_fp32_bz128!F2" in result.notes
    assert (result.batch.per_device, result.scale.nodes, result.scale.devices) == (128, 1, 1)


def test_dlperf_s_slips_are_told_and_kept(vocabulary):
    parts = imported("dlperf", vocabulary)
    slips = [note for part in parts.values() for r in part.results for note in r.notes if "prints a speedup" in note]
    assert [re.search(r"speedup of (.*)", slip)[1] for slip in slips if "README" in slip or "_0822" in slip] == [
        "10.2; its figures give 10.28",
        "27.33; its figures give 27.23",
        "29.75; its figures give 29.74",
    ]
    found = check(parts["bert-base"], "bert-base", vocabulary)
    differing = [problem for problem in found if problem.code == "summary-differs"]
    places = [int(re.search(r"results\[(\d+)\]", problem.path)[1]) for problem in differing]
    results = [parts["bert-base"].results[place] for place in places]  # NGC TensorFlow: the medians are of other runs
    assert [(r.variant, r.batch.per_device, r.precision) for r in results] == [("NGC 20.03", 48, "fp32")] * 4


def test_out_of_memory_is_an_outcome_with_its_reason(vocabulary):
    result = citing(imported("dlperf", vocabulary), "dlperf-1636")
    assert (result.outcome, result.batch.per_device) == ("oom", 96)
    assert result.reason == "The source says that this batch size runs out of memory; largest that ran: 64."


def test_an_image_is_the_container_and_no_release(vocabulary):
    parts = imported("paddle_perf", vocabulary)
    result = citing(parts, "pp-0001")
    submission = next(part for part in parts.values() if result in part.results)
    assert submission.machines[result.machine].container == "nvcr.io/nvidia/pytorch:21.11-py3"
    assert submission.stacks[result.stack].framework_version is None


def test_what_the_documents_of_a_cell_state_differently_is_not_stated(vocabulary):
    result = citing(imported("paddle_perf", vocabulary), "pp-0051")  # the page of the framework says 128, the table 96
    assert "pp-0007" in result.notes[0]
    assert result.batch.per_device is None
    assert "not stated, as documents differ: batch size per device 128 or 96" in result.notes


def test_rates_computed_from_logs_are_never_called_published(vocabulary):
    origins = {part: submission.origin for part, submission in imported("paddle_perf", vocabulary).items()}
    assert {origin for part, origin in origins.items() if part.endswith("-computed")} == {"computed"}
    assert {origin for part, origin in origins.items() if not part.endswith("-computed")} == {"published"}


def test_tf32_under_the_name_of_fp32_is_found(vocabulary):
    parts = imported("paddle_perf", vocabulary)
    found = check(parts["bert-base"], "bert-base", vocabulary)
    assert {"over-peak", "tf32-not-stated"} <= {problem.code for problem in found}


def test_a_run_that_missed_its_target_has_no_time_to_it(vocabulary):
    parts = imported("mlperf_training", vocabulary)
    result = citing(parts, "mlperf-0002")
    assert [(f.run_index, f.value) for f in result.reported][:2] == [(0, 2.2781), (1, None)]
    assert result.reported[1].raw_text == "abort after 2.2662"
    assert any("no mean" in note for note in result.notes)


def test_mlperf_s_framework_is_the_one_that_is_named_or_none(vocabulary):
    parts = imported("mlperf_training", vocabulary)
    frameworks = Counter()
    for part in parts.values():
        for result in part.results:
            frameworks[part.stacks[result.stack].framework, result.workload] += 1
    assert frameworks["mxnet", "resnet50"] > 20
    assert frameworks["pytorch", "bert-large"] > 20
    several = [r for part in parts.values() for r in part.results if (r.variant or "").count("NGC") > 1]
    assert {part.stacks[r.stack].framework for part in parts.values() for r in part.results if r in several} == {
        "not-stated"
    }


def test_lambda_s_zeros_are_failures_without_a_cause(vocabulary):
    parts = imported("lambdal", vocabulary)
    failed = [r for part in parts.values() for r in part.results if r.outcome == "failed"]
    assert len(failed) == 81
    assert {r.reason for r in failed} == {"The source writes 0.0 both for what failed and for what was not run."}
    assert {r.reported[0].value for r in failed} == {None}
