"""An outcome comes with what it claims: a value, or the reason why there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from collector.findings import Context, Finding, results, runs
from collector.wording import quote

if TYPE_CHECKING:
    from collections.abc import Iterator

    from collector.schema import Submission


def ok_has_a_value(submission: Submission, _context: Context) -> Iterator[Finding]:
    """An outcome of ok has runs where we measured, else runs or a reported value."""
    for path, result in results(submission):
        valued = any(reported.value is not None for reported in result.reported)
        if result.outcome == "ok" and not result.runs and (submission.origin == "measured" or not valued):
            expected = "at least one run" if submission.origin == "measured" else "a run or a reported value"
            yield Finding("ok-without-value", path, "outcome ok without any", expected)


def value_only_when_ok(submission: Submission, _context: Context) -> Iterator[Finding]:
    """A result that isn't ok reports no value."""
    for path, result in results(submission):
        for position, reported in enumerate(result.reported):
            if result.outcome != "ok" and reported.value is not None:
                place = f"{path}.reported[{position}].value"
                yield Finding("value-without-ok", place, f"{reported.value} with outcome {result.outcome}", "null")


def failure_has_a_reason(submission: Submission, _context: Context) -> Iterator[Finding]:
    """A reason is there exactly where the outcome isn't ok."""
    for path, result in results(submission):
        if result.outcome != "ok" and not (result.reason or "").strip():
            yield Finding("reason-missing", f"{path}.reason", f"none for outcome {result.outcome}", "a sentence")
        if result.outcome == "ok" and result.reason is not None:
            yield Finding("reason-unexpected", f"{path}.reason", quote(result.reason), "null for outcome ok")


def unsupported_has_a_limit(submission: Submission, _context: Context) -> Iterator[Finding]:
    """A limit is there exactly where the outcome is unsupported."""
    for path, result in results(submission):
        if result.outcome == "unsupported" and result.limit is None:
            yield Finding("limit-missing", f"{path}.limit", "null", "ours, upstream or never")
        if result.outcome != "unsupported" and result.limit is not None:
            expected = f"null for outcome {result.outcome}"
            yield Finding("limit-unexpected", f"{path}.limit", quote(result.limit), expected)


def positive_values(submission: Submission, context: Context) -> Iterator[Finding]:
    """A reported value is more than zero; qualities, which are fractions, have a rule of their own."""
    for path, result in results(submission):
        for position, reported in enumerate(result.reported):
            metric = context.vocabulary.metrics.get(reported.metric)
            if reported.value is not None and reported.value <= 0 and not (metric and metric.unit == "fraction"):
                place = f"{path}.reported[{position}].value"
                yield Finding("non-positive-value", place, str(reported.value), "more than 0")


def complete_runs(submission: Submission, _context: Context) -> Iterator[Finding]:
    """A measured run of an ok result states what its throughput follows from."""
    for path, result, run in runs(submission):
        if submission.origin == "measured" and result.outcome == "ok":
            for field in ("measured_steps", "window_seconds", "samples_per_step"):
                if getattr(run, field) is None:
                    yield Finding("run-incomplete", f"{path}.{field}", "null", "a number")
