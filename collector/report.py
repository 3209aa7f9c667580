"""Problems as text, as JSON, and as annotations of a pull request. Nothing is printed here."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from collector.problems import CATALOGUE, Problem, Severity
from collector.wording import counted, visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


@dataclass(frozen=True)
class Checked:
    """A file with everything found in it; `id` is None where it couldn't be read."""

    file: str
    id: str | None
    results: int
    runs: int
    problems: tuple[Problem, ...]


def text(files: Sequence[Checked]) -> str:
    """Return one line a problem, one line a clean file, and a summary."""
    lines = [line for checked in files for line in _lines(checked)]
    return "\n".join([*lines, summary(files)]) + "\n"


def as_json(files: Sequence[Checked]) -> str:
    """Return everything as JSON in ASCII, which any terminal can hold."""
    found = [problem for checked in files for problem in checked.problems]
    result: dict[str, Any] = {
        "files": [
            {"file": checked.file, "id": checked.id, "problems": [asdict(problem) for problem in checked.problems]}
            for checked in files
        ],
        "errors": _number(found, Severity.ERROR),
        "warnings": _number(found, Severity.WARNING),
    }
    return json.dumps(result, indent=2) + "\n"


def github(files: Sequence[Checked]) -> str:
    """Return workflow commands that GitHub shows beside the file, and the summary."""
    lines = [_annotation(problem) for checked in files for problem in checked.problems]
    return "\n".join([*lines, summary(files)]) + "\n"


def summary(files: Sequence[Checked]) -> str:
    """Return the count of problems and files."""
    found = [problem for checked in files for problem in checked.problems]
    errors, warnings = _number(found, Severity.ERROR), _number(found, Severity.WARNING)
    counts = [counted(errors, "error")] * (errors > 0) + [counted(warnings, "warning")] * (warnings > 0)
    return f"{', '.join(counts) or 'no problems'} in {counted(len(files), 'file')}"


def _number(problems: Iterable[Problem], severity: Severity) -> int:
    return sum(problem.severity is severity for problem in problems)


def _lines(checked: Checked) -> list[str]:
    if checked.problems or checked.id is None:
        return [str(problem) for problem in checked.problems]
    counts = f"{counted(checked.results, 'result')}, {counted(checked.runs, 'run')}"
    return [f"{visible(checked.file)}: fine ({counts})"]


def _annotation(problem: Problem) -> str:
    message = f"{problem.path}: found {problem.found}; expected {problem.expected}; {problem.remedy}"
    title = f"{CATALOGUE[problem.code].title} ({problem.code})"
    command = f"::{problem.severity} file={_property(problem.file)},title={_property(title)}"
    return f"{command}::{_escaped(message)}"


def _escaped(message: str) -> str:
    return message.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(value: str) -> str:
    return _escaped(value).replace(":", "%3A").replace(",", "%2C")
