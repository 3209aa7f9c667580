"""JSON files that are either whole or absent."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path


def write_json(path: Path, document: object) -> None:
    """Write a document so that an interruption leaves the old file or the new one, never half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    fresh.write_text(json.dumps(document, ensure_ascii=False, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    fresh.replace(path)


def read_json(path: Path) -> Any:  # noqa: ANN401 - whatever JSON can hold
    """Return the document in a file, or None where there is no readable one."""
    try:
        return json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return None
