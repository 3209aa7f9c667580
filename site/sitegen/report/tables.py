"""The report's tables of boards: measured results by setting, published figures as their source arranges them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitegen import board_charts, figures, labels
from sitegen.report import naming
from sitegen.report.blocks import Cell, Column, Table
from sitegen.views import board as board_views

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from collector.boards import Board, Row
    from sitegen.report.blocks import Text
    from sitegen.report.material import Material

DEVICES = 4  # columns of devices that a page is wide enough for
Line = tuple[str | Cell, ...]


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


def group(title: str, text: str, span: int) -> Line:
    """Return the line that stands over the rows which share what it says."""
    return (Cell((title, text), span=span, role="group"),)


def measured_table(material: Material, board: Board) -> Table:
    """Return the measured results of a board, each setting under its own heading."""
    words = material.words
    keys = ("place", "framework", "value", "interval", "runs", "spread", "ratio", "day", "trust")
    titles = {key: words.text(f"case.{key}") for key in keys if key != "value"}
    titles["value"] = naming.unit(material, board)
    shares = {"place": 0.55, "framework": 1.65, "value": 0.95, "interval": 1.35, "runs": 0.6, "spread": 0.75}
    shares |= {"ratio": 0.6, "day": 1.1, "trust": 1.9}  # none fits itself: a long reason that spans would widen it
    right = ("value", "interval", "runs", "spread", "ratio")
    columns = tuple(Column(titles[key], "right" if key in right else "left", shares[key]) for key in keys)
    rows: list[Line] = []
    for number, (key, alike) in enumerate(board_views.groups(board).items(), start=1):
        title = words.text("case.setting", n=str(number)) + words.text("colon")
        settings = words.text("case.group_open") if key is None else _settings(material, alike[0])
        rows += [group(title, settings, len(keys)), *_measured_rows(material, board, alike)]
    caption = words.text(
        "case.caption_measured",
        case=naming.case_title(material, board.workload),
        metric=naming.metric_with_unit(material, board),
    )
    return Table(f"tab-{board.id}", caption, columns, tuple(rows), _measured_notes(material, board))


def _settings(material: Material, row: Row) -> str:
    words = material.words
    stated = labels.settings(material.edition, row)
    parts = [f"{label}{words.text('colon')}{value}" for label, value in stated]
    return words.text("semicolon").join([naming.row_device(material, row), *parts])


def _measured_rows(material: Material, board: Board, rows: Sequence[Row]) -> list[Line]:
    values = iter(aligned(board_charts.value_text(board, row) for row in rows if row.estimate))
    found: list[Line] = []
    for row in rows:
        name = naming.framework(material, row)
        if row.estimate is None:
            found.append(("–", name, Cell((naming.why_missing(material, row),), span=7, role="missing")))
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
    marked = any(row.flags for row in board.rows)
    return (words.spans("case.note_interval"), *([words.spans("case.note_marks")] if marked else []))


def published_tables(material: Material, board: Board, caption: str) -> tuple[Table, ...]:
    """Return the figures of one source, a row a framework and a column a device; many devices make several tables."""
    devices = list(dict.fromkeys(naming.marked_row_device(material, row) for row in board.rows))
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
    rows = [row for row in board.rows if naming.marked_row_device(material, row) in devices]
    lines = _lines(material, rows)
    values = {device: value_cells(board, [line[device] for line in lines if device in line]) for device in devices}
    cells: list[Line] = []
    for line in lines:
        some = next(iter(line.values()))
        places = dict.fromkeys(board_views.source_line(material.edition, row) for row in line.values())
        numbers = [values[device].pop(0) if device in line else "" for device in devices]
        cells.append((naming.framework(material, some), *numbers, words.text("comma").join(places)))
    columns = (
        Column(words.text("case.framework"), share=1.5),
        *(Column(device, "right", share=1) for device in devices),
        Column(words.text("case.line"), "right", share=0.8),
    )
    notes = (*naming.open_note(material, [tuple(devices)]), *_missing_notes(material, rows))
    return Table(ident, caption, columns, tuple(cells), notes)


def ranges_table(material: Material, board: Board, caption: str, by_device: Mapping[str, Sequence[Row]]) -> Table:
    """Return how many figures a source has for each device and number of them, and the ends of their range."""
    lines = range_lines(material, by_device)
    notes = naming.open_note(material, lines)
    return Table(f"tab-{board.id}", caption, range_columns(material), tuple(lines), notes)


def range_columns(material: Material) -> tuple[Column, ...]:
    """Return the columns of a table of ranges."""
    words = material.words
    return (
        Column(words.text("summary.device"), share=2),
        *(Column(words.text(f"summary.{key}"), "right", share=1) for key in ("number", "none", "lowest", "highest")),
    )


def range_lines(material: Material, by_device: Mapping[str, Sequence[Row]]) -> list[Line]:
    """Return a line a device: how many figures, how many cells without one, the lowest and the highest."""
    ends = [sorted(row.estimate.value for row in rows if row.estimate) for rows in by_device.values()]
    lows = iter(aligned(figures.printed(values[0]) for values in ends if values))
    highs = iter(aligned(figures.printed(values[-1]) for values in ends if values))
    lines: list[Line] = []
    for rows, values in zip(by_device.values(), ends, strict=True):
        missing = str(len(rows) - len(values)) if len(rows) > len(values) else "–"
        limits = (next(lows), next(highs)) if values else ("–", "–")
        lines.append((naming.marked_row_device(material, rows[0]), str(len(values)), missing, *limits))
    return lines


def _lines(material: Material, rows: Sequence[Row]) -> list[dict[str, Row]]:
    """Return a line a framework, by device; a second figure for the same device begins another line."""
    lines: dict[str, list[dict[str, Row]]] = {}
    for row in rows:
        device = naming.marked_row_device(material, row)
        mine = lines.setdefault(naming.framework(material, row), [])
        free = next((line for line in mine if device not in line), None)
        if free is None:
            free = {}
            mine.append(free)
        free[device] = row
    return [line for alike in lines.values() for line in alike]


def value_cells(board: Board, rows: Sequence[Row], missing: str | None = None) -> list[Cell]:
    """Return the values of rows with their points in one line; `missing`, or what the source prints, where none is."""
    numbers = iter(aligned(board_charts.value_text(board, row) for row in rows if row.estimate))
    return [next(numbers) if row.estimate else Cell((missing or row.raw_text or "–",), role="missing") for row in rows]


def _missing_notes(material: Material, rows: Sequence[Row]) -> tuple[Text, ...]:
    missing = [
        material.words.text(
            "case.missing_cell",
            framework=naming.framework(material, row),
            device=naming.marked_row_device(material, row),
            reason=naming.why_missing(material, row).rstrip(".。"),
        )
        for row in rows
        if row.estimate is None
    ]
    return (
        (material.words.spans("case.note_missing", cells=material.words.text("semicolon").join(missing)),)
        if missing
        else ()
    )
