"""What the list pages show: workloads, submissions, words, downloads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from collector.schema import ID_DIGITS
from collector.tabulate import COLUMNS
from sitegen import figures, labels
from sitegen.tables import Cell, Chip, Heading, Table, number_cell, text_cell
from sitegen.views.board import submission_link, trust_chip
from sitegen.views.submission import date, trusts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from collector.boards import Board, Row
    from sitegen.labels import Edition
    from sitegen.views.submission import Document

NAMES_SHOWN = 4  # frameworks or workloads of a submission, then a count
DOWNLOADS = ("results.parquet", "results.csv", "results.json", "columns.json", "index.json")


@dataclass(frozen=True)
class Term:
    """A word with its meaning; `id` is its anchor."""

    id: str
    name: str
    meaning: str


@dataclass(frozen=True)
class Download:
    name: str
    link: str
    meaning: str
    size: str


def workloads_table(edition: Edition, boards: Sequence[Board]) -> Table:
    """Return all workloads that have a leaderboard, with how much is known about each."""
    words = edition.words
    keys = ("workload", "measured", "published", "parameters", "work")
    shown = [key for key, workload in edition.vocabulary.workloads.items() if workload.board]
    return Table(
        id="workloads",
        caption=words("site.workloads.title"),
        headings=tuple(Heading(key, words(f"site.workloads.{key}"), key != "workload") for key in keys),
        rows=tuple(_workload_cells(edition, workload, boards) for workload in shown),
    )


def _workload_cells(edition: Edition, workload: str, boards: Sequence[Board]) -> tuple[Cell, ...]:
    known = edition.vocabulary.workloads[workload]
    mine = [board for board in boards if board.workload == workload]
    measured = [row for board in mine if not board.published for row in board.rows]
    published = [row for board in mine if board.published for row in board.rows]
    parameters = max(known.parameters)
    return (
        text_cell(known.title[edition.language], detail=known.task[edition.language], link=f"workloads/{workload}/"),
        _count_cell(edition, measured),
        _count_cell(edition, published),
        number_cell(parameters, f"{parameters:,}"),
        number_cell(known.multiply_adds, figures.large(known.multiply_adds)),
    )


def _count_cell(edition: Edition, rows: Sequence[Row]) -> Cell:
    absent = sum(row.estimate is None for row in rows)
    detail = edition.words("site.workloads.no_value", count=absent) if absent else ""
    return number_cell(len(rows), str(len(rows)), detail=detail) if rows else Cell(text=edition.words("shared.none"))


def submissions_table(edition: Edition, documents: Sequence[Document]) -> Table:
    """Return all submissions, the newest first."""
    words = edition.words
    keys = ("submission", "submitter", "workloads", "frameworks", "device", "results", "date", "trust")
    ordered = sorted(documents, key=lambda document: document.id)
    ordered.sort(key=date, reverse=True)
    return Table(
        id="submissions",
        caption=words("site.submissions.title"),
        headings=tuple(Heading(key, words(f"site.submissions.{key}"), key == "results") for key in keys),
        rows=tuple(_submission_cells(edition, document) for document in ordered),
    )


def _submission_cells(edition: Edition, document: Document) -> tuple[Cell, ...]:
    submission = document.submission
    chips = tuple(trust_chip(edition, trust) for trust in trusts(document))
    if document.yours:
        chips = (Chip(edition.words("shared.yours"), edition.words("shared.yours"), "yours"), *chips)
    workloads = dict.fromkeys(labels.workload_title(edition, result.workload) for result in submission.results)
    frameworks = dict.fromkeys(labels.framework_name(edition, stack.framework) for stack in submission.stacks.values())
    devices = dict.fromkeys(d.name for machine in submission.machines.values() for d in machine.devices if d.name)
    source = submission.source.title if submission.source else ""
    return (
        text_cell(document.id[:ID_DIGITS], detail=source, link=submission_link(document.id)),
        text_cell(submission.submitter.name),
        text_cell(_some(edition, list(workloads))),
        text_cell(_some(edition, list(frameworks))),
        text_cell(_some(edition, list(devices))),
        number_cell(len(submission.results), str(len(submission.results))),
        text_cell(date(document)),
        Cell(sort=" ".join(trusts(document)) or None, chips=chips),
    )


def _some(edition: Edition, names: list[str]) -> str:
    if len(names) <= NAMES_SHOWN:
        return ", ".join(names)
    more = edition.words("site.home.more", count=len(names) - NAMES_SHOWN)
    return f"{', '.join(names[:NAMES_SHOWN])}, {more}"


def terms(edition: Edition, kind: str) -> tuple[Term, ...]:
    """Return the words of a closed set (`outcome`, `trust`, `flag`) with their meanings."""
    words, prefix, suffix = edition.words, f"shared.{kind}.", ".name"
    names = [key.removeprefix(prefix).removesuffix(suffix) for key in words.texts if key.startswith(prefix)]
    return tuple(
        Term(f"{kind}-{name}", words(f"{prefix}{name}.name"), words(f"{prefix}{name}.meaning"))
        for name in dict.fromkeys(name for name in names if f"{prefix}{name}.name" in words.texts)
    )


def reading_terms(edition: Edition) -> tuple[Term, ...]:
    """Return what the columns of a leaderboard mean."""
    words = edition.words
    keys = ("interval", "place", "ratio", "spread", "runs")
    return tuple(
        Term(f"reading-{key}", words(f"site.glossary.{key}"), words(f"site.glossary.{key}_meaning")) for key in keys
    )


def downloads(edition: Edition, sizes: Mapping[str, int]) -> tuple[Download, ...]:
    """Return the files of the published data set that were built, by name with their size in bytes."""
    return tuple(
        Download(
            name=name,
            link=f"../data/{name}",
            meaning=edition.words(f"site.downloads.{name.removeprefix('results.').replace('.', '_')}"),
            size=figures.memory(sizes[name]),
        )
        for name in DOWNLOADS
        if name in sizes
    )


def columns_table(edition: Edition) -> Table:
    """Return the columns of the tidy table with their types, units and meanings."""
    words = edition.words
    return Table(
        id="columns",
        caption=words("site.downloads.columns"),
        headings=tuple(Heading(key, words(f"site.downloads.{key}")) for key in ("column", "type", "unit", "meaning")),
        rows=tuple(
            (text_cell(column.name), text_cell(column.dtype), text_cell(column.unit or ""), text_cell(column.meaning))
            for column in COLUMNS
        ),
    )
