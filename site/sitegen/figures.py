"""Numbers as text, the same in every locale; nothing here knows what a number means."""

from __future__ import annotations

import math

SIGNIFICANT = 4  # digits: one more than the spread of a careful measurement supports
NBSP = "\u00a0"


def decimals(value: float) -> int:
    """Return how many decimals show `value` with four significant digits."""
    magnitude = math.floor(math.log10(abs(value))) if value else 0
    return max(0, SIGNIFICANT - 1 - magnitude)


def fixed(value: float, places: int) -> str:
    """Return a number with so many decimals and commas between thousands."""
    return f"{value:,.{places}f}"


def measured(value: float) -> str:
    """Return a measured number with four significant digits."""
    return fixed(value, decimals(value))


def printed(value: float) -> str:
    """Return a published number without digits that its source doesn't have."""
    return f"{value:,.6f}".rstrip("0").rstrip(".")


def percent(fraction: float) -> str:
    """Return a fraction as percentage with one decimal."""
    return f"{fraction * 100:.1f}{NBSP}%"


def memory(size: int) -> str:
    """Return bytes in the largest binary unit that keeps the number above 1."""
    units = ("B", "KiB", "MiB", "GiB", "TiB")
    step = min(len(units) - 1, max(0, size.bit_length() - 1) // 10)
    return f"{size / 1024**step:,.{1 if step else 0}f}{NBSP}{units[step]}"


def large(number: int) -> str:
    """Return a count in thousands, millions or billions, three significant digits: 62.3 M, 4.09 G."""
    for limit, letter in ((10**9, "G"), (10**6, "M"), (10**3, "k")):
        if number >= limit:
            return f"{number / limit:.3g}{NBSP}{letter}"
    return str(number)


def shorten(text: str, longest: int) -> str:
    """Return at most so many characters, the last one an ellipsis where something was cut."""
    return text if len(text) <= longest else text[: longest - 1].rstrip() + "…"
