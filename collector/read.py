"""Bytes to a typed submission, or problems. Only the shape is judged here; what it means is for `check`."""

from __future__ import annotations

import codecs
import hashlib
import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from collector import tree
from collector.canonical import canonical, identity
from collector.problems import Problem, Severity, problem
from collector.salvage import salvage
from collector.schema import SCHEMA_VERSION, Submission
from collector.shape import place, translate
from collector.wording import counted, quote

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_BYTES = 5_000_000
VERSION = re.compile(rf'"schema_version"\s*:\s*{SCHEMA_VERSION}\s*[,}}]')


@dataclass(frozen=True)
class Reading:
    """What a file holds; `submission` and its `id` are None if a problem is an error.

    `remains` is what can be judged even so.
    """

    submission: Submission | None
    problems: tuple[Problem, ...]
    remains: Submission | None = None
    id: str | None = None


def read(content: bytes, file: str) -> Reading:
    """Read the bytes of a submission file; `file` is its name in problems."""
    text, about_bytes = _decode(content, file)
    if text is None:
        return Reading(None, tuple(about_bytes))
    if sound := _sound(text):
        return Reading(sound[0], tuple(about_bytes), id=sound[1])
    document = tree.parse(text)
    faults = [problem(fault.code, file, fault.path, fault.found, fault.expected) for fault in document.faults]
    if not document.parsed:
        return Reading(None, (*about_bytes, *faults))
    if wrong := next(_wrong_version(document.value, file), None):
        return Reading(None, (*about_bytes, *faults, wrong))
    submission, about_shape = _typed(document.value, file)
    known = {found.path for found in faults}
    problems = (*about_bytes, *faults, *(found for found in about_shape if found.path not in known))
    broken = any(found.severity is Severity.ERROR for found in problems)
    if broken or submission is None:
        return Reading(None, problems, submission)
    return Reading(submission, problems, id=identity(submission))


def _sound(text: str) -> tuple[Submission, str] | None:
    """Return the submission with its id if a quick look finds nothing wrong, which is so for most files; else None."""
    if tree.suspect(text) or VERSION.search(text) is None:  # pydantic would take true for 1
        return None
    try:
        submission = Submission.model_validate_json(text)
    except ValidationError:
        return None
    content = canonical(submission)
    # What the canonical text has no more than once, the file may have repeated.
    repeated = tree.keys_written(text) != tree.keys_written(content.decode())
    return None if repeated else (submission, hashlib.sha256(content).hexdigest())


def _decode(content: bytes, file: str) -> tuple[str | None, list[Problem]]:
    """Return the text, or None with the error that forbids it; and the warnings about how it is stored."""
    if fatal := next(_unreadable(content, file), None):
        return None, [fatal]
    warnings = list(_untidy(content, file))
    try:
        return content.decode("utf-8-sig"), warnings
    except UnicodeDecodeError as error:
        offset = error.start + (3 if content.startswith(codecs.BOM_UTF8) else 0)  # the codec counts without the mark
        found = f"byte 0x{content[offset]:02x} at offset {offset}"
        return None, [problem("not-utf-8", file, "$", found, "UTF-8 text")]


def _unreadable(content: bytes, file: str) -> Iterator[Problem]:
    if len(content) > MAX_BYTES:
        yield problem("too-large", file, "$", f"more than {MAX_BYTES:,} bytes", f"at most {MAX_BYTES:,} bytes")
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or content[:1] + content[2:3] == b"\0\0":
        yield problem("not-utf-8", file, "$", "UTF-16 at offset 0", "UTF-8 text")
    if content[1:2] + content[3:4] == b"\0\0":
        yield problem("not-utf-8", file, "$", "UTF-16 at offset 1", "UTF-8 text")
    if b"\0" in content:
        yield problem("nul-byte", file, "$", f"a NUL byte at offset {content.index(0)}", "UTF-8 text")
    if not content.removeprefix(codecs.BOM_UTF8).strip():
        yield problem("empty-file", file, "$", counted(len(content), "byte"), "a submission")


def _untidy(content: bytes, file: str) -> Iterator[Problem]:
    if content.startswith(codecs.BOM_UTF8):
        yield problem("byte-order-mark", file, "$", "a byte order mark at offset 0", "plain UTF-8")
    if b"\r" in content:
        line = content[: content.index(b"\r")].count(b"\n") + 1
        yield problem("carriage-returns", file, "$", f"a carriage return in line {line}", "lines that end in LF")
    if not content.endswith((b"\n", b"\r")):
        yield problem("final-newline", file, "$", "no newline after the last line", "a newline")


def _wrong_version(document: Any, file: str) -> Iterator[Problem]:  # noqa: ANN401 - any JSON value
    if not isinstance(document, dict):
        yield problem("not-an-object", file, "$", quote(document), "an object")
        return
    version = document.get("schema_version")
    if type(version) is int and version == SCHEMA_VERSION:
        return
    found = quote(version) if "schema_version" in document else "no schema_version"
    newer = type(version) is int and version > SCHEMA_VERSION
    remedy = "update Rosetta Bench: the file is newer than it" if newer else ""
    yield problem("schema-version", file, "$.schema_version", found, str(SCHEMA_VERSION), remedy=remedy)


def _typed(document: dict[str, Any], file: str) -> tuple[Submission | None, list[Problem]]:
    """Validate the document in JSON mode: only there strict types take ISO text for a date."""
    # Half surrogates have their problem already.
    clean = json.dumps(document, ensure_ascii=False).encode(errors="replace")
    try:
        return Submission.model_validate_json(clean), []
    except ValidationError as error:
        details = error.errors(include_url=False)
        few = details[: tree.MOST]  # of more, nothing worth a judgement is left
        remains = salvage(document, [place(detail, document) for detail in few]) if len(few) == len(details) else None
        return remains, list(translate(few, document, file))
