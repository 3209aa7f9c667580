"""What the catalogue says about one code."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True)
class Entry:
    """A code's title, explanation and default remedy.

    `about_source`: a transcribed figure may have this fault because its source has it; there it is a warning.
    """

    title: str
    explanation: str
    remedy: str
    severity: Severity = Severity.ERROR
    about_source: bool = False
