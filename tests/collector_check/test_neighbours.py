"""A value that lies far from those of the same framework on the same device gets a second look, and no more."""

from __future__ import annotations

import copy
import json

import pytest

from collector.neighbours import carried_over, unusual, values
from collector.normalise import Entry
from collector.read import read

RATES = (600.0, 606.0, 612.0)


@pytest.fixture
def judged(document, vocabulary):
    """Return a function that gives the problems of submissions of one cell with these throughputs."""

    def judge(*throughputs, who=None, **changes):
        made = []
        for number, rate in enumerate(throughputs):
            other = copy.deepcopy(document)
            other["submitter"]["name"] = (who if number == len(throughputs) - 1 else None) or f"submitter {number}"
            for run in other["results"][0]["runs"]:
                run["window_seconds"] = run["samples_per_step"] * run["measured_steps"] / rate
            if number == len(throughputs) - 1:
                other["stacks"]["s1"].update(changes)
            found = read(json.dumps(other).encode() + b"\n", "f.json")
            made += values(Entry(f"{number}.json", found.id, False, found.submission), vocabulary)
        return unusual(made)

    return judge


@pytest.mark.parametrize("rate", [570.0, 600.0, 645.0])
def test_a_value_near_the_others_is_nothing_to_tell(judged, rate):
    assert judged(*RATES, rate) == ()


@pytest.mark.parametrize("rate", [300.0, 900.0])
def test_a_value_far_from_the_others_is_warned_of_with_their_range(judged, rate):
    (found,) = judged(*RATES, rate)
    assert (found.code, found.severity.value, found.file) == ("unlike-neighbours", "warning", "3.json")
    assert found.found == f"{rate:.4g} samples/s"
    assert found.expected == "600 to 612 samples/s, as in 3 others of its kind"


def test_a_submitter_is_no_neighbour_of_its_own(judged):
    assert judged(*RATES, 300.0, who="submitter 0") == ()


def test_two_others_are_no_range(judged):
    assert judged(600.0, 606.0, 300.0) == ()


def test_other_frameworks_are_no_neighbours(judged):
    assert judged(*RATES, 300.0, framework="jax") == ()


def test_another_release_is_a_neighbour(judged):
    assert len(judged(*RATES, 300.0, framework_version="2.14.0")) == 1


def test_the_order_of_the_files_changes_nothing(judged):
    assert {p.found for p in judged(*RATES, 300.0)} == {p.found for p in judged(300.0, *RATES)}


@pytest.fixture
def released(published, vocabulary):
    """Return a function that gives the codes for published values, each of a release, each in a file of its own."""

    def judge(*pairs):
        made = []
        for number, (release, value) in enumerate(pairs):
            other = copy.deepcopy(published)
            for stack in other["stacks"].values():
                stack["framework_version"] = release
            other["results"] = other["results"][:1]
            other["results"][0]["reported"] = [{**other["results"][0]["reported"][0], "value": value, "raw_text": None}]
            found = read(json.dumps(other).encode() + b"\n", "f.json")
            made += values(Entry(f"{number}.json", found.id, False, found.submission), vocabulary)
        return [(problem.file, problem.code, problem.found) for problem in carried_over(made)]

    return judge


def test_a_value_of_an_older_release_to_all_digits_is_asked_about(released):
    assert released(("1.9.0", 123.4), ("1.10.0", 123.4)) == [("1.json", "carried-over", "123.4 of 1.10.0")]
    assert released(("1.10.0", 123.4), ("1.9.0", 123.4)) == [("0.json", "carried-over", "123.4 of 1.10.0")]


@pytest.mark.parametrize(
    "pairs",
    [
        [("1.9.0", 123.4), ("1.10.0", 123.5)],
        [("1.9.0", 123.4), ("1.9.0", 123.4)],
        [("1.9.0", 120.0), ("1.10.0", 120.0)],
        [(None, 123.4), ("1.10.0", 123.4)],
    ],
    ids=["other value", "same release", "few digits", "release not stated"],
)
def test_what_may_well_agree_is_not_asked_about(released, pairs):
    assert released(*pairs) == []
