"""Leaderboards: comparable results side by side, with tie groups instead of false precision."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collector.estimate import Estimate


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
    flags: tuple[str, ...]  # short, unsettled, stalls, single, pair, unproved, spread
    raw_text: str | None
    source_line: str | None
    source_path: str | None
    submissions: tuple[str, ...]  # ids, the newest reproduced one first


@dataclass(frozen=True)
class Board:
    """All rows of one workload and metric: measured ones, or the published ones of one source and data kind."""

    id: str  # stable: used as anchor and file name
    workload: str
    metric: str
    unit: str
    better: Literal["higher", "lower"]
    published: bool
    source_title: str | None
    source_url: str | None
    data_kind: str | None
    rows: tuple[Row, ...]
