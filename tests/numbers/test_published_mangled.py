"""Published figures with a field mangled: an importer says what it can't understand, or makes what can be read."""

from __future__ import annotations

import importlib
import pkgutil
import random

import pytest

from collector import importers, store
from collector.read import read
from collector.serialise import submission_json
from collector.transcribe import ImporterError

NAMES = sorted(module.name for module in pkgutil.iter_modules(importers.__path__) if not module.ispkg)
ROUNDS = 40


@pytest.mark.parametrize("name", NAMES)
def test_a_mangled_source_is_refused_or_makes_what_can_be_read(name, vocabulary, junk):
    importer = importlib.import_module(f"collector.importers.{name}")
    whole = (store.DATA / "sources" / f"{name}.csv").read_text("utf-8").splitlines()
    draw = random.Random(name)
    for _round in range(ROUNDS):
        rows = [whole[0], *draw.sample(whole[1:], min(20, len(whole) - 1))]
        number = draw.randrange(len(rows))
        fields = rows[number].split(",")
        fields[draw.randrange(len(fields))] = draw.choice(junk)
        rows[number] = ",".join(fields)
        try:
            made = importer.submissions("\n".join(rows) + "\n", vocabulary)
        except ImporterError:
            continue
        for part, submission in made.items():
            assert read(submission_json(submission).encode(), f"{part}.json").submission == submission
