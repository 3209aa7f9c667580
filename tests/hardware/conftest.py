"""What the tests of device names share."""

from __future__ import annotations

import contextlib

import pytest

from collector import store


def pytest_addoption(parser):
    with contextlib.suppress(ValueError):  # another folder of tests has the same option
        parser.addoption("--update-golden", action="store_true", help="Rewrite expected files; review the diff.")


@pytest.fixture(scope="session")
def vocabulary():
    return store.load_vocabulary()
