"""JSON files that are either whole or absent, and locks for what one process at a time may do."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


def write_json(path: Path, document: object) -> None:
    """Write a document so that an interruption leaves the old file or the new one, never half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        fresh.write_text(json.dumps(document, ensure_ascii=False, indent=1, sort_keys=True) + "\n", encoding="utf-8")
        fresh.replace(path)
    except OSError:  # a full disk still lets go of what didn't fit
        fresh.unlink(missing_ok=True)
        raise


def read_json(path: Path) -> Any:  # noqa: ANN401 - whatever JSON can hold
    """Return the document in a file, or None where there is no readable one."""
    try:
        return json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return None


@contextlib.contextmanager
def alone(lock: Path, on_wait: Callable[[], object] = lambda: None) -> Iterator[None]:
    """Let one process at a time go on; `on_wait` is called if another one is inside. A killed process is outside."""
    with lock.open("a", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            on_wait()
            fcntl.flock(file, fcntl.LOCK_EX)
        yield
