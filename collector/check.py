"""What a submission means: runs every rule below `collector.rules` over it and collects the problems.

A rule is a public function of a module there, `rule(submission, context)`; the folder listing is the list of rules.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from collector import rules
from collector.canonical import identity
from collector.findings import Context, Finding
from collector.problems import CATALOGUE, Problem, Severity, problem
from collector.salvage import sound
from collector.schema import Submission

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from collector.read import Reading
    from collector.vocabulary import Vocabulary

MOST_OF_A_KIND = 100  # problems of a file that are shown

Rule = Callable[[Submission, Context], Iterator[Finding]]


def check(
    submission: Submission, file: str, vocabulary: Vocabulary, today: date | None = None, id_: str | None = None
) -> tuple[Problem, ...]:
    """Return every problem of one submission in the order of its places; without `today` no date is too late.

    `id_` is its id, where that is known already: it takes as long as all the rules.
    """
    context = Context(vocabulary, file, id_ or identity(submission), today)
    problems = [_problem(found, submission, file) for found in _findings(submission, context)]
    return tuple(sorted(problems, key=_place))


def judge(reading: Reading, file: str, vocabulary: Vocabulary, today: date | None = None) -> tuple[Problem, ...]:
    """Return every problem of a file that was read, whether or not its shape is right."""
    return _few(_judged(reading, file, vocabulary, today))


def _judged(reading: Reading, file: str, vocabulary: Vocabulary, today: date | None) -> tuple[Problem, ...]:
    if reading.submission:
        return (*reading.problems, *check(reading.submission, file, vocabulary, today, reading.id))
    remains = reading.remains
    if remains is None:
        return reading.problems
    broken = [found.path for found in reading.problems if found.severity is Severity.ERROR]
    findings = sound(_findings(remains, Context(vocabulary, file, None, today)), broken)
    return (*reading.problems, *sorted((_problem(found, remains, file) for found in findings), key=_place))


def _few(problems: Sequence[Problem]) -> tuple[Problem, ...]:
    """Return the first problems of each kind, and how many more there are behind the last one."""
    number = Counter((found.code, found.severity) for found in problems)
    seen: Counter[tuple[str, Severity]] = Counter()
    kept: list[Problem] = []
    for found in problems:
        kind = (found.code, found.severity)
        seen[kind] += 1
        if seen[kind] <= MOST_OF_A_KIND:
            kept.append(found)
        elif seen[kind] == MOST_OF_A_KIND + 1:
            more = f"{number[kind] - MOST_OF_A_KIND:,} more of {found.code}"
            last = problem("many-problems", found.file, found.path, more, "none")
            kept.append(replace(last, severity=found.severity))
    return tuple(kept)


def _findings(submission: Submission, context: Context) -> Iterator[Finding]:
    return (found for rule in all_rules() for found in rule(submission, context))


@cache
def all_rules() -> tuple[Rule, ...]:
    """Return the rules, by module in alphabetical order, within a module as written."""
    names = sorted(module.name for module in pkgutil.iter_modules(rules.__path__))
    modules = [importlib.import_module(f"{rules.__name__}.{name}") for name in names]
    return tuple(
        function
        for module in modules
        for name, function in vars(module).items()
        if inspect.isfunction(function) and function.__module__ == module.__name__ and not name.startswith("_")
    )


def _problem(found: Finding, submission: Submission, file: str) -> Problem:
    """Return the finding as a problem; what a transcribed source got wrong itself is only a warning."""
    result = problem(found.code, file, found.path, found.found, found.expected, remedy=found.remedy)
    transcribed = submission.origin != "measured" and CATALOGUE[found.code].about_source
    return replace(result, severity=Severity.WARNING) if transcribed else result


def _place(found: Problem) -> tuple[list[tuple[bool, int, str]], str]:
    """Sort by path with numbers as numbers; several problems of a place by code."""
    parts = re.findall(r"\d+|\D+", found.path)
    return [(part.isdigit(), int(part) if part.isdigit() else 0, part) for part in parts], found.code
