"""Codes about the shape of a submission: keys, types, closed sets."""

from __future__ import annotations

from collector.catalogue.entry import Entry

ENTRIES = {
    "not-an-object": Entry(
        "Not an object", "A submission is one JSON object.", "compare with the schema (`rosetta schema`)"
    ),
    "schema-version": Entry(
        "Unknown schema version",
        "Nothing else can be read before it is known which format the file has.",
        "update Rosetta Bench, or write the file with `rosetta run`",
    ),
    "duplicate-key": Entry(
        "Duplicate key",
        "JSON readers silently keep one of two equal keys, and not all keep the same.",
        "keep the right one",
    ),
    "non-finite-number": Entry(
        "Not a finite number",
        "NaN, Infinity and numbers too large to be held are no measurements and break every sort and mean.",
        "write null where the format allows it, and an outcome other than ok with its reason where there is no value",
    ),
    "control-character": Entry(
        "Control character",
        "A text holds a control character, half of a surrogate pair, or a mark that turns the direction of what follows.",
        "remove it",
    ),
    "missing-field": Entry("Missing field", "Every key is written, so that nothing is forgotten silently.", "add it"),
    "unknown-field": Entry(
        "Unknown field", "Keys that the schema doesn't know are refused: they may be slips of the pen.", "remove it"
    ),
    "wrong-type": Entry(
        "Wrong type",
        "A number, a text, a list stand for different things; nothing is converted silently.",
        "write it as the schema says (`rosetta schema`)",
    ),
    "unknown-value": Entry("Unknown value", "The field has a closed list of values.", "take one of them"),
    "malformed-text": Entry(
        "Malformed text", "The field has a fixed form, such as an id or a hash.", "write it in that form"
    ),
    "malformed-date": Entry(
        "Malformed date",
        "Days and moments are written in one form only, moments with their zone; others sort wrongly.",
        "write it in that form",
    ),
    "empty": Entry("Empty", "An empty text or list says less than null does.", "fill it, or write null if it may be"),
    "out-of-range": Entry(
        "Out of range",
        "The number, or the length of a text or a list, is outside what the field can mean.",
        "correct it, or write null if it isn't stated",
    ),
}
