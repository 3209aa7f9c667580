"""What things are called in the report: test cases, frameworks, devices, metrics, settings, sources."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sitegen import labels
from sitegen.views.board import kept_apart

if TYPE_CHECKING:
    from collections.abc import Sequence

    from collector.boards import Board, Row
    from sitegen.report.blocks import Text
    from sitegen.report.material import Material

OPEN = "†"


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
    shown = labels.device_name(material.edition, name.removesuffix(labels.UNSTATED), count)
    return shown + OPEN if name.endswith(labels.UNSTATED) else shown


def open_note(material: Material, rows: Sequence[tuple[object, ...]]) -> tuple[Text, ...]:
    """Return the note that explains the dagger, if any cell has one."""
    marked = any(isinstance(cell, str) and cell.endswith(OPEN) for row in rows for cell in row)
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


def row_setting(material: Material, row: Row) -> str:
    """Return the settings of a row that a sentence needs."""
    how = (row.threads_per_process, row.precision, row.batch_per_device, row.data_kind)
    return setting(material, row_device(material, row), *how)


def setting(
    material: Material, device: str, threads: int | None, precision: str | None, batch: int | None, data: str | None
) -> str:
    """Return settings in one phrase: device, threads, precision, batch size, data."""
    words = material.words
    size = material.shared("batch", None) if batch is None else str(batch)
    parts = [device, *([words.count(threads, "processes")] if threads else [])]
    parts += [material.shared("precision", precision), words.text("case.batch_size", n=size)]
    return words.text("semicolon").join([*parts, material.shared("data_kind", data)])


def source_part(material: Material, board: Board) -> str:
    """Return where a published board comes from: source and, as far as it is stated, data, precision and mode."""
    source = board.source_title or material.shared("source", None)
    return source + _data(material, board, "case.part_data")


def source_in_text(material: Material, board: Board) -> str:
    """Return the same as part of a sentence."""
    source = board.source_title or material.shared("source", None)
    return source + _data(material, board, "case.text_data")


def _data(material: Material, board: Board, key: str) -> str:
    parts = kept_apart(material.edition, board)
    return material.words.text(key, data=material.words.text("comma").join(parts)) if parts else ""
