"""pydantic's complaints about a document in our words: JSON path, value found, what is expected, what to do."""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING

from collector import fields
from collector.json_schema import json_schema, known_keys, nullable
from collector.problems import Problem, problem
from collector.vocabulary import near_misses
from collector.wording import did_you_mean, either, json_path, quote

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pydantic_core import ErrorDetails

    from collector.json_schema import Schema

TYPES = {
    "bool_type": "true or false",
    "date_type": "a day as text",
    "datetime_type": "a moment as text",
    "dict_type": "an object",
    "float_type": "a number",
    "int_from_float": "a whole number",
    "int_type": "a whole number",
    "list_type": "a list",
    "model_type": "an object",
    "string_type": "text",
}
FORMS = {
    r"\S": "text that isn't blank",
    fields.DAY: "a day as YYYY-MM-DD",
    fields.MOMENT: "a moment with its zone as YYYY-MM-DDTHH:MM:SSZ",
    fields.IDENTIFIER: "an id of lower-case letters, digits, - and .",
    r"^[0-9a-f]{64}$": "a SHA-256 of 64 lower-case hexadecimal digits",
    r"^[0-9a-f]{40}$": "a full commit of 40 lower-case hexadecimal digits",
}
LIMITS = {
    "greater_than": ("gt", "more than"),
    "greater_than_equal": ("ge", "at least"),
    "less_than_equal": ("le", "at most"),
}
NUMBERS = ("float_type", "int_from_float", "int_type")
OR_NULL = "write that, or null if it is not stated"
UNITS = ("bytes", "seconds", "watts")


def translate(details: Iterable[ErrorDetails], document: object, file: str) -> Iterator[Problem]:
    """Yield one problem a place, in the order of the complaints."""
    schema = json_schema()
    placed = [(place(detail, document), detail) for detail in details]
    for steps, group in groupby(placed, key=lambda pair: pair[0]):
        yield _problem(steps, [detail for _steps, detail in group], schema, file)


def place(detail: ErrorDetails, document: object) -> tuple[str | int, ...]:
    """Return where a complaint belongs in the document; what pydantic adds for branches of a union leads nowhere and is dropped."""
    here: object = document
    steps: list[str | int] = []
    for step in detail["loc"]:
        if detail["type"] == "missing" and isinstance(here, dict) and step not in here:
            return (*steps, step)
        try:
            here = here[step]  # type: ignore[index]
        except (KeyError, IndexError, TypeError):
            break
        steps.append(step)
    return tuple(steps)


def _problem(steps: tuple[str | int, ...], details: Sequence[ErrorDetails], schema: Schema, file: str) -> Problem:
    first, path = details[0], json_path(steps)
    kind = first["type"]
    if kind == "missing":
        remedy = "write null if it is not stated" if nullable(schema, steps) else ""
        return problem("missing-field", file, path, "nothing", f"the key {quote(steps[-1])}", remedy=remedy)
    if kind == "extra_forbidden":
        known = known_keys(schema, steps[:-1])
        remedy = did_you_mean(near_misses(str(steps[-1]), dict.fromkeys(known)))
        return problem("unknown-field", file, path, quote(steps[-1]), either(known), remedy=remedy)
    code, _expected = _expectation(first, steps)
    expected = either(list(dict.fromkeys(_expectation(detail, steps)[1] for detail in details)))
    remedy = _remedy(code, first) or (OR_NULL if code == "wrong-type" and nullable(schema, steps) else "")
    return problem(code, file, path, quote(first["input"]), expected, remedy=remedy)


def _expectation(detail: ErrorDetails, steps: tuple[str | int, ...]) -> tuple[str, str]:
    """Return code and expectation of one complaint."""
    kind, context = detail["type"], detail.get("ctx", {})
    if kind in TYPES:
        return "wrong-type", TYPES[kind] + _unit(steps, kind)
    if kind == "literal_error":
        return "unknown-value", either([quote(choice) for choice in _choices(detail)])
    if kind in LIMITS:
        name, words = LIMITS[kind]
        return "out-of-range", f"{words} {context[name]:,}"
    return _form(detail)


def _form(detail: ErrorDetails) -> tuple[str, str]:
    """Return code and expectation of a complaint about how a value is written."""
    kind, context = detail["type"], detail.get("ctx", {})
    if kind == "string_pattern_mismatch":
        return "malformed-text", FORMS[context["pattern"]]
    if kind == "value_error":
        return "malformed-date", FORMS[str(context["error"])]
    if kind.startswith(("date_", "datetime_")):
        return "malformed-date", "a day that exists"
    if kind.endswith("too_long"):
        what = "characters" if kind == "string_too_long" else "entries"
        return "out-of-range", f"at most {context['max_length']:,} {what}"
    if kind.endswith("too_short"):
        return "empty", "at least one character" if kind == "string_too_short" else "at least one entry"
    return "wrong-type", detail["msg"]


def _unit(steps: tuple[str | int, ...], kind: str) -> str:
    """Return the unit that ends the field's name, for numbers."""
    name = next((step for step in reversed(steps) if isinstance(step, str)), "")
    known = name.rpartition("_")[2]
    return f" of {known}" if known in UNITS and kind in NUMBERS else ""


def _choices(detail: ErrorDetails) -> list[str]:
    return re.findall(r"'([^']*)'", detail["ctx"]["expected"])


def _remedy(code: str, detail: ErrorDetails) -> str:
    """Return a better remedy than the code's own, or nothing."""
    value = detail["input"]
    if isinstance(value, float) and value.is_integer() and abs(value) <= fields.LARGEST:
        return f"write {int(value)}"
    if not isinstance(value, str):
        return ""
    if code == "unknown-value":
        return did_you_mean(near_misses(value, dict.fromkeys(_choices(detail))))
    if detail["type"] in NUMBERS:
        return "write the bare number: no quotes, no unit, a point before decimals" if re.search(r"\d", value) else ""
    likely = value.strip().lower().replace("_", "-")  # more would make up names
    pattern = detail["ctx"].get("pattern") if code == "malformed-text" else None
    if pattern and re.fullmatch(pattern, likely):
        return f"write {quote(likely)}"
    return "take an id from data/vocabulary or data/workloads" if pattern == fields.IDENTIFIER else ""
