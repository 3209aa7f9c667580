"""Rows of a board: results of one framework release put together, ordered, and placed in tie groups."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from collector.derive import FLAGS
from collector.estimate import Estimate, estimate
from collector.rank import places
from collector.relate import identity

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from collector.estimate import Better
    from collector.tabulate import Record

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


SHARED = (
    "framework", "framework_version", "api", "variant", "language", "device_kind", "nodes", "devices", "visible_threads",
    "threads_per_process", "precision", "data_kind", "batch_level", "batch_per_device", "options", "window", "outcome",
    "reason", "limit", "trust", "yours", "raw_text", "source_line", "source_path",
)  # fmt: skip


def rows(records: Sequence[Record], better: Better, *, compare: bool) -> tuple[Row, ...]:
    """Return the rows of a board by device and key, the best first and missing values last.

    With `compare`, results of one framework release under one key become one row, and rows under one key get places.
    """
    merged = [(_row(alike, compare=compare), alike) for alike in _alike(records, compare=compare)]
    merged.sort(key=lambda pair: _order(pair[0], better))
    groups = defaultdict(list)
    for row, alike in merged:
        runs = [_runs(record) for record in alike]
        if row.group and row.estimate and row.estimate.low is not None and min(map(min, runs)) > 0:
            groups[row.group].append((row, runs))
    placed = {id(row): new for group in groups.values() for row, new in _placed(group, better)}
    return tuple(placed.get(id(row), row) for row, _alike in merged)


def _alike(records: Iterable[Record], *, compare: bool) -> list[list[Record]]:
    """Group the results of one row; one with a setting or a release that isn't stated stays alone."""
    found = defaultdict(list)
    for position, record in enumerate(records):
        alone = None if compare and record["key"] and record["framework_version"] else position
        found[alone, record["yours"], record["outcome"], record["reason"], identity(record)].append(record)
    return [_newest_reproduced_first(row) for row in found.values()]


def _newest_reproduced_first(records: list[Record]) -> list[Record]:
    by_id = sorted(records, key=lambda record: (record["submission"], record["result"]))
    by_date = sorted(by_id, key=lambda record: record["date"] or "", reverse=True)
    return sorted(by_date, key=lambda record: record["trust"] != "reproduced")


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


def _row(records: Sequence[Record], *, compare: bool) -> Row:
    """Put results together; the first one speaks for what they share."""
    first = records[0]
    flags = {flag for record in records for flag in (record["flags"] or "").split()}
    return Row(
        group=first["key"] if compare else None,
        place=None,
        ratio=None,
        device=first["device"] or NOT_STATED,
        option_class=first["class"],
        estimate=_estimate(records),
        spread=_spread(records),
        date=max(record["date"] or "" for record in records),
        flags=tuple(name for name in FLAGS if name in flags),
        submissions=tuple(dict.fromkeys(record["submission"] for record in records)),
        **{name: first[name] for name in SHARED},
    )


def _estimate(records: Sequence[Record]) -> Estimate | None:
    first = records[0]
    if first["value"] is None:
        return None
    if len(records) == 1:
        return Estimate(first["value"], first["low"], first["high"], first["runs"] or 1)
    return estimate([_runs(record) for record in records], first["key"] or "")


def _runs(record: Record) -> tuple[float, ...]:
    return tuple(map(float, (record["run_values"] or "").split()))


def _spread(records: Sequence[Record]) -> float | None:
    """Return the largest variation within a submission: between submissions it is another thing."""
    return max((record["spread"] for record in records if record["spread"] is not None), default=None)
