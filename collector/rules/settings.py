"""Settings that must agree with each other, with the machine, and with what names say."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from collector.findings import Context, Finding, computing_device, results, runs, specification
from collector.wording import either, json_path, quote

if TYPE_CHECKING:
    from collections.abc import Iterator

    from collector.schema import Device, Machine, Result, Submission

TF32_SINCE = 8.0  # compute capability
COUNT = re.compile(
    r"(?<![\w.])(\d{1,5}) ?(?:[x×*](?=[- ]?[a-z])|[ -]?(?:gpus?|cards?|devices?|tpus?)\b)", re.IGNORECASE
)
COUNT_BEHIND = re.compile(r"[a-z0-9] ?[*×] ?(\d{1,4})(?= ?gpu|$|[ -])", re.IGNORECASE)
WORDS = {
    "fp32": re.compile(r"(?<![a-z0-9])(fp32|float32)(?![a-z0-9])", re.IGNORECASE),
    "tf32": re.compile(r"(?<![a-z0-9])tf32(?![a-z0-9])", re.IGNORECASE),
    "fp16": re.compile(r"(?<![a-z0-9])(fp16|float16)(?![a-z0-9])", re.IGNORECASE),
    "bf16": re.compile(r"(?<![a-z0-9])(bf16|bfloat16)(?![a-z0-9])", re.IGNORECASE),
    "amp": re.compile(r"(?<![a-z0-9])amp(?![a-z0-9])", re.IGNORECASE),
}


def samples_of_a_step(submission: Submission, _context: Context) -> Iterator[Finding]:
    """A step works on the global batch."""
    for path, result, run in runs(submission):
        batch = result.batch.global_
        if None not in (batch, run.samples_per_step) and run.samples_per_step != batch:
            expected = f"{batch}, the global batch"
            yield Finding("samples-per-step", f"{path}.samples_per_step", str(run.samples_per_step), expected)


def global_batch(submission: Submission, _context: Context) -> Iterator[Finding]:
    """The global batch is the batch of a device times devices times accumulation."""
    for path, result in results(submission):
        batch, devices = result.batch, result.scale.devices
        if batch.global_ is None or batch.per_device is None or batch.accumulation is None or devices is None:
            continue
        product = batch.per_device * devices * batch.accumulation
        if batch.global_ != product:
            expected = f"{product} = {batch.per_device} per device x {devices} devices x {batch.accumulation}"
            yield Finding("global-batch", f"{path}.batch.global", str(batch.global_), expected)


def level_of_the_batch(submission: Submission, context: Context) -> Iterator[Finding]:
    """The batch of the levels one and same is the workload's."""
    for path, result in results(submission):
        workload, batch = specification(result, context), result.batch
        if workload is None or batch.level is None or batch.per_device is None:
            continue
        wanted = workload.batch.get(batch.level, batch.per_device)
        if batch.per_device != wanted:
            expected = f"{wanted}, which is the level {batch.level} of {result.workload}"
            yield Finding("batch-level", f"{path}.batch.per_device", str(batch.per_device), expected)


def available_devices(submission: Submission, _context: Context) -> Iterator[Finding]:
    """A job uses no more nodes and devices than there are, and at least one device a node.

    On a CPU a device of several is a process with its share of the threads that the machine lets it use.
    """
    for path, result in results(submission):
        machine, device = submission.machines.get(result.machine), computing_device(submission, result)
        nodes, devices = result.scale.nodes, result.scale.devices
        if nodes is not None and devices is not None and devices < nodes:
            yield Finding("device-count", f"{path}.scale.devices", str(devices), f"at least {nodes}, one a node")
        if machine is None or device is None:
            continue
        if nodes is not None and machine.nodes is not None and nodes > machine.nodes:
            expected = f"at most {machine.nodes}, the nodes of {quote(result.machine)}"
            yield Finding("device-count", f"{path}.scale.nodes", str(nodes), expected)
        if devices is not None:
            yield from _room(path, result, machine, device)


def _room(path: str, result: Result, machine: Machine, device: Device) -> Iterator[Finding]:
    """Hold the devices, or on a CPU the threads of all processes, to what the nodes have."""
    devices, nodes = result.scale.devices or 0, result.scale.nodes or machine.nodes or 1
    there = device.visible if device.visible is not None else device.per_node
    if device.kind != "cpu":
        if there is not None and devices > there * nodes:
            expected = f"at most {there} a node, as {quote(result.machine)} has"
            yield Finding("device-count", f"{path}.scale.devices", str(devices), expected)
        return
    threads, usable = result.threads_per_process, machine.cpu.visible_threads if machine.cpu else None
    if devices > 1 and threads and usable and devices * threads > usable * nodes:
        found = f"{devices} processes x {threads} threads"
        expected = f"at most {usable} threads a node, which {quote(result.machine)} lets a job use"
        yield Finding("device-count", f"{path}.scale.devices", found, expected)


def count_in_names(submission: Submission, _context: Context) -> Iterator[Finding]:
    """A number of devices in a name is that of the field."""
    for key, machine in submission.machines.items():
        possible = _counts(machine)
        names: list[tuple[list[str | int], str]] = [(["machines", key, "name"], machine.name)]
        names += [
            (["machines", key, "devices", position, "name"], device.name or "")
            for position, device in enumerate(machine.devices)
            if device.kind != "cpu"
        ]
        for steps, name in names:
            said = {int(match[1]) for pattern in (COUNT, COUNT_BEHIND) for match in pattern.finditer(name)}
            if said and possible and not said & possible:
                expected = f"{either([str(count) for count in sorted(possible)])}, as the fields say"
                yield Finding("count-in-name", json_path(steps), quote(name), expected)


def precision_in_names(submission: Submission, _context: Context) -> Iterator[Finding]:
    """A precision in the names of variant, API or machine is that of the field."""
    for path, result in results(submission):
        if result.precision is None:
            continue
        for where, name in _names(submission, result):
            said = {word for word, pattern in WORDS.items() if pattern.search(name)}
            if said and not said & _called(result.precision):
                expected = f"{result.precision}, as {path}.precision says"
                place = where if where.startswith("$") else f"{path}.{where}"
                yield Finding("precision-in-name", place, quote(name), expected)


def plain_has_no_options(submission: Submission, _context: Context) -> Iterator[Finding]:
    """The class plain leaves every option at the framework's default; null and false count as default."""
    for path, result in results(submission):
        chosen = [name for name, value in result.options.items() if value is not None and value is not False]
        if result.class_ == "plain" and chosen:
            expected = "no option in the class plain"
            yield Finding("plain-with-options", f"{path}.options", either([quote(name) for name in chosen]), expected)


def stated_settings(submission: Submission, _context: Context) -> Iterator[Finding]:
    """A measured value states every part of its comparability key."""
    for path, result in results(submission):
        if submission.origin == "measured" and result.outcome == "ok":
            missing = [name for name, value in _settings(submission, result).items() if value is None]
            if missing:
                yield Finding("not-comparable", path, f"null for {', '.join(missing)}", "every setting stated")


def tf32_state(submission: Submission, context: Context) -> Iterator[Finding]:
    """On a GPU that has TF32, fp32 says that it was off, and tf32 that it was on."""
    unstated: dict[str, str] = {}  # place of a device -> the first result of it
    for path, result in results(submission):
        device = computing_device(submission, result)
        if device is None or device.kind != "gpu" or result.precision not in ("fp32", "tf32"):
            continue
        place = json_path(["machines", result.machine, "devices", 0, "tf32"])
        if result.precision == "fp32" and device.tf32 is None and _has_tf32(device, context):
            unstated.setdefault(place, path)
        if device.tf32 is not None and device.tf32 != (result.precision == "tf32"):
            found = f'"{result.precision}" with tf32 {quote(device.tf32)} in {place}'
            yield Finding("tf32-contradicts", f"{path}.precision", found, '"tf32"' if device.tf32 else '"fp32"')
    if submission.origin == "measured" or len(unstated) == 1:
        for place, path in unstated.items():
            yield Finding("tf32-not-stated", place, f"null, while {path}.precision is fp32", "true or false")
    elif unstated:  # a source that doesn't say it says it of no machine
        found = f"no tf32 of {len(unstated)} devices on which precision is fp32"
        yield Finding("tf32-not-stated", "$.machines", found, "true or false for each")


def _has_tf32(device: Device, context: Context) -> bool:
    """Say whether the device is known to have TF32; of what the vocabulary doesn't know, nothing is asked."""
    known = context.vocabulary.hardware.get(context.vocabulary.canonical_hardware(device.name or "") or "")
    return known is not None and (known.compute_capability or 0) >= TF32_SINCE


def _counts(machine: Machine) -> set[int]:
    """Return every number that the fields state: of a node's devices, visible ones, those of all nodes, and of nodes."""
    stated = {count for device in machine.devices for count in (device.per_node, device.visible) if count}
    nodes = machine.nodes or 1
    return stated | {count * nodes for count in stated} | ({nodes} if stated and nodes > 1 else set())


def _names(submission: Submission, result: Result) -> Iterator[tuple[str, str]]:
    machine, stack = submission.machines.get(result.machine), submission.stacks.get(result.stack)
    yield "variant", result.variant or ""
    if machine:
        yield json_path(["machines", result.machine, "name"]), machine.name
    if stack:
        yield json_path(["stacks", result.stack, "api"]), stack.api or ""


def _called(precision: str) -> set[str]:
    """Return the words that may stand for a precision."""
    return set(precision.split("-")) | {precision}


def _settings(submission: Submission, result: Result) -> dict[str, object]:
    machine, device = submission.machines.get(result.machine), computing_device(submission, result)
    settings: dict[str, object] = {
        "workload_version": result.workload_version,
        "mode": result.mode,
        "precision": result.precision,
        "data.kind": result.data.kind,
        "batch.per_device": result.batch.per_device,
        "batch.accumulation": result.batch.accumulation,
        "scale.nodes": result.scale.nodes,
        "scale.devices": result.scale.devices,
        "threads_per_process": result.threads_per_process,
        "window": result.window,
        "class": result.class_,
    }
    if machine and device and device.kind == "cpu":
        settings["cpu.visible_threads"] = machine.cpu.visible_threads if machine.cpu else None
    return settings
