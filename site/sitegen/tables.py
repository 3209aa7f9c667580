"""A table as a value: what each cell says, sorts by and links to; one template draws them all."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Chip:
    """A small mark with its explanation; `link` leads to the glossary."""

    text: str
    meaning: str
    tone: str
    link: str | None = None


@dataclass(frozen=True)
class Cell:
    """One cell. `sort` is what the column sorts by, None for a missing value, which comes last in both directions.

    `detail` is a second, quieter line; `bar` a share of 1 as CSS percentage, drawn behind the text.
    """

    text: str = ""
    sort: str | None = None
    detail: str = ""
    link: str | None = None
    bar: str | None = None
    chips: tuple[Chip, ...] = ()
    missing: bool = False


@dataclass(frozen=True)
class Heading:
    """A column's heading; numeric columns are set flush right and sort as numbers."""

    key: str
    title: str
    numeric: bool = False


@dataclass(frozen=True)
class Table:
    """A sortable table with a caption; `id` names it in the address of the page."""

    id: str
    caption: str
    headings: tuple[Heading, ...]
    rows: tuple[tuple[Cell, ...], ...]


def number_cell(value: float | None, text: str, *, detail: str = "", bar: str | None = None) -> Cell:
    """Return the cell of a number, or of its absence."""
    return Cell(text=text, sort=None if value is None else repr(float(value)), detail=detail, bar=bar)


def text_cell(text: str, *, detail: str = "", link: str | None = None) -> Cell:
    """Return the cell of a text that sorts by itself."""
    return Cell(text=text, sort=text.casefold() or None, detail=detail, link=link)
