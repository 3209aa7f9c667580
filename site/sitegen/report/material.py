"""What the report's chapters are written from: the data set, the words of a language, and what they give together."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from collector.boards import has_board
from collector.schema import ID_DIGITS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from collector.boards import Board, Row
    from collector.derive import Figure
    from collector.normalise import Entry
    from collector.store import Dataset
    from sitegen import labels
    from sitegen.report.words import ReportWords


@dataclass(frozen=True)
class Material:
    dataset: Dataset
    edition: labels.Edition
    words: ReportWords

    @property
    def boards(self) -> tuple[Board, ...]:
        """Boards with languages and published gaps in words of the report's language."""
        return tuple(
            replace(board, rows=tuple(_in_words(self.words, row) for row in board.rows))
            for board in self.dataset.boards
        )

    @property
    def version(self) -> str:
        """The data version in its short form."""
        return self.dataset.version[:ID_DIGITS]

    @property
    def figures(self) -> tuple[Figure, ...]:
        """Figures that stand in the boards: current, and of a workload that has one."""
        return tuple(
            f
            for f in self.dataset.figures
            if f.standing == "current" and has_board(f.cell.result.workload, self.dataset.vocabulary)
        )

    @property
    def measured(self) -> tuple[Figure, ...]:
        return tuple(figure for figure in self.figures if not is_published(figure))

    @property
    def published(self) -> tuple[Figure, ...]:
        return tuple(figure for figure in self.figures if is_published(figure))

    def shared(self, group: str, value: str | None) -> str:
        """Return the site's word for a value of a closed set."""
        return self.edition.words.named(group, value)


def _in_words(words: ReportWords, row: Row) -> Row:
    reason = row.reason
    if row.source_path is not None and row.outcome == "not_run":
        reason = words.text("gap_printed", raw=row.raw_text) if row.raw_text else words.text("gap_empty")
    return replace(row, reason=reason, language=row.language and language(row.language))


def language(name: str) -> str:
    """Return a programming language's name as it is written; the data hold it in small letters."""
    return name[:1].upper() + name[1:]


def is_published(figure: Figure) -> bool:
    """Say whether others measured this figure."""
    return figure.cell.entry.submission.origin != "measured"


def entries(figures: Sequence[Figure]) -> tuple[Entry, ...]:
    """Return the submissions behind figures, each once, in order."""
    return tuple({figure.cell.entry.id: figure.cell.entry for figure in figures}.values())


def cases(material: Material) -> tuple[str, ...]:
    """Return all test cases: those of our own in the vocabulary's order, then foreign ones that occur."""
    own = [name for name, workload in material.dataset.vocabulary.workloads.items() if workload.board]
    return tuple(dict.fromkeys([*own, *(figure.cell.result.workload for figure in material.figures)]))


def day(material: Material) -> str:
    """Return the date of the data in the manner of the language; results that all failed may have none."""
    date = material.dataset.date
    if date is None:
        return material.words.text("undated")
    year, month, number = date.split("-")
    name = material.words.sentences("months")[int(month) - 1][0]
    return material.words.text("date", year=year, month=str(name), day=str(int(number)))
