"""Rows of a board: figures of one framework release put together, ordered, and placed in tie groups."""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from collector.derive import FLAGS
from collector.estimate import estimate
from collector.rank import places
from collector.relate import identity

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from collector.derive import Figure
    from collector.estimate import Better, Estimate

NOT_STATED = "not stated"


@dataclass(frozen=True)
class Row:
    """A framework release on a device under one comparability key: the median over its submissions.

    Rows with an equal `group` may be compared; `place` and `ratio` (to the best of the group, at most 1) hold within it
    and are None where nothing can be said: no value, fewer than three runs, or a setting that isn't stated.
    """

    group: str | None
    place: int | None
    ratio: float | None
    framework: str
    framework_version: str | None
    api: str | None
    variant: str | None
    language: str | None
    device: str
    device_kind: str
    nodes: int | None
    devices: int | None
    visible_threads: int | None
    threads_per_process: int | None
    precision: str | None
    data_kind: str | None
    batch_level: str | None
    batch_per_device: int | None
    options: str | None  # as JSON with sorted keys
    window: str | None
    option_class: str | None
    outcome: str
    reason: str | None
    limit: str | None
    estimate: Estimate | None
    spread: float | None
    trust: str
    date: str
    yours: bool
    flags: tuple[str, ...]  # short, unsettled, stalls, single, pair, unproved, spread, superlinear
    raw_text: str | None
    source_line: str | None
    source_path: str | None
    submissions: tuple[str, ...]  # ids, the newest reproduced one first


def rows(figures: Sequence[Figure], better: Better, *, compare: bool) -> tuple[Row, ...]:
    """Return the rows of a board by device and key, the best first and missing values last.

    With `compare`, figures of one framework release under one key become one row, and rows under one key get places.
    """
    merged = [(_row(alike, compare=compare), alike) for alike in _alike(figures, compare=compare)]
    merged.sort(key=lambda pair: _order(pair[0], better))
    groups = defaultdict(list)
    for row, alike in merged:
        runs = [figure.runs for figure in alike]
        if row.group and row.estimate and row.estimate.low is not None and min(map(min, runs)) > 0:
            groups[row.group].append((row, runs))
    placed = {id(row): new for group in groups.values() for row, new in _placed(group, better)}
    return tuple(placed.get(id(row), row) for row, _alike in merged)


def _alike(figures: Iterable[Figure], *, compare: bool) -> list[list[Figure]]:
    """Group the figures of one row; one with a setting or a release that isn't stated stays alone."""
    found = defaultdict(list)
    for position, figure in enumerate(figures):
        alone = None if compare and figure.key and figure.cell.stack.framework_version else position
        yours = figure.cell.entry.yours
        found[alone, yours, figure.outcome, figure.reason, identity(figure)].append(figure)
    return [_newest_reproduced_first(row) for row in found.values()]


def _newest_reproduced_first(figures: list[Figure]) -> list[Figure]:
    by_id = sorted(figures, key=lambda figure: (figure.cell.entry.id, figure.cell.position))
    by_date = sorted(by_id, key=lambda figure: figure.date or "", reverse=True)
    return sorted(by_date, key=lambda figure: figure.trust != "reproduced")


def _placed(group: Sequence[tuple[Row, list[tuple[float, ...]]]], better: Better) -> Iterator[tuple[Row, Row]]:
    best = group[0][0].estimate
    found = places([samples for _row, samples in group], better, group[0][0].group or "")
    for place, (row, _samples) in zip(found, group, strict=True):
        if best and row.estimate:
            high, low = (best.value, row.estimate.value) if better == "higher" else (row.estimate.value, best.value)
            yield row, replace(row, place=place, ratio=low / high)


def _order(row: Row, better: Better) -> tuple[object, ...]:
    """Return the sort key; plain code points, so that no locale matters."""
    value = row.estimate.value if row.estimate else 0.0
    names = (row.framework, row.framework_version, row.api, row.variant, row.language)
    return (
        row.group is None,
        row.device_kind,
        row.device,
        row.devices or 0,
        row.group or "",
        row.estimate is None,
        -value if better == "higher" else value,
        *(name or "" for name in names),
        row.yours,
        row.outcome,
        row.submissions,
        row.source_path or "",
        (row.source_line or "").zfill(9),
    )


def _row(figures: Sequence[Figure], *, compare: bool) -> Row:
    """Put the figures of one row together; the first one speaks for what they share."""
    first = figures[0]
    cell, result = first.cell, first.cell.result
    stack, locator = cell.stack, result.locator
    cpu = cell.machine.cpu if cell.device_as_submitted.kind == "cpu" else None
    return Row(
        group=first.key if compare else None,
        place=None,
        ratio=None,
        framework=cell.framework,
        framework_version=stack.framework_version,
        api=stack.api,
        variant=result.variant,
        language=stack.language,
        device=cell.device or NOT_STATED,
        device_kind=cell.device_as_submitted.kind,
        nodes=result.scale.nodes,
        devices=result.scale.devices,
        visible_threads=cpu.visible_threads if cpu else None,
        threads_per_process=result.threads_per_process,
        precision=result.precision,
        data_kind=result.data.kind,
        batch_level=result.batch.level,
        batch_per_device=result.batch.per_device,
        options=json.dumps(result.options, ensure_ascii=False, sort_keys=True) if result.options else None,
        window=result.window,
        option_class=result.class_,
        outcome=first.outcome,
        reason=first.reason,
        limit=result.limit,
        estimate=_estimate(figures),
        spread=_spread(figures),
        trust=first.trust,
        date=max(figure.date or "" for figure in figures),
        yours=cell.entry.yours,
        flags=tuple(name for name in FLAGS if any(name in figure.flags for figure in figures)),
        raw_text=first.raw_text,
        source_line=str(locator.line) if locator and locator.line is not None else None,
        source_path=locator.path if locator else None,
        submissions=tuple(dict.fromkeys(figure.cell.entry.id for figure in figures)),
    )


def _estimate(figures: Sequence[Figure]) -> Estimate | None:
    if len(figures) == 1 or figures[0].estimate is None:
        return figures[0].estimate
    return estimate([figure.runs for figure in figures], figures[0].key or "")


def _spread(figures: Sequence[Figure]) -> float | None:
    """Return the largest variation within a submission: between submissions it is another thing."""
    return max((found for figure in figures if (found := figure.spread) is not None), default=None)
