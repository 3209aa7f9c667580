"""Personal data stay out of what is measured and published."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pydantic import BaseModel

from collector.findings import Context, Finding
from collector.wording import json_path, quote

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from collector.schema import Submission

KINDS = {
    "an e-mail address": re.compile(r"(?<![\w.+-])[\w.+-]+@[\w-]+(\.[\w-]+)+"),
    "a home folder": re.compile(r"(?<![\w.])(/(home|Users)/|[A-Z]:\\Users\\)[^/\\\s]+|(?<![\w.])/root/"),
    "an IP address": re.compile(r"(?<![\w.+-])((25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(25[0-5]|2[0-4]\d|1?\d?\d)(?![\w.])"),
    "a UUID": re.compile(r"(?<!\w)[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(?!\w)", re.IGNORECASE),
    "a hardware address": re.compile(r"(?<![\w:-])([0-9a-f]{2}[:-]){5}[0-9a-f]{2}(?![\w:-])", re.IGNORECASE),
}
SIGNS = re.compile(r"[@/\\.:-]")  # each kind has one of them
# Versions look like addresses: cuDNN 8.9.7.29.
VERSIONS = re.compile(r"(version|cuda|cudnn|nccl|blas|driver|kernel|os|commit)$|\.packages[.\[]")


def no_personal_data(submission: Submission, _context: Context) -> Iterator[Finding]:
    """No text of a measurement, ours or from a log, looks like an address, a home folder or a serial number."""
    if submission.origin not in ("measured", "imported-log"):
        return
    for steps, text in _texts((), submission):
        for kind, pattern in KINDS.items() if SIGNS.search(text) else ():
            match = pattern.search(text)
            if match is None:
                continue
            path = json_path(steps)
            if kind != "an IP address" or not VERSIONS.search(path):
                yield Finding("personal-data", path, f"{quote(match[0])}, which looks like {kind}", "nothing personal")


def _texts(steps: tuple[str | int, ...], value: object) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Yield every text that a person may have chosen, with its place; keys too, but for the format's own."""
    if isinstance(value, str):
        yield steps, value
        return
    if isinstance(value, dict):
        yield from (((*steps, key), key) for key in value)
    for step, inner in _inside(value):
        if inner and isinstance(inner, str | dict | list | BaseModel):
            yield from _texts((*steps, step), inner)


def _inside(value: object) -> Iterable[tuple[str | int, object]]:
    if isinstance(value, BaseModel):
        return value.__dict__.items()
    if isinstance(value, dict):
        return value.items()
    if isinstance(value, list) and not (value and isinstance(value[0], float)):  # lists are of one type
        return enumerate(value)
    return ()
