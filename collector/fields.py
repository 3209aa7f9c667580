"""Scalar types of the submission format: what a text, a count, a day or a moment may look like in the file."""

from __future__ import annotations

import re
from datetime import date
from typing import Annotated

from pydantic import AwareDatetime, BeforeValidator, Field, Strict, WithJsonSchema

DAY = r"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$"
MOMENT = DAY[:-1] + r"T([01][0-9]|2[0-3])(:[0-5][0-9]){2}(\.[0-9]{1,6})?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$"
IDENTIFIER = r"^[a-z0-9]+([-.][a-z0-9]+)*$"
LONGEST_TEXT, LONGEST_NAME = 10_000, 200  # characters; a longer one is a slip or an attack
LARGEST = 2**53 - 1  # every JSON reader, JavaScript included, holds whole numbers exactly up to here


def _written_as(pattern: str) -> BeforeValidator:
    """Refuse what pydantic would read as a date too: epoch seconds, other separators, a time without seconds."""

    def require(value: object) -> object:
        if isinstance(value, (int, float)) or (isinstance(value, str) and re.fullmatch(pattern, value) is None):
            raise ValueError(pattern)
        return value

    return BeforeValidator(require)


Text = Annotated[str, Field(min_length=1, max_length=LONGEST_TEXT, pattern=r"\S")]
AnyText = Annotated[str, Field(max_length=LONGEST_TEXT)]
Identifier = Annotated[str, Field(max_length=LONGEST_NAME, pattern=IDENTIFIER)]
Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
Commit = Annotated[str, Field(pattern=r"^[0-9a-f]{40}$")]
Whole = Annotated[int, Field(ge=-LARGEST, le=LARGEST)]
Count = Annotated[int, Field(ge=1, le=LARGEST)]
CountOrZero = Annotated[int, Field(ge=0, le=LARGEST)]
Positive = Annotated[float, Field(gt=0)]
Numbers = Annotated[list[float], Field(fail_fast=True)]  # one wrong value is told: a list may have a million
Scalar = AnyText | Whole | float | bool | None
Day = Annotated[
    date,
    Strict(strict=False),  # the pattern is stricter than pydantic's strict mode
    _written_as(DAY),
    WithJsonSchema({"type": "string", "format": "date", "pattern": DAY}),
]
Moment = Annotated[
    AwareDatetime,
    Strict(strict=False),
    _written_as(MOMENT),
    WithJsonSchema({"type": "string", "format": "date-time", "pattern": MOMENT}),
]
