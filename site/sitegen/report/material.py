"""What the report's chapters are written from: the data set, and what things are called in its language."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sitegen import labels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from collector.boards import Board, Row
    from collector.derive import Figure
    from collector.normalise import Entry
    from collector.store import Dataset
    from sitegen.report.blocks import Text
    from sitegen.report.words import ReportWords

ID_DIGITS = 12  # of identities and versions, as in the addresses of the site
OPEN = "†"
UNSTATED = ", variant not stated"  # how the vocabulary ends the name of a device that a source leaves open


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
        return tuple(f for f in self.dataset.figures if f.standing == "current" and _has_board(f))

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


def _has_board(figure: Figure) -> bool:
    return figure.cell.workload is None or figure.cell.workload.board


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


def case_title(material: Material, workload: str) -> str:
    """Return a test case's title."""
    return labels.workload_title(material.edition, workload)


def framework(material: Material, row: Row) -> str:
    """Return framework, release and what else tells a row from others, in one line."""
    return labels.row_label(material.edition, replace(row, yours=False)).replace(" · ", ", ")


def device(material: Material, name: str | None, count: int | None) -> str:
    """Return a device's name, with how many of them and whether its source leaves the variant open."""
    short = marked_device(material, name, count)
    opened = material.words.text("brackets", inner=material.words.text("variant_open"))
    return short.removesuffix(OPEN) + opened if short.endswith(OPEN) else short


def marked_device(material: Material, name: str | None, count: int | None) -> str:
    """Return a device's name for tables, where a dagger marks a variant that the source leaves open."""
    if name is None:
        return material.shared("device", None)
    shown = labels.device_name(material.edition, name.removesuffix(UNSTATED), count)
    return shown + OPEN if name.endswith(UNSTATED) else shown


def open_note(material: Material, rows: Sequence[tuple[object, ...]]) -> tuple[Text, ...]:
    """Return the note that explains the dagger, if any cell has one."""
    marked = any(isinstance(cell, str) and OPEN in cell for row in rows for cell in row)
    return (material.words.spans("note_open"),) if marked else ()


def row_device(material: Material, row: Row) -> str:
    """Return the device of a row, for sentences and charts."""
    return device(material, row.device, row.devices)


def marked_row_device(material: Material, row: Row) -> str:
    """Return the device of a row, for tables."""
    return marked_device(material, row.device, row.devices)


def unit(material: Material, board: Board) -> str:
    """Return a board's unit."""
    return labels.unit_name(material.edition, board.unit, board.workload)


def metric(material: Material, board: Board) -> str:
    """Return a board's metric as part of a sentence."""
    return material.shared("metric_short", board.metric)


def metric_with_unit(material: Material, board: Board) -> str:
    """Return a board's metric with its unit, for captions."""
    return metric(material, board) + material.words.text("brackets", inner=unit(material, board))


def why_missing(material: Material, row: Row) -> str:
    """Return why a row has no value: outcome, whose limit, reason."""
    parts = [material.shared("outcome", f"{row.outcome}.name")]
    if row.limit:
        parts.append(material.shared("limit", row.limit))
    return material.words.text("colon").join([*parts, *([row.reason] if row.reason else [])])


def setting(material: Material, row: Row) -> str:
    """Return the settings of a row that a sentence needs: device, threads, precision, batch, data."""
    words = material.words
    parts = [row_device(material, row)]
    if row.threads_per_process:
        parts.append(words.count(row.threads_per_process, "processes"))
    batch = material.shared("batch", None) if row.batch_per_device is None else str(row.batch_per_device)
    parts += [material.shared("precision", row.precision), words.text("case.batch_size", n=batch)]
    return words.text("semicolon").join([*parts, material.shared("data_kind", row.data_kind)])


def day(material: Material) -> str:
    """Return the date of the data in the manner of the language; results that all failed may have none."""
    date = material.dataset.date
    if date is None:
        return material.words.text("undated")
    year, month, number = date.split("-")
    name = material.words.sentences("months")[int(month) - 1][0]
    return material.words.text("date", year=year, month=str(name), day=str(int(number)))


def source_part(material: Material, board: Board) -> str:
    """Return where a published board comes from: source and, where it is stated, the kind of data."""
    source = board.source_title or material.shared("source", None)
    if board.data_kind is None:
        return source
    return material.words.text("case.part", source=source, data=material.shared("data_kind", board.data_kind))


def source_in_text(material: Material, board: Board) -> str:
    """Return the same for a sentence: the kind of data in brackets."""
    source = board.source_title or material.shared("source", None)
    if board.data_kind is None:
        return source
    return source + material.words.text("brackets", inner=material.shared("data_kind", board.data_kind))
