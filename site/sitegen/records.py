"""The tidy table as plain records by submission: what a page says of a result beyond its raw facts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas as pd

Record = dict[str, Any]


def by_submission(table: pd.DataFrame) -> Mapping[str, list[Record]]:
    """Return the rows of the table by submission, in the table's order; a missing value is None."""
    plain = table.astype(object).where(table.notna(), None)
    found: dict[str, list[Record]] = {}
    for record in plain.to_dict("records"):
        found.setdefault(record["submission"], []).append({str(key): value for key, value in record.items()})
    return found
