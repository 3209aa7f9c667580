"""The folder of local submissions: one file a plan, and every cell once, as it was measured last.

What a newer plan measures again leaves the older file; its runs stay in `runs`, so nothing is lost.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

from collector import schema, store
from runners import files, record

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from collector.problems import Problem

_SETTINGS = (
    "workload", "workload_version", "variant", "mode", "precision", "data", "batch", "scale", "threads_per_process",
    "options", "class", "window",
)  # fmt: skip


def save(folder: Path, cell_ids: Sequence[str], made: schema.Submission, day: str) -> Path:
    """Write a plan's submission in the place of what the same plan wrote before; return where it lies."""
    path = folder / "submissions" / record.file_name(made, day)
    path.parent.mkdir(parents=True, exist_ok=True)
    plan = hashlib.sha256(json.dumps([sorted(cell_ids), path.parent.name]).encode()).hexdigest()[:16]
    memo = folder / "runs" / "plans" / f"{plan}.json"
    before = files.read_json(memo)
    store.write_submission(path, made)
    files.write_json(memo, path.name)
    if isinstance(before, str) and before != path.name:
        (path.parent / before).unlink(missing_ok=True)
    _displace(path, made)
    return path


def problems(path: Path) -> tuple[Problem, ...]:
    """Return what `rosetta check` finds in a submission file."""
    from collector.check import check

    made = _read(path)
    return check(made, str(path), store.load_vocabulary()) if made else ()


def _displace(newest: Path, made: schema.Submission) -> None:
    """Take the cells that the newest file has out of the submitter's other files."""
    cells = {_cell(made, result) for result in made.results}
    for path in sorted(newest.parent.glob("*.json")):
        other = None if path == newest else _read(path)
        if other is None:
            continue
        left = [result for result in other.results if _cell(other, result) not in cells]
        if len(left) == len(other.results):
            continue
        path.unlink()
        if left:
            rest = _with(other, left)
            day = path.name[: len("YYYY-MM-DD")]
            store.write_submission(newest.parent / record.file_name(rest, day).name, rest)


def _cell(submission: schema.Submission, result: schema.Result) -> str:
    """Return what makes a cell that cell: machine, framework and every setting."""
    stack = submission.stacks[result.stack]
    plain = result.model_dump(mode="json", by_alias=True)
    settings = [plain[name] for name in _SETTINGS]
    software = [stack.framework, stack.framework_version, stack.api, stack.language]
    return json.dumps([submission.machines[result.machine].name, software, settings], sort_keys=True)


def _with(submission: schema.Submission, results: list[schema.Result]) -> schema.Submission:
    machines, stacks = ({getattr(result, name) for result in results} for name in ("machine", "stack"))
    return submission.model_copy(
        update={
            "results": results,
            "machines": {key: value for key, value in submission.machines.items() if key in machines},
            "stacks": {key: value for key, value in submission.stacks.items() if key in stacks},
        }
    )


def _read(path: Path) -> schema.Submission | None:
    try:
        return schema.Submission.model_validate_json(path.read_bytes())
    except (OSError, ValueError):  # somebody else's file; `rosetta check` says what is wrong with it
        return None
