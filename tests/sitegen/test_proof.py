"""The proof on a submission's page: what agrees, what is missing, what contradicts."""

from __future__ import annotations

import pytest
from sitegen.labels import Edition
from sitegen.views.proof import proof
from sitegen.words import load_words


@pytest.fixture
def edition(dataset):
    return Edition(load_words("en"), dataset.vocabulary)


@pytest.fixture
def result(dataset):
    stored = next(s for s in dataset.submissions if s.submission.submitter.name == "Jane Roe")
    return stored.submission.results[0]


def without(result, **changes):
    return result.model_copy(update={"equality": result.equality.model_copy(update=changes)})


def test_missing_outputs_are_named_beside_what_agrees(edition, result):
    found = proof(edition, without(result, logits_error=None), "unproved")
    assert found.verdict.startswith("Partly. What was compared agrees")
    assert dict(found.compared) == {
        "Parameters": "3,441,592, specified 3,441,592",
        "First loss on a fixed batch": "2.304, expected about 2.303",
        "Largest relative error of the outputs": "not compared yet: outputs against a reference in double precision",
    }


def test_a_missing_count_or_loss_is_said_to_be_missing(edition, result):
    found = dict(proof(edition, without(result, parameters=None, probe_loss=None), "unproved").compared)
    assert found["Parameters"] == "not compared yet, specified 3,441,592"
    assert found["First loss on a fixed batch"] == "not compared yet, expected about 2.303"


@pytest.mark.parametrize(("verdict", "start"), [("proved", "Yes:"), ("failed", "No:"), (None, "Not proved:")])
def test_the_verdict_is_the_collectors(edition, result, verdict, start):
    assert proof(edition, result, verdict).verdict.startswith(start)


def test_without_any_record_nothing_is_proved(edition, result):
    found = proof(edition, result.model_copy(update={"equality": None}), "unproved")
    assert found.verdict.startswith("Not proved:")
    assert found.compared == ()


def test_the_code_that_ran_is_identified(edition, result):
    assert [digest for _name, digest in proof(edition, result, "proved").code] == [
        result.fingerprint.adapter,
        result.fingerprint.workload,
    ]
