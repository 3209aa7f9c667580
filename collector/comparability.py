"""The comparability key: two results compare only if every part of it is stated and equal (docs: method page)."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collector.normalise import Cell


def key(cell: Cell, metric: str) -> str | None:
    """Return the key as readable text, or None if a part isn't stated."""
    parts = setting(cell, metric)
    return None if None in parts.values() else text(parts)


def baseline_key(cell: Cell, metric: str) -> str | None:
    """Return the key of the one-device cell that speedup refers to."""
    parts = setting(cell, metric) | {"nodes": 1, "devices": 1}
    return None if None in parts.values() else text(parts)


def setting(cell: Cell, metric: str) -> dict[str, Any]:
    """Return every part of the key by name; None is what isn't stated."""
    result, cpu = cell.result, cell.machine.cpu
    parts: dict[str, Any] = {
        "workload": result.workload,
        "version": result.workload_version,
        "mode": result.mode,
        "metric": metric,
        "precision": result.precision,
        "data": result.data.kind,
        "batch": result.batch.per_device,
        "accumulation": result.batch.accumulation,
        "nodes": result.scale.nodes,
        "devices": result.scale.devices,
        "device": cell.device if cell.variant_stated else None,
        "threads": result.threads_per_process,
        "window": result.window,
        "class": result.class_,
    }
    if cell.device_as_submitted.kind == "cpu":
        parts["visible_threads"] = cpu.visible_threads if cpu else None
    if result.class_ == "tuned":
        parts["options"] = result.options
    return parts


def text(parts: dict[str, Any]) -> str:
    """Return parts as one line; JSON values keep it unambiguous whatever a name holds."""
    return " ".join(f"{name}={_written(part)}" for name, part in parts.items())


def _written(part: object) -> str:
    return _json(part) if isinstance(part, dict) else _scalar(part)


@lru_cache(maxsize=4096, typed=True)  # 1, 1.0 and true are equal, and written differently
def _scalar(part: object) -> str:
    return _json(part)


def _json(part: object) -> str:
    return json.dumps(part, ensure_ascii=False, sort_keys=True)
