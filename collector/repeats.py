"""Across files: repeated submissions, runs, logs and results, and what supersedes what."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from collector import comparability
from collector.findings import runs
from collector.normalise import Entry, described, normalise
from collector.problems import Problem, problem
from collector.schema import ID_DIGITS, identity
from collector.wording import json_path, quote

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping

    from collector.schema import Result, Run, Submission
    from collector.vocabulary import Vocabulary

DISTINCT = 3  # fewer different steps may agree by chance
UNLIKE = {"equality", "fingerprint", "limit", "notes", "outcome", "reason", "reported", "runs"}


def trace(run: Run) -> Hashable:
    """Return what two different runs never share: all of their times; None where that could be chance."""
    if len(set(run.step_seconds)) < DISTINCT:
        return None
    return (run.window_seconds, *run.step_seconds)


def facts(result: Result) -> Hashable:
    """Return everything that tells a result from the others of its file."""
    metrics = tuple(sorted({reported.metric for reported in result.reported}))
    return (result.model_dump_json(exclude=UNLIKE), metrics)


def across(submissions: Mapping[str, Submission], vocabulary: Vocabulary) -> tuple[Problem, ...]:
    """Return the problems between submissions, which are given by file name in the order of the files.

    The later file has the problem. A submission may repeat what it supersedes.
    """
    ids = {file: identity(submission) for file, submission in submissions.items()}
    files = {id_: file for file, id_ in reversed(list(ids.items()))}  # the first file of each id
    problems = [*_dangling(submissions, files), *_copies(ids, files)]
    seen: dict[Hashable, dict[str, str]] = defaultdict(dict)  # what -> chain of submissions -> where it stands first
    for file, id_ in ids.items():
        if files[id_] != file:
            continue
        root = _root(id_, submissions, files)
        for code, path, what in _marks(file, id_, submissions[file], vocabulary):
            places = seen[code, what]
            other = next((place for chain, place in places.items() if chain != root), None)
            places.setdefault(root, f"{file}::{path}")
            if other:
                problems.append(_repetition(code, file, path, other))
    return tuple(problems)


def _dangling(submissions: Mapping[str, Submission], files: Mapping[str, str]) -> Iterator[Problem]:
    for file, submission in submissions.items():
        if submission.supersedes is not None and submission.supersedes not in files:
            found = quote(submission.supersedes[:ID_DIGITS] + "…")
            yield problem("supersedes-unknown", file, "$.supersedes", found, "the id of a submission")


def _copies(ids: Mapping[str, str], files: Mapping[str, str]) -> Iterator[Problem]:
    for file, id_ in ids.items():
        if files[id_] != file:
            yield problem("duplicate-submission", file, "$", f"the content of {files[id_]}", "content of its own")


def _root(id_: str, submissions: Mapping[str, Submission], files: Mapping[str, str]) -> str:
    """Return the oldest submission that this one supersedes, directly or not."""
    while id_ in files and (older := submissions[files[id_]].supersedes) is not None:
        id_ = older  # ends: an id is a hash of what it supersedes, so there is no way round
    return id_


def _marks(file: str, id_: str, submission: Submission, vocabulary: Vocabulary) -> Iterator[tuple[str, str, Hashable]]:
    """Yield what no other submission may have: logs, times of runs, and results of the same submitter."""
    for path, _result, run in runs(submission):
        if run.log_sha256 is not None:
            yield "duplicate-log", f"{path}.log_sha256", run.log_sha256
        if trace(run) is not None:
            yield "duplicate-run", path, trace(run)
    if submission.origin != "measured" or not described(submission):
        return
    for cell in normalise(Entry(file, id_, yours=False, submission=submission), vocabulary):
        key = comparability.key(cell, metric="")
        if key is not None:
            names = (cell.stack.framework_version, cell.stack.api, cell.result.variant, cell.stack.language)
            who = submission.submitter.name.casefold()
            yield "repeated-result", json_path(["results", cell.position]), (who, key, cell.framework, *names)


def _repetition(code: str, file: str, path: str, other: str) -> Problem:
    expected = {
        "duplicate-log": "a log of its own",
        "duplicate-run": "times of its own",
        "repeated-result": "the id of that submission in $.supersedes",
    }
    return problem(code, file, path, f"what stands in {other}", expected[code])
