"""Estimates from samples: the only statistics of the project."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Estimate:
    """A value with its 95 % interval over `n` runs; `low` and `high` are None for fewer than three runs."""

    value: float
    low: float | None
    high: float | None
    n: int
