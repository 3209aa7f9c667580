"""Logs with bytes and lines changed, lost, doubled or moved: each is parsed or refused in words."""

from __future__ import annotations

import importlib
import random

import pytest

from collector.logs.cli import FORMATS
from collector.logs.lines import lines
from collector.read import read
from collector.transcribe import ImporterError

ROUNDS = 12  # for each pair of a format and a log


def mangled(text, draw, junk):
    """Return a log with some of its bytes and lines changed, lost, doubled or in another order."""
    content = bytearray(text.encode())
    for _change in range(draw.randrange(1, 30)):
        place = draw.randrange(len(content))
        match draw.randrange(5):
            case 0:
                content[place] = draw.randrange(256)
            case 1:
                del content[place : place + draw.randrange(60)]
            case 2:
                content[place:place] = draw.choice(junk).encode("utf-8", "replace")[:100]
            case 3:
                content[place:place] = content[place : place + draw.randrange(400)]
            case _:
                content[place:place] = b"\x1b[31m\r\n"
        if not content:
            content = bytearray(b"\n")
    return bytes(content)


@pytest.mark.parametrize("format_", FORMATS)
def test_a_mangled_log_is_parsed_or_refused(format_, logs, junk):
    module = importlib.import_module(f"collector.importers.logs.{format_}")
    draw = random.Random(format_)
    for text, _told in logs.values():
        for _round in range(ROUNDS):
            found = lines(mangled(text, draw, junk))
            if module.recognises(found):
                try:
                    module.parse(found)
                except ImporterError:
                    continue


def test_a_mangled_log_becomes_what_can_be_read_or_a_message(imported, logs, junk):
    draw = random.Random(1)
    for text, told in logs.values():
        for _round in range(6):
            done, output = imported(mangled(text, draw, junk), **told)
            assert done.exit_code in (0, 1), done.exception
            if done.exit_code == 0:
                assert read(output.read_bytes(), "out.json").submission is not None
            else:
                assert done.output.startswith("Error: ") or "Error: " in done.output
