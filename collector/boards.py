"""Leaderboards: comparable results side by side, with tie groups instead of false precision."""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from collector.rows import Row, rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from collector.derive import Figure
    from collector.schema import Source
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


def boards(figures: Sequence[Figure], vocabulary: Vocabulary) -> tuple[Board, ...]:
    """Return every board: by workload and metric, the measured one first, then those of published sources.

    Withdrawn and superseded submissions and workloads without a board are left out.
    """
    shown = [figure for figure in figures if figure.standing == "current" and has_board(figure, vocabulary)]
    metrics = list(vocabulary.metrics)
    by_board = defaultdict(list)
    for figure in shown:
        by_board[_board_key(figure, metrics, vocabulary)].append(figure)
    return tuple(_board(by_board[key], vocabulary) for key in sorted(by_board))


def has_board(figure: Figure, vocabulary: Vocabulary) -> bool:
    """Say whether a figure's job stands on boards: those known by name alone, and those of our own tests, don't."""
    name = figure.cell.result.workload
    workload = vocabulary.workloads.get(name)
    return name not in vocabulary.foreign if workload is None else workload.board


def _board_key(
    figure: Figure, metrics: Sequence[str], vocabulary: Vocabulary
) -> tuple[str, int, bool, tuple[str, ...]]:
    source = _source(figure)
    place = (figure.cell.result.workload, metrics.index(figure.metric), source is not None)
    if source is None:
        return (*place, ())
    return (*place, (source.title, source.url or "", *(part or "" for part in _parts(figure, vocabulary))))


def _parts(figure: Figure, vocabulary: Vocabulary) -> tuple[str | None, str | None, str | None]:
    """Return data kind, precision and mode, by which a source's figures are kept apart."""
    result = figure.cell.result
    workload = vocabulary.workloads.get(result.workload)
    mode = None if workload and result.mode == workload.mode else result.mode
    return result.data.kind, result.precision, mode


def _source(figure: Figure) -> Source | None:
    """Return the source of a figure that this project didn't measure."""
    submission = figure.cell.entry.submission
    return None if submission.origin == "measured" else submission.source


def _board(figures: Sequence[Figure], vocabulary: Vocabulary) -> Board:
    first, source = figures[0], _source(figures[0])
    metric, result = vocabulary.metrics[first.metric], first.cell.result
    data_kind, precision, mode = _parts(first, vocabulary) if source else (None, None, None)
    names = (result.workload, first.metric, source.title if source else None, data_kind, precision, mode)
    return Board(
        id="-".join(_slug(name) for name in names if name),
        workload=result.workload,
        metric=first.metric,
        unit=metric.unit,
        better=metric.better,
        published=source is not None,
        source_title=source.title if source else None,
        source_url=source.url if source else None,
        data_kind=data_kind,
        precision=precision,
        mode=mode,
        rows=rows(figures, metric.better, compare=source is None),
    )


def _slug(name: str) -> str:
    """Return ASCII for anchors and file names; what that loses of a foreign title, its hash keeps apart."""
    slug = re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")
    return slug if name.isascii() else f"{slug}-{hashlib.sha256(name.encode()).hexdigest()[:6]}".strip("-")
