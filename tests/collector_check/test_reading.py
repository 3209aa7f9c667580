"""Whatever the bytes, reading returns problems and never raises; what is found names its place."""

from __future__ import annotations

import copy
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collector.canonical import document as plain
from collector.canonical import identity
from collector.problems import CATALOGUE
from collector.read import read


def codes(content):
    return [problem.code for problem in read(content, "f.json").problems]


def as_bytes(document):
    return (json.dumps(document) + "\n").encode()


def places(document):
    """Yield the path of keys and positions to every value of a document."""
    rest = [((), document)]
    while rest:
        steps, value = rest.pop()
        yield steps
        children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        rest += [((*steps, step), child) for step, child in children]


def changed(document, steps, value):
    document = copy.deepcopy(document)
    here = document
    for step in steps[:-1]:
        here = here[step]
    here[steps[-1]] = value
    return document


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(st.binary(max_size=200))
def test_any_bytes_give_problems_and_no_submission(content):
    reading = read(content, "f.json")
    assert reading.submission is None
    assert reading.problems
    assert {problem.code for problem in reading.problems} <= set(CATALOGUE)


@given(JSON.map(json.dumps))
def test_any_json_gives_problems_and_no_submission(text):
    reading = read(text.encode(), "f.json")
    assert reading.submission is None
    assert reading.problems


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_any_value_anywhere_is_accepted_or_named_never_a_crash(data, samples):
    document = json.loads((samples / "valid" / "several-machines-and-stacks.json").read_text("utf-8"))
    steps = data.draw(st.sampled_from([place for place in places(document) if place]))
    reading = read(as_bytes(changed(document, steps, data.draw(JSON))), "f.json")
    assert (reading.submission is None) == any(problem.severity == "error" for problem in reading.problems)
    for problem in reading.problems:
        assert str(problem).encode().count(b"\n") == 0
        assert problem.found
        assert problem.expected
        assert problem.remedy


@settings(max_examples=60, deadline=None)
@given(cut=st.integers(min_value=1, max_value=20_000))
def test_a_truncated_file_is_a_problem_not_a_crash(cut, samples):
    content = (samples / "valid" / "measured-ok.json").read_bytes()
    found = read(content[: min(cut, len(content) - 3)], "f.json")
    assert found.submission is None
    assert [problem.code for problem in found.problems if problem.severity == "error"] == ["not-json"]


@pytest.mark.parametrize("path", ["valid/hostile-names.json", "valid/published.json", "valid/multi-device.json"])
def test_what_is_read_is_what_stands_in_the_file(path, samples):
    content = (samples / path).read_bytes()
    assert plain(read(content, path).submission) == json.loads(content)


def test_the_id_does_not_depend_on_the_order_of_keys_or_white_space(document):
    backwards = json.loads(json.dumps(document), object_pairs_hook=lambda pairs: dict(reversed(pairs)))
    one, other = read(as_bytes(document), "a"), read(json.dumps(backwards, indent=4).encode() + b"\n", "b")
    assert identity(one.submission) == identity(other.submission)
    document["submitter"]["name"] += "!"
    assert identity(read(as_bytes(document), "a").submission) != identity(one.submission)


def test_a_value_is_found_at_its_json_path(document):
    document["results"][0]["runs"][1]["step_seconds"][17] = None
    [problem] = read(as_bytes(document), "f.json").problems
    assert problem.path == "$.results[0].runs[1].step_seconds[17]"


@pytest.mark.parametrize("value", [float("nan"), float("inf"), "nan", None, ""])
@pytest.mark.parametrize("field", ["window_seconds", "samples_per_step", "measured_steps"])
def test_what_is_no_number_never_passes_for_one(document, problems, field, value):
    document["results"][0]["runs"][0][field] = value
    assert any(problem.path.endswith(field) and problem.severity == "error" for problem in problems(document))


def test_a_missing_metric_never_passes_for_a_number(document):
    del document["results"][0]["runs"][0]["window_seconds"]
    assert codes(as_bytes(document)) == ["missing-field"]


@pytest.mark.parametrize("depth", [50, 500, 100_000])
def test_deep_nesting_is_a_problem_whatever_the_stack_allows(depth):
    assert codes(b'{"schema_version": 1, "a": ' + b"[" * depth + b"]" * depth + b"}\n") == ["too-deep"]


def test_all_problems_of_a_file_come_at_once(document):
    document["origin"] = "guessed"
    document["results"][0]["seed"] = "zero"
    document["results"][0]["runs"][2]["loss"] = [float("nan")]
    del document["stacks"]["s1"]["cuda"]
    found = codes(("\ufeff" + json.dumps(document)).encode())
    assert sorted(found) == sorted(
        ["byte-order-mark", "final-newline", "non-finite-number", "unknown-value", "missing-field", "wrong-type"]
    )


def test_a_text_that_hides_or_turns_its_neighbours_is_shown_by_its_codes(document):
    document["origin"] = "mea\u202esured\u200b"
    [problem] = read(as_bytes(document), "f.json").problems
    assert problem.found == '"mea\\u202esured\\u200b"'


LOOKS_LIKE_A_KEY = ['"name": ', '{"window" :1}', "\\", 'a "quoted" text', ""]


@pytest.mark.parametrize("text", LOOKS_LIKE_A_KEY)
def test_a_repeated_key_is_found_whatever_else_looks_like_one(document, text):
    document["results"][0]["notes"] = [f"It says {text} there."]
    written = as_bytes(document).decode()
    assert codes(written.encode()) == []
    twice = written.replace('"seed": 0', '"seed": 1, "seed": 0', 1)
    assert codes(twice.encode()) == ["duplicate-key"]
    assert codes(twice.replace('"seed": 1', '"seed"\n: 1').encode()) == ["duplicate-key"]


@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_the_quick_look_finds_what_the_thorough_one_finds(data, samples, monkeypatch_module):
    document = json.loads((samples / "valid" / "measured-ok.json").read_text("utf-8"))
    steps = data.draw(st.sampled_from([steps for steps in places(document) if steps]))
    value = data.draw(st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.just("\ud800"))
    content = (json.dumps(changed(document, steps, value), ensure_ascii=data.draw(st.booleans())) + "\n").encode(
        "utf-8", "surrogatepass"
    )
    quick = read(content, "f.json")
    with monkeypatch_module.context() as patched:
        patched.setattr("collector.tree.suspect", lambda _text: True)
        thorough = read(content, "f.json")
    assert (quick.submission, quick.id, quick.problems) == (thorough.submission, thorough.id, thorough.problems)
