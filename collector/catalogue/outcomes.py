"""Codes about outcomes and what must come with each."""

from __future__ import annotations

from collector.catalogue.entry import Entry, Severity

ENTRIES = {
    "ok-without-value": Entry(
        "Ok without a value",
        "An outcome of ok claims a value, and there is none.",
        "give the runs or the reported value, or the outcome that explains why there are none",
    ),
    "value-without-ok": Entry(
        "Value without ok",
        "A result that isn't ok has no value; what it took until it failed belongs into the reason.",
        "write null for the value, or correct the outcome",
    ),
    "reason-missing": Entry(
        "Reason missing", "A failure is shown with its reason in the place of the number.", "say why in a sentence"
    ),
    "reason-unexpected": Entry(
        "Reason without failure",
        "A reason says why there is no value, and this result is ok.",
        "move it to `notes`",
        Severity.WARNING,
    ),
    "limit-missing": Entry(
        "Limit missing",
        "Unsupported says whose limit it is: ours, the framework's (upstream), or nobody's to lift (never).",
        "write ours, upstream or never",
    ),
    "limit-unexpected": Entry("Limit without unsupported", "Only unsupported has a limit.", "write null"),
    "non-positive-value": Entry(
        "Value of zero or less",
        "Nothing takes no time and nothing useful runs at no speed: zero usually stands for a failed run.",
        "write null, the outcome failed and the reason",
    ),
    "run-incomplete": Entry(
        "Incomplete run",
        "Without steps, window and samples a run yields no throughput.",
        "state all three, or an outcome other than ok",
    ),
}
