"""What one file can't show: the same submission, run, log or result offered twice, and what supersedes what."""

from __future__ import annotations

import copy
import json

import pytest

from collector.canonical import identity
from collector.normalise import Entry
from collector.read import read
from collector.repeats import across, claims


def submission(document):
    return read(json.dumps(document).encode() + b"\n", "f.json").submission


def measured_again(document, by=None):
    """Return the same cell with other times and logs."""
    other = copy.deepcopy(document)
    for number, run in enumerate(other["results"][0]["runs"]):
        run["step_seconds"] = [seconds + 0.0001 for seconds in run["step_seconds"]]
        run["window_seconds"] += 0.02
        run["log_sha256"] = f"{number + 100:064x}"
    other["submitter"]["name"] = by or other["submitter"]["name"]
    return other


@pytest.fixture
def between(vocabulary):
    """Return a function that compares documents, named a.json, b.json …, and returns file and code of the problems."""

    def compare(*documents):
        made = []
        for position, document in enumerate(documents):
            found = submission(document)
            made.append(claims(Entry(f"{chr(97 + position)}.json", identity(found), False, found), vocabulary))
        return sorted({(problem.file, problem.code) for problem in across(made)})

    return compare


def test_a_copy_with_its_keys_in_another_order_is_a_repeated_submission(document, between):
    backwards = json.loads(json.dumps(document), object_pairs_hook=lambda pairs: dict(reversed(pairs)))
    assert between(document, backwards) == [("b.json", "duplicate-submission")]


def test_three_copies_are_two_repetitions_of_the_first(document, between):
    assert between(document, document, document) == [
        ("b.json", "duplicate-submission"),
        ("c.json", "duplicate-submission"),
    ]


def test_the_same_runs_under_another_name_are_found_by_log_and_by_times(document, between):
    other = copy.deepcopy(document)
    other["submitter"]["name"] = "John Doe"
    assert between(document, other) == [("b.json", "duplicate-log"), ("b.json", "duplicate-run")]
    for run in other["results"][0]["runs"]:
        run["log_sha256"] = None
    assert between(document, other) == [("b.json", "duplicate-run")]


def test_the_same_cell_again_needs_supersedes(document, between):
    again = measured_again(document)
    assert between(document, again) == [("b.json", "repeated-result")]
    again["supersedes"] = identity(submission(document))
    assert between(document, again) == []
    assert between(again, document) == []


def test_names_of_submitters_are_compared_without_case(document, between):
    assert between(document, measured_again(document, by="jane ROE")) == [("b.json", "repeated-result")]


def test_another_submitter_may_measure_the_same_cell(document, between):
    assert between(document, measured_again(document, by="John Doe")) == []


def test_another_setting_makes_another_cell(document, between):
    other = measured_again(document)
    other["results"][0]["threads_per_process"] = 1
    assert between(document, other) == []


def test_a_setting_that_is_not_stated_equals_no_other(document, between):
    document["results"][0]["threads_per_process"] = None
    assert between(document, measured_again(document)) == []


def test_a_correction_may_repeat_the_runs_of_what_it_supersedes_through_a_chain(document, between):
    second = copy.deepcopy(document) | {"supersedes": identity(submission(document))}
    third = copy.deepcopy(document) | {"supersedes": identity(submission(second))}
    assert between(document, second, third) == []
    assert between(third, document, second) == []


def test_superseding_one_file_excuses_no_copy_of_another(document, between):
    unrelated = measured_again(document, by="John Doe")
    copied = copy.deepcopy(unrelated) | {"supersedes": identity(submission(document))}
    copied["submitter"]["name"] = "Max Mustermann"
    assert ("c.json", "duplicate-log") in between(document, unrelated, copied)


def test_what_supersedes_nothing_is_named(document, between):
    document["supersedes"] = "0" * 64
    assert between(document) == [("a.json", "supersedes-unknown")]


def test_published_figures_of_one_setting_are_no_repetition(published, between):
    other = copy.deepcopy(published)
    other["source"]["title"] = "Another source"
    assert between(published, other) == []


def test_a_result_on_an_unknown_machine_does_not_stop_the_comparison(document, between):
    broken = copy.deepcopy(document)
    broken["results"][0]["machine"] = "nowhere"
    assert ("b.json", "duplicate-log") in between(document, broken)
