"""Work on many submission files, on all processors where it is worth starting them."""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from collector.vocabulary import Vocabulary

MANY = 64  # files: fewer are done before other processes have started
Made = TypeVar("Made")


@dataclass(frozen=True)
class Job:
    """A file by the name that it has in problems and by its path; `yours`: one of this machine's own results."""

    file: str
    path: Path
    yours: bool = False


_work: tuple[Callable[[Job, Vocabulary], Any], Vocabulary]  # of a process that was started


def each(work: Callable[[Job, Vocabulary], Made], jobs: Sequence[Job], vocabulary: Vocabulary) -> Iterator[Made]:
    """Yield what `work`, a function of a module, makes of each job, in their order."""
    if len(jobs) < MANY:
        yield from (work(job, vocabulary) for job in jobs)
        return
    with ProcessPoolExecutor(os.cpu_count(), initializer=_start, initargs=(work, vocabulary)) as pool:
        yield from pool.map(_here, jobs, chunksize=16)


def _start(work: Callable[[Job, Vocabulary], Any], vocabulary: Vocabulary) -> None:
    global _work  # noqa: PLW0603 - handed over once, not with every file
    _work = (work, vocabulary)


def _here(job: Job) -> Any:  # noqa: ANN401 - whatever the work makes
    work, vocabulary = _work
    return work(job, vocabulary)
