"""Leaderboards: comparable results side by side, with tie groups instead of false precision."""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from collector.rows import Row, rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from collector.tabulate import Record
    from collector.vocabulary import Vocabulary

__all__ = ["Board", "Row", "boards"]


LONG = 40  # rows


@dataclass(frozen=True)
class Board:
    """All rows of one workload and metric: measured ones, or the published ones of one source.

    A source's rows are kept apart by data kind, precision and mode, as far as it states them; `mode` is None for the
    workload's own.
    """

    id: str  # stable: used as anchor and file name
    workload: str
    metric: str
    unit: str
    better: Literal["higher", "lower"]
    published: bool
    source_title: str | None
    source_url: str | None
    data_kind: str | None
    precision: str | None
    mode: str | None
    rows: tuple[Row, ...]

    @property
    def long(self) -> bool:
        """Whether there are more rows of a source than a page of several boards can show."""
        return self.published and len(self.rows) > LONG


def boards(records: Iterable[Record], vocabulary: Vocabulary) -> tuple[Board, ...]:
    """Return every board of the rows of the table: by workload and metric, the measured one first, then those of sources.

    Withdrawn and superseded submissions and workloads without a board are left out.
    """
    metrics = list(vocabulary.metrics)
    by_board = defaultdict(list)
    for record in records:
        if record["standing"] == "current" and has_board(record["workload"], vocabulary):
            by_board[_board_key(record, metrics, vocabulary)].append(record)
    return tuple(_board(by_board[key], vocabulary) for key in sorted(by_board))


def has_board(workload: str, vocabulary: Vocabulary) -> bool:
    """Say whether a job stands on boards: those known by name alone, and those of our own tests, don't."""
    known = vocabulary.workloads.get(workload)
    return workload not in vocabulary.foreign if known is None else known.board


def _board_key(
    record: Record, metrics: Sequence[str], vocabulary: Vocabulary
) -> tuple[str, int, bool, tuple[str, ...]]:
    place = (record["workload"], metrics.index(record["metric"]), _sourced(record))
    if not _sourced(record):
        return (*place, ())
    parts = _parts(record, vocabulary)
    return (*place, (record["source_title"], record["source_url"] or "", *(part or "" for part in parts)))


def _parts(record: Record, vocabulary: Vocabulary) -> tuple[str | None, str | None, str | None]:
    """Return data kind, precision and mode, by which a source's figures are kept apart."""
    workload = vocabulary.workloads.get(record["workload"])
    mode = None if workload and record["mode"] == workload.mode else record["mode"]
    return record["data_kind"], record["precision"], mode


def _sourced(record: Record) -> bool:
    """Say whether a result has a source: then this project didn't measure it."""
    return record["origin"] != "measured" and record["source_title"] is not None


def _board(records: Sequence[Record], vocabulary: Vocabulary) -> Board:
    first, published = records[0], _sourced(records[0])
    metric = vocabulary.metrics[first["metric"]]
    data_kind, precision, mode = _parts(first, vocabulary) if published else (None, None, None)
    title = first["source_title"] if published else None
    names = (first["workload"], first["metric"], title, data_kind, precision, mode)
    return Board(
        id="-".join(_slug(name) for name in names if name),
        workload=first["workload"],
        metric=first["metric"],
        unit=metric.unit,
        better=metric.better,
        published=published,
        source_title=title,
        source_url=first["source_url"] if published else None,
        data_kind=data_kind,
        precision=precision,
        mode=mode,
        rows=rows(records, metric.better, compare=not published),
    )


def _slug(name: str) -> str:
    """Return ASCII for anchors and file names; what that loses of a foreign title, its hash keeps apart."""
    slug = re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")
    return slug if name.isascii() else f"{slug}-{hashlib.sha256(name.encode()).hexdigest()[:6]}".strip("-")
