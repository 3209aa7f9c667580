"""A figure says where it comes from, and has what its origin promises."""

from __future__ import annotations

from typing import TYPE_CHECKING

from collector.findings import Context, Finding, results

if TYPE_CHECKING:
    from collections.abc import Iterator

    from collector.schema import Submission


def measured_by_the_harness(submission: Submission, _context: Context) -> Iterator[Finding]:
    """What is measured names the harness, no source, no locator and no reported value; what isn't has no harness."""
    if submission.origin != "measured":
        if submission.harness:
            yield Finding("wrong-origin", "$.harness", "a harness", f"null for origin {submission.origin}")
        return
    if submission.harness is None:
        yield Finding("harness-missing", "$.harness", "null", "version, commit and command of the harness")
    if submission.source:
        yield Finding("wrong-origin", "$.source", "a source", "null for origin measured")
    for path, result in results(submission):
        if result.locator:
            yield Finding("wrong-origin", f"{path}.locator", "a locator", "none for origin measured")
        if result.reported:
            yield Finding("wrong-origin", f"{path}.reported", "reported values", "none for origin measured")


def cited(submission: Submission, _context: Context) -> Iterator[Finding]:
    """What isn't measured by us names its source, its version, and each figure's place in it."""
    if submission.origin == "measured":
        return
    source = submission.source
    if source is None:
        yield Finding("citation-missing", "$.source", "null", "title, URL, commit and licence of the source")
    for field in ("url", "commit"):
        if source and getattr(source, field) is None:
            yield Finding("citation-missing", f"$.source.{field}", "null", f"the source's {field}")
    for path, result in results(submission):
        if result.locator is None:
            yield Finding("citation-missing", f"{path}.locator", "nothing", "path and line of the figure in the source")


def transcribed_without_runs(submission: Submission, _context: Context) -> Iterator[Finding]:
    """Published and computed results have no runs of ours; only logs have."""
    for path, result in results(submission):
        if submission.origin in ("published", "computed") and result.runs:
            yield Finding("wrong-origin", f"{path}.runs", "runs", f"none for origin {submission.origin}")


def raw_text_in_gaps(submission: Submission, _context: Context) -> Iterator[Finding]:
    """Where a value is missing stands what the source prints there; a value says which statistic it is."""
    for path, result in results(submission):
        for position, reported in enumerate(result.reported):
            place = f"{path}.reported[{position}]"
            if reported.value is None and reported.raw_text is None:
                yield Finding(
                    "raw-text-missing", f"{place}.raw_text", "null beside a value of null", "the source's text"
                )
            if reported.value is not None and reported.statistic is None:
                yield Finding("statistic-missing", f"{place}.statistic", "null", 'a name such as "median of runs"')
