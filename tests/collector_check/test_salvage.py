"""A file whose shape is wrong somewhere is judged by every rule elsewhere, and nothing is found that isn't there."""

from __future__ import annotations

import copy
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collector.check import judge
from collector.read import read

JUNK = st.sampled_from([None, True, -1, 0, 1.5, float("nan"), "", "1,440", "Nonsense name", [], [1], {}, {"a": 1}])
SAMPLES = ["several-machines-and-stacks", "published", "multi-device", "outcome-unsupported", "real-epochs", "computed"]


def related(path, steps):
    """Say whether a problem's path is a place, holds it, or stands inside it."""
    from collector.wording import json_path

    one = json_path(steps)
    return any(a == b or a.startswith((b + ".", b + "[")) for a, b in ((path, one), (one, path)))


def test_faults_of_shape_and_of_meaning_come_at_once(document, problems):
    run = document["results"][0]["runs"][0]
    run["peak_device_memory_bytes"] = -5
    run["step_seconds"][4] = -0.1
    run["window_seconds"] = 0
    document["results"][0]["runs"][1]["step_seconds"][7] = "0,1"
    document["results"][0]["batch"]["level"] = "all"
    document["results"][0]["limit"] = "ours"
    document["stacks"]["s1"]["framework"] = "PyTorch"
    document["extra"] = 1
    assert {(problem.path, problem.code) for problem in problems(document)} == {
        ("$.results[0].runs[0].peak_device_memory_bytes", "out-of-range"),
        ("$.results[0].runs[0].step_seconds[4]", "non-positive-time"),
        ("$.results[0].runs[0].window_seconds", "non-positive-time"),
        ("$.results[0].runs[1].step_seconds[7]", "wrong-type"),
        ("$.results[0].batch.level", "unknown-value"),
        ("$.results[0].limit", "limit-unexpected"),
        ("$.stacks.s1.framework", "malformed-text"),
        ("$.extra", "unknown-field"),
    }


def test_a_number_that_is_none_hides_no_other_fault(document, problems):
    document["results"][0]["runs"][0]["loss"][0] = float("nan")
    document["submitter"]["name"] = "a\u202eb"
    document["results"][0]["runs"][0]["window_seconds"] = -1
    assert {problem.code for problem in problems(document)} == {
        "non-finite-number",
        "control-character",
        "non-positive-time",
    }


@pytest.mark.parametrize("field", ["origin", "machines", "stacks", "results"])
def test_where_too_little_is_left_only_the_shape_is_judged(document, problems, field):
    document[field] = 3
    assert [problem.path for problem in problems(document)] == [f"$.{field}"]


def test_an_unreadable_window_of_whole_epochs_misses_no_list_of_steps(samples, vocabulary, today):
    document = json.loads((samples / "valid" / "real-epochs.json").read_text("utf-8"))
    document["results"][0]["window"] = "epoch"
    reading = read((json.dumps(document) + "\n").encode(), "f.json")
    assert [problem.path for problem in judge(reading, "f.json", vocabulary, today)] == ["$.results[0].window"]


@settings(max_examples=400, deadline=None)
@given(data=st.data())
def test_one_broken_place_leads_to_no_complaint_elsewhere(data, samples, vocabulary, today, places, inside):
    name = data.draw(st.sampled_from(SAMPLES))
    document = json.loads((samples / "valid" / f"{name}.json").read_text("utf-8"))
    steps = data.draw(st.sampled_from(places(document)))
    parent = inside(document, steps[:-1])
    if data.draw(st.booleans()):
        parent[steps[-1]] = copy.deepcopy(data.draw(JUNK))
    else:
        del parent[steps[-1]]
    reading = read((json.dumps(document) + "\n").encode(), "f.json")
    if reading.submission is None:
        for problem in judge(reading, "f.json", vocabulary, today):
            assert related(problem.path, steps), problem
