"""What the tests of device names share."""

from __future__ import annotations

import pytest

from collector import store


@pytest.fixture(scope="session")
def vocabulary():
    return store.load_vocabulary()
