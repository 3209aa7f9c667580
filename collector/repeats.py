"""Across files: repeated submissions, runs, logs and results, and what supersedes what."""

from __future__ import annotations

from array import array
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from collector import comparability
from collector.canonical import short_hash
from collector.findings import runs
from collector.normalise import Entry, described, normalise
from collector.problems import Problem, problem
from collector.schema import ID_DIGITS
from collector.wording import json_path, quote

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence

    from collector.schema import Result, Run
    from collector.vocabulary import Vocabulary

DISTINCT = 3  # fewer different steps may agree by chance
UNLIKE = {"equality", "fingerprint", "limit", "notes", "outcome", "reason", "reported", "runs"}


@dataclass(frozen=True)
class Mark:
    """Something that no other submission may have: what it is, where it stands, and a hash of it."""

    code: str
    path: str
    what: str


@dataclass(frozen=True)
class Claims:
    """What a submission says of itself that others may contradict."""

    file: str
    id: str
    supersedes: str | None
    marks: tuple[Mark, ...]


def trace(run: Run) -> bytes | None:
    """Return what two different runs never share: all of their times; None where that could be chance."""
    first = run.step_seconds[: 2 * DISTINCT]  # in most runs they are enough to see
    if len(set(first)) < DISTINCT and len(set(run.step_seconds)) < DISTINCT:
        return None
    return array("d", (run.window_seconds or 0.0, *run.step_seconds)).tobytes()


def facts(result: Result) -> Hashable:
    """Return everything that tells a result from the others of its file."""
    metrics = tuple(sorted({reported.metric for reported in result.reported}))
    return (result.model_dump_json(exclude=UNLIKE), metrics)


def claims(entry: Entry, vocabulary: Vocabulary) -> Claims:
    """Return what a submission claims: its logs, the times of its runs, and results of its submitter."""
    return Claims(entry.file, entry.id, entry.submission.supersedes, tuple(_marks(entry, vocabulary)))


def across(submissions: Iterable[Claims]) -> tuple[Problem, ...]:
    """Return the problems between submissions, given in the order of their files.

    The later file has the problem. A submission may repeat what it supersedes.
    """
    every = list(submissions)
    first: dict[str, Claims] = {}
    for each in every:
        first.setdefault(each.id, each)
    problems = [*_dangling(every, first), *_copies(every, first)]
    seen: dict[tuple[str, str], dict[str, str]] = defaultdict(
        dict
    )  # what -> chain of submissions -> where it stands first
    for each in every:
        if first[each.id] is not each:
            continue
        root = _root(each.id, first)
        for mark in each.marks:
            places = seen[mark.code, mark.what]
            other = next((place for chain, place in places.items() if chain != root), None)
            places.setdefault(root, f"{each.file}::{mark.path}")
            if other:
                problems.append(_repetition(mark, each.file, other))
    return tuple(problems)


def _dangling(submissions: Sequence[Claims], first: Mapping[str, Claims]) -> Iterator[Problem]:
    for each in submissions:
        if each.supersedes is not None and each.supersedes not in first:
            found = quote(each.supersedes[:ID_DIGITS] + "…")
            yield problem("supersedes-unknown", each.file, "$.supersedes", found, "the id of a submission")


def _copies(submissions: Sequence[Claims], first: Mapping[str, Claims]) -> Iterator[Problem]:
    for each in submissions:
        if first[each.id] is not each:
            found = f"the content of {first[each.id].file}"
            yield problem("duplicate-submission", each.file, "$", found, "content of its own")


def _root(id_: str, first: Mapping[str, Claims]) -> str:
    """Return the oldest submission that this one supersedes, directly or not."""
    while id_ in first and (older := first[id_].supersedes) is not None:
        id_ = older  # ends: an id is a hash of what it supersedes, so there is no way round
    return id_


def _marks(entry: Entry, vocabulary: Vocabulary) -> Iterator[Mark]:
    submission = entry.submission
    for path, _result, run in runs(submission):
        if run.log_sha256 is not None:
            yield Mark("duplicate-log", f"{path}.log_sha256", short_hash(run.log_sha256))
        if (times := trace(run)) is not None:
            yield Mark("duplicate-run", path, short_hash(times))
    if submission.origin != "measured" or not described(submission):
        return
    for cell in normalise(entry, vocabulary):
        key = comparability.key(cell, metric="")
        if key is not None:
            names = (cell.stack.framework_version, cell.stack.api, cell.result.variant, cell.stack.language)
            what = (submission.submitter.name.casefold(), key, cell.framework, *names)
            yield Mark("repeated-result", json_path(["results", cell.position]), short_hash(repr(what)))


def _repetition(mark: Mark, file: str, other: str) -> Problem:
    expected = {
        "duplicate-log": "a log of its own",
        "duplicate-run": "times of its own",
        "repeated-result": "the id of that submission in $.supersedes",
    }
    return problem(mark.code, file, mark.path, f"what stands in {other}", expected[mark.code])
