"""The log of a run: what it says last, and its end, of however much there is."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_LAST_LINES, _LINE_LENGTH, _TAIL_BYTES = 5, 300, 1 << 16


def last_words(log: Path) -> str:
    """Return what stands at the end of a log, as the end of a sentence."""
    lines = [line.strip()[:_LINE_LENGTH] for line in tail(log) if line.strip()]
    fatal = [place for place, line in enumerate(lines) if line.startswith("Fatal Python error")]
    # The interpreter's own account begins with the cause; anything else ends with it.
    last = lines[fatal[-1] :][:_LAST_LINES] if fatal else lines[-_LAST_LINES:]
    return f"; its last words: {json.dumps(' / '.join(last), ensure_ascii=False)}." if last else "; its log is empty."


def tail(log: Path) -> list[str]:
    """Return the last lines of a log, less the line of our own at its head."""
    size = log.stat().st_size
    with log.open("rb") as content:
        content.seek(max(0, size - _TAIL_BYTES))
        lines = content.read().decode("utf-8", "replace").splitlines()
    return lines if size > _TAIL_BYTES else lines[1:]
