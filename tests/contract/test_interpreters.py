"""The toy through the real worker in every Python of this machine: the island's floor, run rather than read."""

from __future__ import annotations

import os

import pytest

from runners import environ, interpreters
from runners.environments import Environment

MINORS = [f"3.{minor}" for minor in range(6, 15)]
REQUIRED = ("3.6", "3.7")  # in CI: the oldest Pythons are what the island's rules are for


@pytest.fixture(scope="session")
def pythons():
    """Find the interpreters, by release line; see ROSETTA_PYTHONS in runners.interpreters."""
    variables = environ.for_worker(os.environ)
    return {
        f"{found.version.major}.{found.version.minor}": Environment(found.python, variables, "")
        for found in interpreters.find()
    }


@pytest.mark.parametrize("minor", MINORS)
def test_the_toy_runs_on_every_python_that_is_here(minor, pythons, work):
    if minor not in pythons:
        assert not (os.environ.get("CI") and minor in REQUIRED), f"CI must have Python {minor}"
        pytest.skip(f"NO PYTHON {minor} HERE: name one in ROSETTA_PYTHONS")
    result = work(pythons[minor], "toy", "toy-regression")
    assert (result["outcome"], result["reason"]) == ("ok", None)
    assert result["stack"]["language_version"].startswith(minor + ".")
    assert len(result["run"]["step_seconds"]) == 2


def test_every_python_gives_the_same_losses_and_fingerprints(pythons, work):
    first, *others = [work(python, "toy", "toy-regression") for python in pythons.values()]
    for other in others:
        assert other["fingerprint"] == first["fingerprint"]
        assert other["equality"] == first["equality"]
        # Python 3.12 adds floats more exactly than its predecessors: the last digits differ.
        assert other["run"]["loss"] == pytest.approx(first["run"]["loss"], rel=1e-12)
