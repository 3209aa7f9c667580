"""The tidy table as plain records by submission: what a page says of a result beyond its raw facts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from collector import serialise

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas as pd

Record = dict[str, Any]


def by_submission(table: pd.DataFrame) -> Mapping[str, list[Record]]:
    """Return the rows of the table by submission, in the table's order; a missing value is None."""
    found: dict[str, list[Record]] = {}
    for record in serialise.records(table):
        found.setdefault(record["submission"], []).append(record)
    return found
