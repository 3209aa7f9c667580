"""Personal data stay out of what is measured and published."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from collector.findings import Context, Finding
from collector.schema import document
from collector.wording import json_path, quote

if TYPE_CHECKING:
    from collections.abc import Iterator

    from collector.schema import Submission

KINDS = {
    "an e-mail address": re.compile(r"[\w.+-]+@[\w-]+(\.[\w-]+)+"),
    "a home folder": re.compile(r"(?<![\w.])(/(home|Users)/|[A-Z]:\\Users\\)[^/\\\s]+|(?<![\w.])/root/"),
    "an IP address": re.compile(r"(?<![\w.+-])((25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(25[0-5]|2[0-4]\d|1?\d?\d)(?![\w.])"),
    "a UUID": re.compile(r"(?<!\w)[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(?!\w)", re.IGNORECASE),
    "a hardware address": re.compile(r"(?<![\w:-])([0-9a-f]{2}[:-]){5}[0-9a-f]{2}(?![\w:-])", re.IGNORECASE),
}
# Versions look like addresses: cuDNN 8.9.7.29.
VERSIONS = re.compile(r"(version|cuda|cudnn|nccl|blas|driver|kernel|os|commit)$|\.packages[.\[]")


def no_personal_data(submission: Submission, _context: Context) -> Iterator[Finding]:
    """No text of a measurement, ours or from a log, looks like an address, a home folder or a serial number."""
    if submission.origin not in ("measured", "imported-log"):
        return
    for steps, text in _texts((), document(submission)):
        for kind, pattern in KINDS.items():
            match = pattern.search(text)
            if match is None:
                continue
            path = json_path(steps)
            if kind != "an IP address" or not VERSIONS.search(path):
                yield Finding("personal-data", path, f"{quote(match[0])}, which looks like {kind}", "nothing personal")


def _texts(steps: tuple[str | int, ...], value: object) -> Iterator[tuple[tuple[str | int, ...], str]]:
    if isinstance(value, str):
        yield steps, value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield (*steps, key), key
            yield from _texts((*steps, key), inner)
    elif isinstance(value, list):
        for position, inner in enumerate(value):
            yield from _texts((*steps, position), inner)
