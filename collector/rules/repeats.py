"""Nothing stands twice in one file: logs, runs, results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from collector.findings import Context, Finding, results, runs
from collector.repeats import facts, trace

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from collector.schema import Submission


def one_log_one_run(submission: Submission, _context: Context) -> Iterator[Finding]:
    """One log backs one run only."""
    logs: list[tuple[str, Hashable]] = [
        (f"{path}.log_sha256", run.log_sha256) for path, _result, run in runs(submission)
    ]
    for path, earlier in _repeated(logs):
        yield Finding("duplicate-log", path, f"the log of {earlier}", "a log of its own")


def every_run_its_own(submission: Submission, _context: Context) -> Iterator[Finding]:
    """No two runs agree in every step."""
    for path, earlier in _repeated([(path, trace(run)) for path, _result, run in runs(submission)]):
        yield Finding("duplicate-run", path, f"the times of {earlier}", "times of its own")


def every_result_once(submission: Submission, _context: Context) -> Iterator[Finding]:
    """No two results agree in all of their settings and in their place in the source."""
    for path, earlier in _repeated([(path, facts(result)) for path, result in results(submission)]):
        yield Finding("duplicate-cell", path, f"the settings of {earlier}", "settings of its own")


def _repeated(items: list[tuple[str, Hashable]]) -> Iterator[tuple[str, str]]:
    """Yield each path whose value stood before, with the first such path; None repeats nothing."""
    first: dict[Hashable, str] = {}
    for path, value in items:
        if value is not None and first.setdefault(value, path) != path:
            yield path, first[value]
