"""The published JSON Schema and the code that reads submissions say the same.

They differ in what JSON Schema can't say: 1.0 is a whole number to it, repeated keys and NaN are unseen.
"""

from __future__ import annotations

import copy
import json
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import rosetta
from collector.cli import schema_text
from collector.json_schema import json_schema
from collector.read import read

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "tests" / "samples"
VALID = sorted((SAMPLES / "valid").glob("*.json"))
SCHEMA = json_schema()
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA, format_checker=jsonschema.FormatChecker(["date"]))


def accepted(document):
    """Return whether the schema and the code accept a document."""
    reading = read(json.dumps(document).encode() + b"\n", "f.json")
    return VALIDATOR.is_valid(document), reading.submission is not None


def test_the_committed_schema_is_that_of_the_code():
    committed = (ROOT / "collector" / "submission.schema.json").read_text("utf-8")
    assert committed == schema_text(), "run `rosetta schema > collector/submission.schema.json`"
    assert CliRunner().invoke(rosetta.main, ["schema"]).stdout == committed


def test_the_schema_is_a_schema_with_a_name_and_descriptions():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert SCHEMA["$id"].endswith(":1")
    assert SCHEMA["description"]
    assert all(part.get("description") for part in SCHEMA["$defs"].values() if part["title"] != "Scale")


@pytest.mark.parametrize("path", VALID, ids=lambda path: path.stem)
def test_valid_samples_validate(path):
    assert accepted(json.loads(path.read_text("utf-8"))) == (True, True)


def mutations():
    """Yield a name and a change for one of each kind that both must refuse."""
    yield "no key", lambda d: d["results"][0].pop("outcome")
    yield "an extra key", lambda d: d["results"][0]["batch"].update(size=1)
    yield "a text for a number", lambda d: d["results"][0]["runs"][0]["step_seconds"].append("1,440")
    yield "a number for a text", lambda d: d["submitter"].update(name=1)
    yield "true for a number", lambda d: d["results"][0].update(seed=True)
    yield "a fraction for a count", lambda d: d["results"][0]["scale"].update(devices=1.5)
    yield "zero for a count", lambda d: d["results"][0]["scale"].update(devices=0)
    yield "a number beyond 2^53", lambda d: d["results"][0].update(seed=2**53)
    yield "an unknown choice", lambda d: d["results"][0].update(precision="fp8")
    yield "null for what must be", lambda d: d["results"][0].update(outcome=None)
    yield "a capital in an id", lambda d: d["stacks"]["s1"].update(framework="PyTorch")
    yield "a short hash", lambda d: d["results"][0]["runs"][0].update(log_sha256="ab")
    yield "a blank name", lambda d: d["submitter"].update(name=" ")
    yield "no result", lambda d: d.update(results=[])
    yield "another version", lambda d: d.update(schema_version=2)
    yield "a moment without zone", lambda d: d["results"][0]["runs"][0].update(started_at="2026-11-30T12:00:00")
    yield "a day unpadded", lambda d: d.update(withdrawn={"on": "2026-9-3", "reason": "x"})
    yield "a day that isn't", lambda d: d.update(withdrawn={"on": "2026-02-30", "reason": "x"})
    yield "a list for an object", lambda d: d.update(machines=[])
    yield "another loss scale", lambda d: d["results"][0].update(loss_scale="static")


@pytest.mark.parametrize("change", [pytest.param(change, id=name) for name, change in mutations()])
def test_what_one_refuses_the_other_refuses_too(document, change):
    change(document)
    assert accepted(document) == (False, False)


PLAIN = st.none() | st.booleans() | st.integers(-5, 5) | st.sampled_from([0.5, -2.5]) | st.text("aZ-1 ", max_size=3)


@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_any_change_is_judged_alike(places, inside, data):
    document = json.loads(
        (SAMPLES / "valid" / data.draw(st.sampled_from(["published.json", "outcome-invalid.json"]))).read_text("utf-8")
    )
    steps = data.draw(st.sampled_from(places(document)))
    parent = inside(document, steps[:-1])
    if data.draw(st.booleans()):
        parent[steps[-1]] = copy.deepcopy(data.draw(PLAIN | st.lists(PLAIN, max_size=2)))
    else:
        del parent[steps[-1]]
    by_schema, by_code = accepted(document)
    assert by_schema == by_code
