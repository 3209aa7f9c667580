"""Finished runs become a submission: facts as they were measured, null where nobody knows, nothing private."""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from collector import canonical, schema
from runners import environ, machine, privacy
from runners.errors import UsageError
from runners.plan import SEED, Cell

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from runners.environments import Environment
    from runners.finished import Finished

# When runs of one cell end differently, the cell has the outcome that says most about its value: the first of these.
_WORST_FIRST = ("invalid", "crashed", "timed_out", "oom", "failed", "unsupported", "not_run", "ok")
_MICROSECOND = 6  # decimals
_TIMES = {"first_step_seconds", "warmup_step_seconds", "step_seconds", "window_seconds", "epoch_seconds"}


@dataclass(frozen=True)
class Measured:
    """A cell, the environment it ran in (None: there was none to run in) and its runs so far."""

    cell: Cell
    environment: Environment | None
    runs: tuple[Finished, ...]

    @property
    def outcome(self) -> str:
        """Return the cell's outcome: ok only if every run is."""
        return self._worst.outcome

    @property
    def reason(self) -> str | None:
        """Return why the cell has no value, and of how many runs that is true."""
        count = sum(run.outcome == self.outcome for run in self.runs)
        share = "" if count == len(self.runs) else f"{count} of {len(self.runs)} runs: "
        return None if self.outcome == "ok" else f"{share}{self._worst.reason or self.outcome}"

    def first(self, key: str) -> Any:  # noqa: ANN401 - a part of the worker's result
        """Return what the first run that knows says."""
        return next((run.result[key] for run in self.runs if run.result.get(key) is not None), None)

    @property
    def limit(self) -> str | None:
        """Return whose limit it is, for an unsupported cell."""
        limit: str | None = self._worst.result["limit"]
        return limit

    @property
    def _worst(self) -> Finished:
        return min(self.runs, key=lambda run: _WORST_FIRST.index(run.outcome))


def submission(
    measured: Sequence[Measured],
    harness: schema.Harness,
    submitter: str,
    private: privacy.Private,
    describe: Callable[[str], schema.Machine] = machine.describe,
) -> schema.Submission:
    """Return the submission of all cells that have at least one finished run."""
    machines: dict[str, Any] = {}
    stacks: dict[str, Any] = {}
    nodes = max((entry.cell.scale.nodes for entry in measured), default=1)
    results = [
        _result(
            entry,
            _key(machines, "m", {**_machine(entry, describe), "nodes": nodes}),
            _key(stacks, "s", _stack(entry, measured)),
        )
        for entry in measured
        if entry.runs
    ]
    document = {
        "schema_version": schema.SCHEMA_VERSION,
        "submitter": {"name": submitter, "organisation": None, "url": None},
        "origin": "measured",
        "source": None,
        "supersedes": None,
        "withdrawn": None,
        "harness": {**harness.model_dump(mode="json"), **_measured_by(measured)},
        "machines": machines,
        "stacks": stacks,
        "results": results,
    }
    return schema.Submission.model_validate_json(json.dumps(privacy.scrub(document, private)))


def file_name(made: schema.Submission, day: str) -> Path:
    """Return `<submitter>/<day>-<device>-<id6>.json`."""
    first = next(iter(made.machines.values()))
    name = f"{day}-{machine.slug(first.devices[0].name or first.name)}-{canonical.identity(made)[:6]}.json"
    return Path(submitter_slug(made.submitter.name)) / name


def day(measured: Sequence[Measured]) -> str:
    """Return the day of the earliest run, YYYY-MM-DD in UTC."""
    return min(run.started_at for entry in measured for run in entry.runs)[:10]


def submitter_slug(name: str) -> str:
    """Return a submitter's name in lower-case ASCII; raises UsageError where nothing of it is left."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    if slug := re.sub(r"[^a-z0-9]+", "-", plain.casefold()).strip("-"):
        return slug
    raise UsageError(f"--submitter {name!r} has no letter that a folder's name can have: add one in Latin letters.")


def _measured_by(measured: Sequence[Measured]) -> dict[str, Any]:
    """Return the state of our code at the earliest run: a call that only reuses runs measured nothing."""
    runs = [run for entry in measured for run in entry.runs if run.commit]
    first = min(runs, key=lambda run: run.started_at, default=None)
    return {"commit": first.commit, "dirty": first.dirty} if first else {}


def _key(known: dict[str, Any], prefix: str, value: Mapping[str, Any]) -> str:
    """Return the key of a value that is told once, however many results refer to it."""
    for key, other in known.items():
        if other == value:
            return key
    key = f"{prefix}{len(known) + 1}"
    known[key] = value
    return key


def _machine(entry: Measured, describe: Callable[[str], schema.Machine]) -> dict[str, Any]:
    """Return the machine with the kind of device that the worker used, and whether it computed in TF32."""
    device = entry.first("device") or {}
    facts = describe(device.get("kind") or entry.cell.settings.kind).model_dump(mode="json")
    if facts["devices"][0]["kind"] == "gpu":
        facts["devices"][0]["tf32"] = device.get("tf32")
    return facts


def _stack(entry: Measured, measured: Sequence[Measured]) -> dict[str, Any]:
    framework, environment = entry.cell.framework, entry.environment
    kin = [other for other in measured if other.cell.framework == framework]
    known = next((stack for other in [entry, *kin] if (stack := other.first("stack"))), None)
    made_by_us = environment is not None and environment.install_seconds is not None
    assumed: dict[str, Any] = {
        "framework_version": framework.version if made_by_us else None,  # pinned there
        "api": framework.api,
        "language": framework.language,
        **dict.fromkeys(("language_version", "cuda", "cudnn", "nccl", "blas")),
        "packages": {},
    }
    return {
        "framework": framework.framework,
        **(known or assumed),
        "environment": environ.recorded(environment.environ) if environment else {},
        "install_seconds": environment.install_seconds if environment else None,
        "install_bytes": environment.install_bytes if environment else None,
    }


def _result(entry: Measured, machine_key: str, stack_key: str) -> dict[str, Any]:
    cell = entry.cell
    return {
        "workload": cell.workload.id,
        "workload_version": cell.workload.specification.version,
        "machine": machine_key,
        "stack": stack_key,
        "variant": cell.framework.variant,
        "mode": cell.workload.specification.mode,
        "precision": cell.precision,
        "loss_scale": "dynamic" if cell.precision == "amp-fp16" else None,
        "data": {"kind": cell.data, **(entry.first("loader") or dict.fromkeys(("loader", "workers", "cache")))},
        "batch": {
            "level": cell.level,
            "per_device": cell.batch,
            "accumulation": 1,
            "global": cell.batch * cell.scale.devices,
            "search": asdict(cell.search) if cell.search else None,
        },
        "scale": {"nodes": cell.scale.nodes, "devices": cell.scale.devices, "launcher": cell.launcher},
        "threads_per_process": cell.settings.threads,
        "options": dict(cell.settings.options),
        "class": "tuned" if cell.settings.options else "plain",
        "window": "epochs" if cell.epochs else "steady",
        "seed": SEED,
        "fingerprint": entry.first("fingerprint"),
        "equality": entry.first("equality"),
        "outcome": entry.outcome,
        "reason": entry.reason,
        "limit": entry.limit,
        "runs": [_run(run) for run in entry.runs if run.run],
        "reported": [],
        "notes": _notes(entry),
    }


def _run(finished: Finished) -> dict[str, Any]:
    times = {name: _rounded(value) if name in _TIMES else value for name, value in (finished.run or {}).items()}
    return {**times, "telemetry": finished.telemetry, "log_sha256": finished.log_sha256}


def _rounded(value: Any) -> Any:  # noqa: ANN401 - a number, a list of numbers or None
    if isinstance(value, list):
        return [_rounded(part) for part in value]
    return value if value is None else round(value, _MICROSECOND)


def _notes(entry: Measured) -> list[str]:
    """Return how the runs ended, where they ended differently, and what a search for the largest batch came to."""
    counts, cell = Counter(run.outcome for run in entry.runs), entry.cell
    notes = {
        f"Runs by outcome: {', '.join(f'{n} {kind}' for kind, n in sorted(counts.items()))}.": len(counts) > 1,
        "The search for the largest batch ended here, and not because memory ran out.": cell.level == "max"
        and cell.search is None,
        "The search for the largest batch was bounded by --max-batch: a larger one may work.": cell.search is not None
        and cell.search.first_failed is None,
    }
    return [note for note, holds in notes.items() if holds]
