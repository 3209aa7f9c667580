"""What the home page shows: for each workload the best entry of each device, measured first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sitegen import board_charts, figures, labels
from sitegen.views.board import groups, interval, kept_apart, source_address, submission_link, trust_chip

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from collector.boards import Board, Row
    from sitegen.labels import Edition
    from sitegen.tables import Chip

ANSWERS = 6  # of one kind per workload; a longer list is no answer


@dataclass(frozen=True)
class Strip:
    """All values of a device on one line from 0; dots as (position in percent, is it the answer), none for a lone value.

    `better` is the end that is faster, `hint` says so.
    """

    alt: str
    better: str
    hint: str
    dots: tuple[tuple[str, bool], ...]


@dataclass(frozen=True)
class Answer:
    """The best entry on one device, with what one must know to believe it."""

    device: str
    metric: str
    name: str
    tie: str
    value: str
    unit: str
    interval: str
    evidence: str
    date: str
    trust: Chip
    yours: bool
    link: str
    submission: str | None
    strip: Strip


@dataclass(frozen=True)
class Card:
    title: str
    task: str
    link: str
    measured: tuple[Answer, ...]
    published: tuple[Answer, ...]
    more: str


@dataclass(frozen=True)
class HomePage:
    counts: str
    cards: tuple[Card, ...]
    empty: tuple[Card, ...]


def home_page(edition: Edition, boards: Sequence[Board], newest: str) -> HomePage:
    """Return the home page; workloads without any result come apart."""
    shown = [key for key, workload in edition.vocabulary.workloads.items() if workload.board]
    cards = [_card(edition, workload, boards) for workload in shown]
    rows = [(board, row) for board in boards for row in board.rows]
    counts = edition.words(
        "site.home.counts",
        workloads=len(shown),
        measured=sum(not board.published for board, _row in rows),
        published=sum(board.published for board, _row in rows),
        frameworks=len({row.framework for _board, row in rows}),
        date=newest,
    )
    return HomePage(
        counts=counts if newest else edition.words("site.footer_empty"),
        cards=tuple(sorted((c for c in cards if c.measured or c.published), key=lambda card: not card.measured)),
        empty=tuple(card for card in cards if not card.measured and not card.published),
    )


def _card(edition: Edition, workload: str, boards: Sequence[Board]) -> Card:
    known = edition.vocabulary.workloads[workload]
    speeds = (known.metric, known.fixed_metric)
    mine = [board for board in boards if board.workload == workload and board.metric in speeds]
    measured = [answer for board in mine if not board.published for answer in _measured(edition, board)]
    published = list(_published(edition, [board for board in mine if board.published]))
    hidden = max(0, len(measured) - ANSWERS) + max(0, len(published) - ANSWERS)
    return Card(
        title=known.title[edition.language],
        task=known.task[edition.language],
        link=f"workloads/{workload}/",
        measured=tuple(measured[:ANSWERS]),
        published=tuple(published[:ANSWERS]),
        more=edition.words("site.home.more", count=hidden) if hidden else "",
    )


def _measured(edition: Edition, board: Board) -> Iterator[Answer]:
    for number, (group, rows) in enumerate(groups(board).items(), start=1):
        leader = board_charts.best(board, rows)
        if group is None or leader is None:
            continue
        ties = [row for row in rows if row is not leader and row.place is not None and row.place == leader.place]
        link = f"workloads/{board.workload}/#{board.id}-{number}"
        yield _answer(edition, board, leader, rows, link, ties)


def _published(edition: Edition, boards: Sequence[Board]) -> Iterator[Answer]:
    """Yield the best of each device in each source, those of single devices first."""
    found: dict[tuple[str, str, int | None], tuple[Board, list[Row]]] = {}
    for board in boards:
        for row in board.rows:
            found.setdefault((board.id, row.device, row.devices), (board, []))[1].append(row)
    for board, rows in sorted(found.values(), key=lambda group: group[1][0].devices or 0):
        leader = board_charts.best(board, rows)
        if leader is None:
            continue
        ties = [row for row in rows if row is not leader and row.estimate == leader.estimate]
        link = f"{source_address(board)}/" if board.long else f"workloads/{board.workload}/#{board.id}"
        yield _answer(edition, board, leader, rows, link, ties)


def _answer(edition: Edition, board: Board, leader: Row, rows: Sequence[Row], link: str, ties: list[Row]) -> Answer:
    words = edition.words
    tie = words("site.home.tie", names=", ".join(labels.row_label(edition, row) for row in ties)) if ties else ""
    device = labels.device_name(edition, leader.device, leader.devices)
    metric = " · ".join([words.named("metric_short", board.metric), *_told_apart(edition, board, leader)])
    return Answer(
        device=device,
        metric=metric,
        name=labels.row_label(edition, leader),
        tie=tie,
        value=board_charts.value_text(board, leader),
        unit=labels.unit_name(edition, board.unit, board.workload),
        interval=interval(leader),
        evidence=_evidence(edition, board, leader, rows),
        date=leader.date,
        trust=trust_chip(edition, leader.trust),
        yours=leader.yours,
        link=link,
        submission=submission_link(leader.submissions[0]) if leader.submissions else None,
        strip=_strip(edition, board, leader, rows, device),
    )


def _told_apart(edition: Edition, board: Board, leader: Row) -> list[str]:
    """Return what tells an answer from others on its device: of a source's table its settings, else the batch size."""
    if board.published or leader.batch_per_device is None:
        return kept_apart(edition, board)
    return [edition.words("site.board.batch_of", count=leader.batch_per_device)]


def _evidence(edition: Edition, board: Board, leader: Row, rows: Sequence[Row]) -> str:
    if board.published or leader.estimate is None:
        count = sum(row.estimate is not None for row in rows)
        return edition.words("site.home.among_one" if count == 1 else "site.home.among", count=count)
    runs = leader.estimate.n
    text = edition.words("site.home.of_run" if runs == 1 else "site.home.of_runs", n=runs)
    return text if leader.place is not None else f"{text} {edition.words('site.home.unranked')}"


def _strip(edition: Edition, board: Board, leader: Row, rows: Sequence[Row], device: str) -> Strip:
    valued = [(row, row.estimate.value) for row in rows if row.estimate is not None]
    values = [value for _row, value in valued]
    scale = max(values) or 1.0
    alt = edition.words(
        "site.home.strip",
        device=device,
        count=len(values),
        low=figures.printed(float(f"{min(values):.4g}")),
        high=figures.printed(float(f"{max(values):.4g}")),
        unit=labels.unit_name(edition, board.unit, board.workload),
    )
    # the answer's dot is drawn last, above the others
    ordered = sorted(valued, key=lambda pair: pair[0] is leader)
    dots = tuple((f"{value / scale * 100:.1f}%", row is leader) for row, value in ordered)
    return Strip(
        alt=alt,
        better=board.better,
        hint=edition.words(f"site.home.strip_{board.better}"),
        dots=dots if len(dots) > 1 else (),
    )
