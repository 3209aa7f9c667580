"""Show a suite at work: a bar on a terminal, few plain lines elsewhere."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rich.console import Group
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from rich.console import Console
    from rich.live import Live

    from runners.finished import Finished
    from runners.plan import Cell

_REDRAW_SECONDS = 0.5  # drawing takes time from the job that is being measured
_LINE_SECONDS = 10.0
_BAR_WIDTH = 24
_SECONDS = {"s": 1, "min": 60, "h": 3600}
_FORMS = ((10, "{:.1f} s"), (120, "{:.0f} s"), (7200, "{:.0f} min"))


@dataclass
class _Watch:
    """The run that is being shown, and since when its steps count."""

    title: str = ""
    steps: int = 0
    left_seconds: float | None = None
    began: float = field(default_factory=time.monotonic)
    phase: str = ""
    phase_began: float = 0.0
    phase_first_step: int = 0
    shown: float = -math.inf

    def enter(self, phase: str, done: int) -> bool:
        """Take note of the phase; tell whether it is a new one."""
        if phase == self.phase:
            return False
        self.phase, self.phase_began, self.phase_first_step = phase, time.monotonic(), done
        return True

    def state(self, done: int) -> str:
        """Return phase, step, rate and time left in words."""
        now = time.monotonic()
        parts = [self.phase]
        if done:
            parts.append(f"step {done}/{self.steps}")
        if (stepped := done - self.phase_first_step) > 0 and now > self.phase_began:
            parts.append(f"{stepped / (now - self.phase_began):.1f} steps/s")
        if self.left_seconds is not None:
            parts.append(f"{duration(max(0.0, self.left_seconds - (now - self.began)))} left")
        return " · ".join(parts)

    def due(self, seconds: float) -> bool:
        """Tell whether so much time has passed since the last line, and count from now if so."""
        now = time.monotonic()
        if now - self.shown < seconds:
            return False
        self.shown = now
        return True


class _Shown:
    """What both displays share: the run they follow, and the line at its end."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.watch = _Watch()

    def started(self, cell: Cell, run: int, runs: int, left_seconds: float | None) -> None:
        self.watch = _Watch(f"{cell.title} · run {run}/{runs}", cell.steps, left_seconds)

    def ended(self, finished_run: Finished) -> None:
        reason = f": {finished_run.reason}" if finished_run.reason else ""
        took = duration(finished_run.wall_seconds)
        self.say(f"{self.watch.title} · {finished_run.outcome} in {took}{reason}")

    def say(self, line: str) -> None:
        self.console.print(line, markup=False, highlight=False, soft_wrap=True)


class Plain(_Shown):
    """A line every few seconds at most, for logs and pipes."""

    def progressed(self, phase: str, steps: int) -> None:
        self.watch.enter(phase, steps)
        if self.watch.due(_LINE_SECONDS):
            self.say(f"{self.watch.title} · {self.watch.state(steps)}")


class OnTerminal(_Shown):
    """The run and a bar that is drawn anew, above them one line for each run that ended."""

    def __init__(self, console: Console, live: Live) -> None:
        super().__init__(console)
        self.live = live

    def progressed(self, phase: str, steps: int) -> None:
        if self.watch.enter(phase, steps) or self.watch.due(_REDRAW_SECONDS):
            self.live.update(self._drawn(steps), refresh=True)

    def _drawn(self, steps: int) -> Group:
        bar = Table.grid(padding=(0, 1))
        state = Text(self.watch.state(steps), no_wrap=True, overflow="ellipsis")
        bar.add_row(ProgressBar(total=self.watch.steps, completed=steps, width=_BAR_WIDTH), state)
        return Group(Text(self.watch.title, no_wrap=True, overflow="ellipsis"), bar)


def duration(seconds: float) -> str:
    """Return a time in words: `0.4 s`, `42 s`, `3 min`, `2.5 h`."""
    below = next((form for limit, form in _FORMS if seconds < limit), "{:.1f} h")
    return below.format(seconds / _SECONDS[below.rpartition(" ")[2]])
