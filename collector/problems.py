"""One finding about a submission, and the catalogue of everything that can be found.

A problem is a value: rules yield it, reporters print it, nothing raises it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    ERROR = "error"
    WARNING = "warning"


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
            f"{self.file}::{self.path}: {self.severity}: {self.code}: "
            f"found {self.found}; expected {self.expected}; {self.remedy}"
        )
