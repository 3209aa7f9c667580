"""What a leaderboard page shows, every word and number ready to print."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from collector.schema import ID_DIGITS
from sitegen import board_charts, figures, labels
from sitegen.tables import Cell, Chip, Heading, Table, number_cell, text_cell

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from collector.boards import Board, Row
    from sitegen.charts import Chart
    from sitegen.labels import Edition


@dataclass(frozen=True)
class Section:
    """A table with its chart: entries that compare, or the table of a source."""

    id: str
    title: str
    note: str
    link: str | None
    settings: tuple[tuple[str, str], ...]
    chart: Chart
    table: Table


@dataclass(frozen=True)
class Digest:
    """What stands on a workload's page for a source's long table, which has a page of its own."""

    title: str
    link: str
    extent: str


@dataclass(frozen=True)
class WorkloadPage:
    title: str
    task: str
    facts: tuple[tuple[str, str], ...]
    measured: tuple[Section, ...]
    published: tuple[Section, ...]
    digests: tuple[Digest, ...]


@dataclass(frozen=True)
class SourcePage:
    """The page of a source's long table."""

    title: str
    lead: str
    back: tuple[str, str]
    section: Section


def workload_page(
    edition: Edition, workload: str, boards: Sequence[Board], cite: Callable[[Row], str | None]
) -> WorkloadPage:
    """Return the page of a workload from its boards; `cite` gives a row's address in its source."""
    known = edition.vocabulary.workloads[workload]
    mine = [board for board in boards if board.workload == workload]
    measured = [board for board in mine if not board.published]
    return WorkloadPage(
        title=known.title[edition.language],
        task=known.task[edition.language],
        facts=_facts(edition, workload),
        measured=tuple(section for board in measured for section in _measured_sections(edition, board)),
        published=tuple(
            _published_section(edition, board, cite) for board in mine if board.published and not board.long
        ),
        digests=tuple(_digest(edition, board) for board in mine if board.long),
    )


def source_page(edition: Edition, board: Board, cite: Callable[[Row], str | None]) -> SourcePage:
    """Return the page of a source's long table."""
    title = labels.workload_title(edition, board.workload)
    return SourcePage(
        title=f"{title} · {_published_title(edition, board)}",
        lead=_extent(edition, board),
        back=(title, f"workloads/{board.workload}/"),
        section=_published_section(edition, board, cite),
    )


def source_address(board: Board) -> str:
    """Return the address of a long table's page below the language's folder, without a slash at the end."""
    return f"workloads/{board.workload}/{board.id.removeprefix(f'{board.workload}-')}"


def _digest(edition: Edition, board: Board) -> Digest:
    title = f"{_published_title(edition, board)} · {labels.metric_title(edition, board.metric)}"
    return Digest(title=title, link=f"{source_address(board)}/", extent=_extent(edition, board))


def _extent(edition: Edition, board: Board) -> str:
    counts = {
        "figures": sum(row.estimate is not None for row in board.rows),
        "devices": len({row.device for row in board.rows}),
        "frameworks": len({row.framework for row in board.rows}),
    }
    return edition.words("site.board.extent", **{name: f"{count:,}" for name, count in counts.items()})


def kept_apart(edition: Edition, board: Board) -> list[str]:
    """Return what a source's boards are kept apart by, as far as it is stated: data, precision, mode."""
    named = (("data_kind", board.data_kind), ("precision", board.precision), ("mode", board.mode))
    return [edition.words.named(group, value) for group, value in named if value is not None]


def _published_title(edition: Edition, board: Board) -> str:
    """Return a source's title with what its boards are kept apart by."""
    words, parts = edition.words, kept_apart(edition, board)
    title = board.source_title or words("shared.not_stated")
    return words("site.board.published_data", title=title, data=" · ".join(parts)) if parts else title


def submission_link(submission: str) -> str:
    """Return a submission's address below the language's folder."""
    return f"submissions/{submission[:ID_DIGITS]}/"


def trust_chip(edition: Edition, trust: str) -> Chip:
    """Return the mark of a trust level."""
    return _chip(edition, "trust", trust, tone=trust)


def flag_chip(edition: Edition, flag: str) -> Chip:
    """Return the mark of a flag."""
    return _chip(edition, "flag", flag, tone="flag")


def groups(board: Board) -> Mapping[str | None, list[Row]]:
    """Return the rows of a board by comparability, those that compare with nothing last."""
    found: dict[str | None, list[Row]] = {}
    for row in board.rows:
        found.setdefault(row.group, []).append(row)
    alone = found.pop(None, None)
    return found if alone is None else {**found, None: alone}


def _chip(edition: Edition, kind: str, name: str, *, tone: str) -> Chip:
    text = edition.words.named(kind, f"{name}.name")
    meaning = edition.words.named(kind, f"{name}.meaning")
    return Chip(text=text, meaning=meaning, tone=tone, link=f"glossary/#{kind}-{name}")


def _facts(edition: Edition, workload: str) -> tuple[tuple[str, str], ...]:
    words, known = edition.words, edition.vocabulary.workloads[workload]
    facts = [
        ("metric", labels.metric_title(edition, known.metric)),
        ("mode", words.named("mode", known.mode)),
        ("parameters", " / ".join(f"{count:,}" for count in known.parameters)),
        ("work", words("site.board.work_value", value=figures.large(known.multiply_adds))),
        ("batch", str(known.batch["same"])),
    ]
    if known.expected_loss is not None:
        facts.append(("expected_loss", figures.measured(known.expected_loss)))
    if known.accuracy is not None:
        metric = labels.metric_title(edition, known.accuracy.metric)
        values = {"low": figures.printed(known.accuracy.low), "high": figures.printed(known.accuracy.high)}
        facts.append(("quality", words("site.board.quality_value", metric=metric, **values)))
    return tuple((words(f"site.board.{key}"), value) for key, value in facts)


def _measured_sections(edition: Edition, board: Board) -> list[Section]:
    return [
        _measured_section(edition, board, rows, number, comparable=group is not None)
        for number, (group, rows) in enumerate(groups(board).items(), start=1)
    ]


def _measured_section(edition: Edition, board: Board, rows: list[Row], number: int, *, comparable: bool) -> Section:
    words = edition.words
    anchor = f"{board.id}-{number}"
    metric = labels.metric_title(edition, board.metric)
    device = labels.device_name(edition, rows[0].device, rows[0].devices)
    keys = ("framework", "value", "runs", "ratio", "spread", "date", "trust", "notes", "submission")
    numeric = {"place", "value", "runs", "ratio", "spread"}
    places = [row.place for row in rows]
    return Section(
        id=anchor,
        title=f"{device} · {metric}" if comparable else metric,
        note=words("site.board.group_lock" if comparable else "site.board.group_open"),
        link=None,
        settings=labels.settings(edition, rows[0]) if comparable else (),
        chart=board_charts.measured_chart(edition, board, rows, f"fig-{anchor}"),
        table=Table(
            id=f"m{number}-{board.metric}",
            caption=labels.caption(edition, board),
            headings=tuple(Heading(key, words(f"site.board.{key}"), key in numeric) for key in ("place", *keys)),
            rows=tuple(_measured_cells(edition, board, row, places) for row in rows),
        ),
    )


def _measured_cells(edition: Edition, board: Board, row: Row, places: list[int | None]) -> tuple[Cell, ...]:
    words, estimate = edition.words, row.estimate
    ratio = None if estimate is None else row.ratio
    chips = tuple(flag_chip(edition, flag) for flag in row.flags)
    if row.yours:
        chips = (Chip(words("shared.yours"), words("shared.yours"), "yours"), *chips)
    return (
        _place_cell(edition, row.place, places),
        text_cell(labels.row_title(edition, row), detail=labels.row_detail(edition, row)),
        _value_cell(edition, board, row),
        number_cell(estimate.n, str(estimate.n)) if estimate else Cell(),
        number_cell(
            ratio, "" if ratio is None else f"{ratio:.2f}", bar=None if ratio is None else f"{ratio * 100:.1f}%"
        ),
        number_cell(row.spread, "" if row.spread is None else figures.percent(row.spread)),
        text_cell(row.date),
        Cell(sort=row.trust, chips=(trust_chip(edition, row.trust),)),
        Cell(text="" if estimate else (row.reason or ""), chips=chips, sort=" ".join(row.flags) or None),
        _submissions_cell(row),
    )


def _place_cell(edition: Edition, place: int | None, places: list[int | None]) -> Cell:
    if place is None:
        return Cell(text=edition.words("shared.none"), missing=True)
    tied = places.count(place) > 1
    text = edition.words("site.board.place_tied", place=place) if tied else str(place)
    return number_cell(place, text)


def _value_cell(edition: Edition, board: Board, row: Row) -> Cell:
    if row.estimate is None:
        return Cell(chips=(_chip(edition, "outcome", row.outcome, tone="outcome"),), missing=True)
    unit = labels.unit_name(edition, board.unit, board.workload)
    text = f"{board_charts.value_text(board, row)}{figures.NBSP}{unit}"
    return number_cell(row.estimate.value, text, detail=interval(row))


def interval(row: Row) -> str:
    """Return the 95 % interval of a row with the digits of its value, or nothing."""
    if row.estimate is None or row.estimate.low is None or row.estimate.high is None:
        return ""
    places = figures.decimals(row.estimate.value)
    return f"{figures.fixed(row.estimate.low, places)} – {figures.fixed(row.estimate.high, places)}"


def _submissions_cell(row: Row) -> Cell:
    if not row.submissions:
        return Cell()
    newest, others = row.submissions[0], len(row.submissions) - 1
    return text_cell(newest[:ID_DIGITS], detail=f"+{others}" if others else "", link=submission_link(newest))


def _published_section(edition: Edition, board: Board, cite: Callable[[Row], str | None]) -> Section:
    words = edition.words
    keys = ("framework", "value", "device", "settings", "raw", "citation", "notes", "submission")
    return Section(
        id=board.id,
        title=_published_title(edition, board),
        note=words("site.board.published_note"),
        link=board.source_url,
        settings=(),
        chart=board_charts.published_chart(edition, board, f"fig-{board.id}"),
        table=Table(
            id=f"p-{board.id}",
            caption=labels.caption(edition, board),
            headings=tuple(Heading(key, words(f"site.board.{key}"), key == "value") for key in keys),
            rows=tuple(_published_cells(edition, board, row, cite) for row in board.rows),
        ),
    )


def _published_cells(edition: Edition, board: Board, row: Row, cite: Callable[[Row], str | None]) -> tuple[Cell, ...]:
    return (
        text_cell(labels.row_title(edition, row), detail=labels.row_detail(edition, row)),
        _value_cell(edition, board, row),
        text_cell(labels.device_name(edition, row.device, row.devices)),
        text_cell(labels.short_settings(edition, row)),
        text_cell(row.raw_text or ""),
        text_cell(source_line(edition, row), link=cite(row)),
        Cell(text="" if row.estimate else (row.reason or "")),
        _submissions_cell(row),
    )


def source_line(edition: Edition, row: Row) -> str:
    """Return where a figure stands in its source: path and line."""
    if row.source_path is None:
        return edition.words("shared.not_stated")
    if row.source_line is None:
        return row.source_path
    return edition.words("site.board.line", path=row.source_path, line=row.source_line)
