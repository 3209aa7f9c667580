"""What a report consists of, apart from how it is set: values that the Typst template reads as JSON."""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Callable

    from sitegen.charts import Chart


@dataclass(frozen=True)
class Ref:
    """The number of a heading, figure or table; the template looks it up."""

    target: str


@dataclass(frozen=True)
class Link:
    """A web address that stands in the text as it is."""

    url: str


Piece = str | Ref | Link
Text = tuple[Piece, ...]


@dataclass(frozen=True)
class Heading:
    id: str
    level: Literal[1, 2]
    text: str


@dataclass(frozen=True)
class Paragraph:
    text: Text


@dataclass(frozen=True)
class Items:
    """A list of sentences with bullets."""

    items: tuple[Text, ...]


@dataclass(frozen=True)
class Code:
    """Lines to copy, such as a BibTeX entry."""

    lines: tuple[str, ...]


@dataclass(frozen=True)
class Column:
    """A column of a table; `share` is its part of the width that columns without one (0) leave."""

    title: str
    align: Literal["left", "right"] = "left"
    share: float = 0


@dataclass(frozen=True)
class Cell:
    """A cell that is more than text: over several columns, a sub-heading, a sum, or a number with its point aligned.

    `pad` are the invisible digits that follow a number so that the points of a column stand in one line.
    """

    text: Text
    span: int = 1
    role: Literal["plain", "group", "missing", "total"] = "plain"
    pad: str = ""


@dataclass(frozen=True)
class Table:
    id: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str | Cell, ...], ...]
    notes: tuple[Text, ...] = ()


@dataclass(frozen=True)
class Figure:
    """A chart with its caption; the drawing lies in `svg/<id>.svg`."""

    id: str
    caption: str
    chart: Chart


Block = Heading | Paragraph | Items | Code | Table | Figure


@dataclass(frozen=True)
class Front:
    """Cover, imprint and the words that the template sets by itself."""

    title: str
    subtitle: str
    edition: str
    running: str  # at the foot of each page
    extent: str
    date: tuple[int, ...] | None  # year, month, day
    version: str
    publisher: str
    imprint: tuple[tuple[str, Text], ...]
    imprint_title: str
    contents: str
    figures: str
    tables: str
    figure: str
    table: str
    page: tuple[str, str, str]  # before the page number, between it and the number of pages, after that
    keywords: tuple[str, ...]


@dataclass(frozen=True)
class Document:
    language: str
    region: str
    front: Front
    chapters: tuple[Block, ...]
    appendices: tuple[Block, ...]


def figures(document: Document) -> tuple[Figure, ...]:
    """Return all figures in order."""
    return tuple(block for block in (*document.chapters, *document.appendices) if isinstance(block, Figure))


def plain(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    """Return a block, or anything made of blocks, as JSON values; each type names itself under `kind`."""
    if isinstance(value, Figure):
        return {"kind": "figure", "id": value.id, "caption": value.caption, "alt": value.chart.alt}
    if is_dataclass(value):
        members = {field.name: plain(getattr(value, field.name)) for field in fields(value)}
        return {"kind": type(value).__name__.lower(), **members}
    return [plain(member) for member in value] if isinstance(value, tuple) else value


def rewrite(value: Any, change: Callable[[str, str], str], place: str = "report") -> Any:  # noqa: ANN401 - same type
    """Return a copy of frozen values in which `change(place, text)` stands for every text; a place names ids."""
    if isinstance(value, str):
        return change(place, value)
    if isinstance(value, tuple):
        return tuple(rewrite(member, change, f"{place}[{_name(member, i)}]") for i, member in enumerate(value))
    if is_dataclass(value) and not isinstance(value, type):
        members = {f.name: rewrite(getattr(value, f.name), change, f"{place}.{f.name}") for f in fields(value)}
        return type(value)(**members)
    return value


def _name(member: Any, index: int) -> str:  # noqa: ANN401 - any value
    found = getattr(member, "id", None)
    return found if isinstance(found, str) else str(index)
