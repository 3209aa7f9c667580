"""What the tests of reading and checking share: the samples and their vocabulary."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from collector import store

SAMPLES = Path(__file__).resolve().parents[1] / "samples"


@pytest.fixture(scope="session")
def samples():
    return SAMPLES


@pytest.fixture(scope="session")
def vocabulary():
    return store.load_vocabulary(SAMPLES / "data")


@pytest.fixture(scope="session")
def today():
    return date(2026, 12, 1)


@pytest.fixture(scope="module")
def monkeypatch_module():
    """Return a monkeypatch that property tests may use, example after example."""
    with pytest.MonkeyPatch.context() as patched:
        yield patched


@pytest.fixture
def document():
    """Return a measured submission as plain JSON, free to be changed."""
    return json.loads((SAMPLES / "valid" / "measured-ok.json").read_text("utf-8"))


@pytest.fixture
def published():
    return json.loads((SAMPLES / "valid" / "published.json").read_text("utf-8"))


@pytest.fixture
def problems(vocabulary, today):
    """Return a function that reads and checks plain JSON and returns every problem."""
    from collector.check import judge
    from collector.read import read

    def find(document, file="f.json"):
        return judge(read((json.dumps(document) + "\n").encode(), file), file, vocabulary, today)

    return find


def _places(value, steps=()):
    if steps:
        yield steps
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, child in children:
        yield from _places(child, (*steps, step))


@pytest.fixture(scope="session")
def places():
    """Return a function: the paths of keys and positions to all values of a document."""
    return lambda document: list(_places(document))


@pytest.fixture(scope="session")
def inside():
    """Return a function: what stands at a path of keys and positions in a document."""

    def inside(document, steps):
        for step in steps:
            document = document[step]
        return document

    return inside
