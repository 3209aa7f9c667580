"""One finding about a submission, and the catalogue of everything that can be found.

A problem is a value: rules yield it, reporters print it, nothing raises it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from collector.catalogue import files, origin, outcomes, references, settings, shape, values
from collector.catalogue.entry import Entry, Severity
from collector.wording import visible

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["CATALOGUE", "Entry", "Problem", "Severity", "problem"]

CATALOGUE: Mapping[str, Entry] = {
    **files.ENTRIES,
    **shape.ENTRIES,
    **references.ENTRIES,
    **outcomes.ENTRIES,
    **settings.ENTRIES,
    **values.ENTRIES,
    **origin.ENTRIES,
}


@dataclass(frozen=True)
class Problem:
    """What was found where, what was expected there, and what to do about it.

    `path` is a JSON path such as `$.results[0].runs[1].step_seconds[17]`; `code` is a key of `CATALOGUE` and the
    anchor of its entry in the documentation.
    """

    code: str
    severity: Severity
    file: str
    path: str
    found: str
    expected: str
    remedy: str

    def __str__(self) -> str:
        return (
            f"{visible(self.file)}::{self.path}: {self.severity}: {self.code}: "
            f"found {self.found}; expected {self.expected}; {self.remedy}"
        )


def problem(code: str, file: str, path: str, found: str, expected: str, *, remedy: str = "") -> Problem:
    """Return a problem with the severity and, unless a better one is known, the remedy of its code."""
    entry = CATALOGUE[code]
    return Problem(code, entry.severity, file, path, found, expected, remedy or entry.remedy)
