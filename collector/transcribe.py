"""Parts of a submission of published figures, as plain JSON values: what a source doesn't state is null."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from collector.read import read

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date

    from collector.schema import Origin, Submission

    Plain = dict[str, Any]


class ImporterError(Exception):
    """A source's file can't be transcribed; the message says where and what to do."""


def submission(
    source: Plain,
    machines: Mapping[str, Plain],
    stacks: Mapping[str, Plain],
    results: Sequence[Plain],
    *,
    submitter: str = "Published figures",
    origin: Origin = "published",
) -> Submission:
    """Return a submission of what others measured; raises ImporterError naming what its format doesn't allow."""
    plain = {
        "schema_version": 1,
        "submitter": {"name": submitter, "organisation": None, "url": None},
        "origin": origin,
        "source": source,
        "supersedes": None,
        "withdrawn": None,
        "harness": None,
        "machines": machines,
        "stacks": stacks,
        "results": results,
    }
    made = read((json.dumps(plain) + "\n").encode(), "the submission")
    if made.submission is None:
        first = made.problems[0]
        raise ImporterError(
            f"{first.path} would be {first.found}; expected {first.expected}. Correct the figure that it comes from."
        )
    return made.submission


def source(title: str, url: str, commit: str, licence: str | None, retrieved_on: date) -> Plain:
    """Return where the figures stand, at which version, and when that was read."""
    day = retrieved_on.isoformat()
    return {"title": title, "url": url, "commit": commit, "licence": licence, "retrieved_on": day}


def repository(title: str, commit: str, licence: str | None, retrieved_on: date) -> Plain:
    """Return a source that is a repository on GitHub, by owner and name."""
    return source(title, f"https://github.com/{title}", commit, licence, retrieved_on)


def machine(name: str, device: str | None, kind: str, *, per_node: int | None = None, **stated: object) -> Plain:
    """Return a machine by its devices, with the facts that are `stated` about the host."""
    facts = ("visible", "memory_bytes", "driver", "power_limit_watts", "tf32")
    host = ("cpu", "memory_bytes", "os", "kernel", "interconnect", "storage", "container")
    devices = [{"name": device, "kind": kind, "per_node": per_node} | dict.fromkeys(facts)]
    return {"name": name, "nodes": None} | dict.fromkeys(host) | {"devices": devices} | stated


def stack(framework: str, **stated: str | None) -> Plain:
    """Return a stack with the facts that are `stated`."""
    facts = ("framework_version", "api", "language", "language_version", "cuda", "cudnn", "nccl", "blas")
    sizes = ("install_seconds", "install_bytes")
    described = dict.fromkeys(facts) | {"packages": {}, "environment": {}} | dict.fromkeys(sizes)
    return {"framework": framework} | described | stated


def result(workload: str, machine_id: str, stack_id: str, **stated: object) -> Plain:
    """Return a result with the settings that are `stated`; a table cell without a figure carries its `reason`."""
    scale = {"nodes": None, "devices": None, "launcher": None}
    batch = dict.fromkeys(("level", "per_device", "accumulation", "global", "search"))
    data = dict.fromkeys(("kind", "loader", "workers", "cache"))
    settings = ("threads_per_process", "class", "window", "seed", "fingerprint", "equality")
    names = ("workload_version", "variant", "mode", "precision", "loss_scale")
    return {
        "workload": workload,
        "machine": machine_id,
        "stack": stack_id,
        **dict.fromkeys(names),
        "data": data,
        "batch": batch,
        "scale": scale,
        "options": {},
        **dict.fromkeys(settings),
        "outcome": "ok",
        "reason": None,
        "limit": None,
        "runs": [],
        "reported": [],
        "notes": [],
        **stated,
    }


def batch(per_device: int | None, devices: int | None) -> Plain:
    """Return the batch of so many devices; the global one follows only where micro-batches are not in question."""
    whole = per_device * devices if per_device and devices else None
    return {"level": None, "per_device": per_device, "accumulation": None, "global": whole, "search": None}


def scale(nodes: int | None, devices: int | None) -> Plain:
    """Return the scale of a job; `devices` over all nodes."""
    return {"nodes": nodes, "devices": devices, "launcher": None}


def locator(path: str, line: str) -> Plain:
    """Return a place in the source: `line` is a number, a sheet with its cell, or nothing."""
    return {"path": path, "line": int(line) if line.isdecimal() else line or None}


def reported(
    metric: str, unit: str, raw_text: str, value: float | None, statistic: str = "table cell", index: int | None = None
) -> Plain:
    """Return a figure as the source states it, `value` in `unit`; `index` is that of a single run."""
    facts = {"metric": metric, "statistic": statistic, "run_index": index}
    return {**facts, "value": value, "unit": unit, "raw_text": raw_text}
