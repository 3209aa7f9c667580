"""What the report's chapters are written from: the data set, and what things are called in its language."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sitegen import labels

if TYPE_CHECKING:
    from collections.abc import Sequence

    from collector.boards import Board, Row
    from collector.derive import Figure
    from collector.normalise import Entry
    from collector.store import Dataset
    from sitegen.report_blocks import Text
    from sitegen.report_words import ReportWords

UNSTATED = ", variant not stated"  # how the vocabulary ends the name of a device that a source leaves open


@dataclass(frozen=True)
class Material:
    dataset: Dataset
    edition: labels.Edition
    words: ReportWords

    @property
    def boards(self) -> tuple[Board, ...]:
        return self.dataset.boards

    @property
    def version(self) -> str:
        """The data version in its short form."""
        return self.dataset.version[:12]

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
    return labels.row_label(material.edition, row).replace(" · ", ", ")


def device(material: Material, name: str | None, count: int | None) -> str:
    """Return a device's name, with how many of them and whether its source leaves the variant open."""
    if name is None:
        return material.shared("device", None)
    shown = labels.device_name(material.edition, name.removesuffix(UNSTATED), count)
    if not name.endswith(UNSTATED):
        return shown
    return shown + material.words.text("brackets", inner=material.words.text("variant_open"))


def row_device(material: Material, row: Row) -> str:
    """Return the device of a row."""
    return device(material, row.device, row.devices)


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
    """Return the settings of a row that a sentence needs: device, precision, batch, data."""
    return material.words.text(
        "case.setting_short",
        device=row_device(material, row),
        precision=material.shared("precision", row.precision),
        batch=str(row.batch_per_device or material.shared("batch", None)),
        data=material.shared("data_kind", row.data_kind),
    )


def day(material: Material, date: str) -> str:
    """Return an ISO date in the manner of the language."""
    year, month, number = date.split("-")
    name = material.words.sentences("months")[int(month) - 1][0]
    return material.words.text("date", year=year, month=str(name), day=str(int(number)))


def plain(text: str) -> Text:
    """Return a text without references as pieces."""
    return (text,)


def source_part(material: Material, board: Board) -> str:
    """Return where a published board comes from: source and, where it is stated, the kind of data."""
    source = board.source_title or material.shared("source", None)
    if board.data_kind is None:
        return source
    return material.words.text("case.part", source=source, data=material.shared("data_kind", board.data_kind))
