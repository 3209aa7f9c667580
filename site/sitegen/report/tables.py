"""The report's tables of boards: measured results by setting, published figures as their source arranges them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitegen import board_charts, figures, labels
from sitegen.report import material as report_material
from sitegen.report.blocks import Cell, Column, Table
from sitegen.views import board as board_views

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from collector.boards import Board, Row
    from sitegen.report.blocks import Text
    from sitegen.report.material import Material

DEVICES = 4  # columns of devices that a page is wide enough for


def aligned(numbers: Iterable[str]) -> list[Cell]:
    """Return cells whose decimal points stand in one line."""
    texts = list(numbers)
    longest = max((len(_fraction(text)) for text in texts), default=0)
    return [Cell((text,), pad=_missing_digits(_fraction(text), longest)) for text in texts]


def _fraction(number: str) -> str:
    return number[number.index(".") :] if "." in number else ""


def _missing_digits(fraction: str, longest: int) -> str:
    if len(fraction) == longest:
        return ""
    return ("" if fraction else ".") + "0" * (longest - max(len(fraction), 1))


def columns(
    material: Material, chapter: str, shares: Mapping[str, float], right: Sequence[str] = ()
) -> tuple[Column, ...]:
    """Return columns titled by the words of a chapter, with their shares of the width (0: as wide as needed)."""
    return tuple(
        Column(material.words.text(f"{chapter}.{key}"), "right" if key in right else "left", share)
        for key, share in shares.items()
    )


def measured_table(material: Material, board: Board) -> Table:
    """Return the measured results of a board, each setting under its own heading."""
    words = material.words
    keys = ("place", "framework", "value", "interval", "runs", "spread", "ratio", "day", "trust")
    titles = {key: words.text(f"case.{key}") for key in keys if key != "value"}
    titles["value"] = report_material.unit(material, board)
    wide = {"place": 0.5, "framework": 1.7, "value": 0.95, "interval": 1.3, "runs": 0.5, "spread": 0.7, "ratio": 0.65}
    wide |= {"day": 1, "trust": 2}
    right = ("value", "interval", "runs", "spread", "ratio")
    columns = tuple(Column(titles[key], "right" if key in right else "left", wide[key]) for key in keys)
    rows: list[tuple[str | Cell, ...]] = []
    for number, (group, alike) in enumerate(board_views.groups(board).items(), start=1):
        heading = _group_heading(material, number, alike[0], comparable=group is not None)
        rows += [(Cell(heading, span=len(keys), role="group"),), *_measured_rows(material, board, alike)]
    caption = words.text(
        "case.caption_measured",
        case=report_material.case_title(material, board.workload),
        metric=report_material.metric_with_unit(material, board),
    )
    return Table(f"tab-{board.id}", caption, columns, tuple(rows), _measured_notes(material, board))


def _group_heading(material: Material, number: int, row: Row, *, comparable: bool) -> Text:
    words, colon = material.words, material.words.text("colon")
    head = words.text("case.setting", n=str(number)) + colon
    if not comparable:
        return (head, words.text("case.group_open"))
    parts = [f"{label}{colon}{value}" for label, value in labels.settings(material.edition, row)]
    return (head, words.text("semicolon").join([report_material.row_device(material, row), *parts]))


def _measured_rows(material: Material, board: Board, rows: Sequence[Row]) -> list[tuple[str | Cell, ...]]:
    values = iter(aligned(board_charts.value_text(board, row) for row in rows if row.estimate))
    found: list[tuple[str | Cell, ...]] = []
    for row in rows:
        name = report_material.framework(material, row)
        if row.estimate is None:
            found.append(("–", name, Cell((report_material.why_missing(material, row),), span=7, role="missing")))
            continue
        spread, ratio = row.spread, row.ratio
        numbers = (
            board_views.interval(row) or "–",
            str(row.estimate.n),
            "–" if spread is None else figures.percent(spread),
            "–" if ratio is None else f"{ratio:.2f}",
        )
        place = "–" if row.place is None else str(row.place)
        found.append((place, name, next(values), *numbers, row.date, _evidence(material, row)))
    return found


def _evidence(material: Material, row: Row) -> str:
    parts = [material.shared("trust", f"{row.trust}.name"), *(material.shared("flag", f"{f}.name") for f in row.flags)]
    if row.yours:
        parts.append(material.words.text("case.local"))
    return material.words.text("semicolon").join(parts)


def _measured_notes(material: Material, board: Board) -> tuple[Text, ...]:
    words = material.words
    flags = sorted({flag for row in board.rows for flag in row.flags})
    notes = [words.spans("case.note_interval")]
    if flags:
        explained = [
            words.text(
                "case.note_flag",
                name=material.shared("flag", f"{flag}.name"),
                meaning=material.shared("flag", f"{flag}.meaning"),
            )
            for flag in flags
        ]
        notes.append(words.spans("case.note_flags", marks=" ".join(explained)))
    return tuple(notes)


def published_tables(material: Material, board: Board, caption: str) -> tuple[Table, ...]:
    """Return the figures of one source, a row a framework and a column a device; many devices make several tables."""
    devices = list(dict.fromkeys(report_material.marked_row_device(material, row) for row in board.rows))
    parts = [devices[start : start + DEVICES] for start in range(0, len(devices), DEVICES)]
    tables = []
    for number, part in enumerate(parts, start=1):
        ident, title = f"tab-{board.id}", caption
        if len(parts) > 1:
            ident = f"{ident}-{number}"
            title = material.words.text("case.continued", caption=caption, n=str(number), all=str(len(parts)))
        tables.append(_published_table(material, board, part, (ident, title)))
    return tuple(tables)


def _published_table(material: Material, board: Board, devices: list[str], named: tuple[str, str]) -> Table:
    words, (ident, caption) = material.words, named
    rows = [row for row in board.rows if report_material.marked_row_device(material, row) in devices]
    lines = _lines(material, rows)
    values = {device: _values(board, [line[device] for line in lines if device in line]) for device in devices}
    cells: list[tuple[str | Cell, ...]] = []
    for line in lines:
        some = next(iter(line.values()))
        places = dict.fromkeys(board_views.source_line(material.edition, row) for row in line.values())
        numbers = [values[device].pop(0) if device in line else "" for device in devices]
        cells.append((report_material.framework(material, some), *numbers, words.text("comma").join(places)))
    columns = (
        Column(words.text("case.framework"), share=1.5),
        *(Column(device, "right", share=1) for device in devices),
        Column(words.text("case.line"), "right", share=0.8),
    )
    notes = (*report_material.open_note(material, [tuple(devices)]), *_missing_notes(material, rows))
    return Table(ident, caption, columns, tuple(cells), notes)


def _lines(material: Material, rows: Sequence[Row]) -> list[dict[str, Row]]:
    """Return a line a framework, by device; a second figure for the same device begins another line."""
    lines: dict[str, list[dict[str, Row]]] = {}
    for row in rows:
        device = report_material.marked_row_device(material, row)
        mine = lines.setdefault(report_material.framework(material, row), [])
        free = next((line for line in mine if device not in line), None)
        if free is None:
            free = {}
            mine.append(free)
        free[device] = row
    return [line for alike in lines.values() for line in alike]


def _values(board: Board, rows: Sequence[Row]) -> list[Cell]:
    numbers = iter(aligned(board_charts.value_text(board, row) for row in rows if row.estimate))
    return [next(numbers) if row.estimate else Cell((row.raw_text or "–",), role="missing") for row in rows]


def _missing_notes(material: Material, rows: Sequence[Row]) -> tuple[Text, ...]:
    missing = [
        material.words.text(
            "case.missing_cell",
            framework=report_material.framework(material, row),
            device=report_material.marked_row_device(material, row),
            reason=report_material.why_missing(material, row).rstrip(".。"),
        )
        for row in rows
        if row.estimate is None
    ]
    return (
        (material.words.spans("case.note_missing", cells=material.words.text("semicolon").join(missing)),)
        if missing
        else ()
    )
