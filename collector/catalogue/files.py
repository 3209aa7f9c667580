"""Codes about a file's bytes and its name."""

from __future__ import annotations

from collector.catalogue.entry import Entry, Severity

ENTRIES = {
    "many-problems": Entry(
        "More of the same",
        "A file shows the first hundred problems of a kind, and how many more there are.",
        "correct those that are shown, which often have one cause, and check again",
    ),
    "unreadable-file": Entry(
        "File can't be read",
        "The operating system refuses to open the file, or it is a link, a pipe or a device.",
        "make it a plain file that may be read",
    ),
    "too-large": Entry(
        "File too large",
        "A submission has at most 5 MB: the repository is no database for logs.",
        "split it into several submissions, or leave out what the schema doesn't ask for",
    ),
    "empty-file": Entry("Empty file", "The file holds nothing but white space.", "measure again, or remove the file"),
    "not-utf-8": Entry(
        "Not UTF-8",
        "A submission is UTF-8 text, whatever the platform's own encoding.",
        "save it as UTF-8",
    ),
    "nul-byte": Entry(
        "NUL byte",
        "A NUL byte never occurs in JSON; it comes from a torn write or from UTF-16.",
        "write the file again, or save it as UTF-8",
    ),
    "byte-order-mark": Entry(
        "Byte order mark", "The file starts with U+FEFF, which JSON doesn't want.", "save it without", Severity.WARNING
    ),
    "carriage-returns": Entry(
        "Carriage returns", "Lines end in CR or CRLF.", "save it with LF line ends", Severity.WARNING
    ),
    "final-newline": Entry(
        "No final newline",
        "The last line doesn't end, as if the file had been cut off.",
        "end it with a newline",
        Severity.WARNING,
    ),
    "not-json": Entry(
        "Not JSON",
        "The text isn't JSON, or it stops before its end.",
        "repair that place, or write the file again",
    ),
    "too-deep": Entry(
        "Nested too deep",
        "Lists and objects stand inside each other deeper than any submission needs.",
        "compare with the schema (`rosetta schema`)",
    ),
    "file-name": Entry(
        "File name",
        "Files below data/submissions are named so that two never clash and each tells what it holds: "
        "`<submitter>/<date>-<device>-<first 6 digits of the id>.json`, or `published/<source>/<part>.json`.",
        "rename it",
        Severity.WARNING,
    ),
}
