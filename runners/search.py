"""The largest batch that a device has room for (protocol P7): doubling, then even steps.

Every try is a run of its own cell, kept like any other: the search goes on where it was interrupted, and what it measured
of the batch that it found counts as the first run there.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from runners import finished, suite
from runners.plan import Search

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from collector import schema
    from runners.finished import Finished
    from runners.plan import Cell
    from runners.suite import Display, Suite

STEP, STEPS = 8, {"bert-base": 4}
# How frameworks and the system end a process without any exception when memory runs out.
_LAST_WORDS = ("SIGKILL", "bad_alloc", "annot allocate memory", "ut of memory")


def resolved(made: Suite, describe: Callable[[str], schema.Machine], display: Display, bound: int | None) -> Suite:
    """Return a suite whose cells of level `max` have a batch: the largest that works at every scale of their row set."""
    cells = list(made.cells)
    for places in _row_sets(cells):
        members = [cells[place] for place in places]
        step = STEPS.get(members[0].workload.id, STEP)
        size, search = largest(lambda size, m=members: _works(made, m, size, describe, display), step, bound)  # type: ignore[misc]
        for place in places:
            cells[place] = replace(cells[place], per_device=size, search=search)
    return replace(made, cells=tuple(cells))


def largest(works: Callable[[int], bool | None], step: int, bound: int | None = None) -> tuple[int, Search | None]:
    """Return the largest size that works and how it was found; `works` tells False where memory runs out.

    Where something else is wrong it tells None: then that size is returned, and there is no search to speak of. So is 1,
    where not even that works.
    """
    good, bad = 0, None
    while size := _following(good, bad, step, bound):
        answer = works(size)
        if answer is None:
            return size, None
        good, bad = (size, bad) if answer else (good, size)
    return good or 1, Search(step, bad)


def _following(good: int, bad: int | None, step: int, bound: int | None) -> int | None:
    """Return the size to try when `good` is the largest that worked and `bad` the smallest that did not."""
    if bad is not None:
        return good + step if good + step < bad else None
    size = max(1, 2 * good)
    size = size if bound is None else min(size, bound)
    return size if size > good else None


def _row_sets(cells: Sequence[Cell]) -> list[list[int]]:
    """Return the positions of cells of level `max`, those together that differ in scale alone."""
    sets: dict[tuple[str, ...], list[int]] = {}
    for place, cell in enumerate(cells):
        if cell.level == "max":
            key = (cell.framework.id, cell.workload.id, cell.precision, cell.data)
            sets.setdefault(key, []).append(place)
    return list(sets.values())


def _works(
    made: Suite, members: Sequence[Cell], size: int, describe: Callable[[str], schema.Machine], display: Display
) -> bool | None:
    for member in members:
        ended = _tried(made, replace(member, per_device=size), describe, display)
        if ended.outcome != "ok":
            return False if _ran_out(ended) else None
    return True


def _tried(made: Suite, cell: Cell, describe: Callable[[str], schema.Machine], display: Display) -> Finished:
    (identity,) = suite.identities(replace(made, cells=(cell,)), describe)
    before = None if made.fresh else finished.read(finished.path(made.folder / "runs", identity, 1))
    if before and (before.outcome == "ok" or _ran_out(before) or not made.retry):
        return before
    display.started(cell, 1, cell.profile.runs, None)
    ended = suite.measure_one(made, cell, identity, 1, display)
    display.ended(ended)
    return ended


def _ran_out(ended: Finished) -> bool:
    """Tell whether memory ran out, also where only the manner of the end says so."""
    killed = ended.outcome == "crashed" and any(words in (ended.reason or "") for words in _LAST_WORDS)
    return ended.outcome == "oom" or killed
