"""Codes about where a figure comes from, about repeats, and about privacy."""

from __future__ import annotations

from collector.catalogue.entry import Entry, Severity

ENTRIES = {
    "harness-missing": Entry(
        "Harness missing",
        "A measured submission says which version of ours measured it, and how it was called.",
        "write the file with `rosetta run`",
    ),
    "citation-missing": Entry(
        "Citation missing",
        "A figure that isn't our own names its source so exactly that anybody finds it again.",
        "give the source's URL and full commit, and each result's place in it",
    ),
    "wrong-origin": Entry(
        "Contradicts the origin",
        "Measured results have runs and a harness; published and computed ones have reported values and a source.",
        "remove it, or correct the origin",
    ),
    "raw-text-missing": Entry(
        "Raw text missing",
        "Where a source has no number, what it prints instead is kept, so that the gap stays visible.",
        "write what stands there, an empty text for an empty cell",
    ),
    "statistic-missing": Entry(
        "Statistic missing",
        "A reported value is a single run, a median, a mean or a cell of a table: which is not said.",
        "say which",
        Severity.WARNING,
    ),
    "personal-data": Entry(
        "Personal data",
        "The text looks like an e-mail address, a home folder, a network address or a serial number.",
        "remove it before you publish it",
        Severity.WARNING,
    ),
    "duplicate-log": Entry("One log, several runs", "One log backs one run only.", "remove what is repeated"),
    "duplicate-run": Entry(
        "Repeated run", "Two runs agree to the last digit of every step: one is a copy.", "remove what is repeated"
    ),
    "duplicate-cell": Entry(
        "Repeated result", "One file has the same result twice.", "put its runs into one result, or remove one"
    ),
    "duplicate-submission": Entry(
        "Repeated submission", "Another file has the same content, whatever its name and layout.", "remove one of them"
    ),
    "repeated-result": Entry(
        "Measured again",
        "The same submitter has offered the same cell before.",
        "name the id of the earlier submission in `supersedes`",
    ),
    "supersedes-unknown": Entry(
        "Supersedes nothing",
        "There is no submission with this id.",
        "write the id of the submission that this one replaces, or null",
    ),
}
