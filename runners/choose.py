"""From what a user typed to what will be measured: names looked up, near misses offered, contradictions refused."""

from __future__ import annotations

import json
import os
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from collector import vocabulary
from runners import environments, launchers, machine, plan
from runners.errors import UsageError
from runners.plan import Profile, Scale, Settings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from runners.manifests import Framework
    from runners.workloads import Workload

_Entry = TypeVar("_Entry")
_SCALE = re.compile(r"([1-9]\d{0,4})n([1-9]\d{0,5})c", re.ASCII)
_HOST = re.compile(r"\w[\w.-]*", re.ASCII)  # nothing that ssh or mpiexec would take for an option


def named(what: str, names: Sequence[str], known: Mapping[str, _Entry]) -> list[_Entry]:
    """Return the entries with these names, each once; an unknown name is an error that offers what looks like it."""
    for name in names:
        if name not in known:
            offers = vocabulary.near_misses(name, known)
            hint = f"did you mean {' or '.join(offers)}?" if offers else f"there are {', '.join(known)}."
            raise UsageError(f"There is no {what} {name!r}: {hint}")
    return [known[name] for name in dict.fromkeys(names)]


def frameworks(names: Sequence[str], known: Mapping[str, Framework], kind: str) -> list[Framework]:
    """Return the named frameworks, or all whose environment is made when none is named."""
    if names:
        return named("framework", names, known)
    ready = [framework for framework in known.values() if environments.find(framework, kind)]
    if not ready:
        raise UsageError(
            "No framework is set up yet. Name one, and its environment is made: `rosetta run --framework pytorch`; "
            "`rosetta list` shows them all."
        )
    return ready


def workloads(names: Sequence[str], known: Mapping[str, Workload], chosen: Sequence[Framework]) -> list[Workload]:
    """Return the named workloads, or all that the frameworks support: those of the leaderboards if there are any."""
    if names:
        return named("workload", names, known)
    supported = [workload for name, workload in known.items() if any(framework.support(name) for framework in chosen)]
    return [workload for workload in supported if workload.specification.board] or supported


def settings(asked: Mapping[str, Any]) -> Settings:
    """Return the settings of a plan from the values of the command line."""
    _refuse_contradictions(asked)
    kind = _kind(asked["device"])
    scales = tuple(dict.fromkeys(_scale(text) for text in asked["scale"]))
    processes = max(scale.each for scale in scales)
    threads = asked["threads"] or plan.default_threads(kind, machine.visible_threads(), processes)
    _refuse_more_than_there_is(scales, kind, threads)
    return Settings(
        kind=kind,
        device=asked["device"],
        threads=threads,
        profile=profile(asked),
        precisions=tuple(dict.fromkeys(asked["precision"])),
        data=tuple(dict.fromkeys(asked["data"])),
        levels=tuple(dict.fromkeys(asked["batch"])),
        epochs=asked["epochs"],
        steady=asked["profile"] == "smoke" or not (asked["warmup"] is None and asked["steps"] is None),
        data_directory=str(asked["data_dir"].absolute()) if asked["data_dir"] else None,
        loader_workers=asked["workers"],
        options=tuple(sorted(_option(text) for text in asked["option"])),
        scales=scales,
        hosts=_hosts(asked["hosts"], max(scale.nodes for scale in scales)),
        launcher=asked["launcher"],
    )


def profile(asked: Mapping[str, Any]) -> Profile:
    """Return the named profile with the numbers that the user gave instead of its own."""
    given = {"runs": asked["runs"], "warmup_steps": asked["warmup"], "measured_steps": asked["steps"]}
    return replace(plan.PROFILES[asked["profile"]], **{key: value for key, value in given.items() if value is not None})


def profile_name(asked: Mapping[str, Any]) -> str | None:
    """Return the profile's name, or None where it was changed."""
    name: str = asked["profile"]
    return name if profile(asked) == plan.PROFILES[name] and not asked["epochs"] else None


def _refuse_contradictions(asked: Mapping[str, Any]) -> None:
    directory: Path | None = asked["data_dir"]
    real = "real" in asked["data"]
    refusals = {
        "--batch max needs a search for the largest batch, which is not there yet; use one or same.": "max"
        in asked["batch"],
        "--data real needs --data-dir, the folder with the data set.": real and not directory,
        "--data-dir is for --data real.": directory is not None and not real,
        "--workers load real data; add --data real and --data-dir.": asked["workers"] is not None and not real,
        "--epochs counts passes over real data; add --data real and --data-dir.": bool(asked["epochs"])
        and set(asked["data"]) != {"real"},
        "--epochs has no warm-up and no number of steps; leave --warmup, --steps and --profile smoke out.": bool(
            asked["epochs"]
        )
        and not (asked["warmup"] is None and asked["steps"] is None and asked["profile"] != "smoke"),
        "--python names the environment of one framework; name that one with --framework.": bool(asked["python"])
        and len(set(asked["framework"])) != 1,
    }
    if refused := next((sentence for sentence, holds in refusals.items() if holds), None):
        raise UsageError(refused)


def _kind(device: str) -> str:
    found = machine.default_kind()
    if device == "gpu" and found != "gpu":
        raise UsageError(
            "--device gpu: the NVIDIA driver shows no GPU (see nvidia-smi and CUDA_VISIBLE_DEVICES); use --device cpu."
        )
    return found if device == "auto" else device


def _scale(text: str) -> Scale:
    found = _SCALE.fullmatch(text)
    scale = Scale(int(found[1]), int(found[2])) if found else None
    if scale is None or scale.devices % scale.nodes:
        raise UsageError(
            f"--scale {text!r} is not NnCc, nodes and devices in all, with as many devices on every node: such as 2n8c."
        )
    return scale


def _refuse_more_than_there_is(scales: Sequence[Scale], kind: str, threads: int) -> None:
    """Refuse a scale that the machine, which stands for every node, has no room for; one process is let be."""
    there = machine.visible_threads() if kind == "cpu" else sum(card.visible or 0 for card in machine.gpu_devices())
    what = "usable threads" if kind == "cpu" else "visible GPUs"
    for scale in scales:
        needed = scale.each * (threads if kind == "cpu" else 1)
        if scale.devices > 1 and needed > there:
            raise UsageError(
                f"--scale {scale.name} needs {needed} {what} on a node, and {there} are here: take fewer devices or threads."
            )


def _hosts(text: str | None, nodes: int) -> tuple[str, ...]:
    """Return the address of each node: those given, else Slurm's, else this machine."""
    hosts = tuple(text.split(",")) if text else launchers.allocated(os.environ)
    if wrong := next((host for host in hosts if not _HOST.fullmatch(host)), None):
        raise UsageError(f"--hosts: {wrong!r} is no name or address of a host.")
    if len(hosts) >= nodes:
        return hosts[:nodes]
    if nodes == 1:
        return (launchers.LOOPBACK,)
    raise UsageError(
        f"A job of {nodes} nodes needs --hosts with {nodes} names or addresses, this machine first, or an allocation of "
        f"Slurm; there are {len(hosts)}."
    )


def _option(text: str) -> tuple[str, Any]:
    key, equals, value = text.partition("=")
    if not (key and equals):
        raise UsageError(f"--option {text!r} is not KEY=VALUE.")
    try:
        parsed = json.loads(value)
    except ValueError:
        parsed = value
    return key, parsed if isinstance(parsed, str | int | float | bool | None) else value
