"""Every name leads somewhere: inside the file, or to the vocabulary."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from collector.findings import Context, Finding, computing_device, results
from collector.vocabulary import near_misses
from collector.wording import did_you_mean, either, json_path, quote, unit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from collector.schema import Submission


def known_machines_and_stacks(submission: Submission, _context: Context) -> Iterator[Finding]:
    """A result's machine and stack are described in the file."""
    for path, result in results(submission):
        if result.machine not in submission.machines:
            yield _unknown("unknown-machine", f"{path}.machine", result.machine, submission.machines)
        if result.stack not in submission.stacks:
            yield _unknown("unknown-stack", f"{path}.stack", result.stack, submission.stacks)


def used_machines_and_stacks(submission: Submission, _context: Context) -> Iterator[Finding]:
    """A machine and a stack that are described are used."""
    for name in submission.machines.keys() - {result.machine for result in submission.results}:
        yield Finding("unused-machine", json_path(["machines", name]), quote(name), "a result that names it")
    for name in submission.stacks.keys() - {result.stack for result in submission.results}:
        yield Finding("unused-stack", json_path(["stacks", name]), quote(name), "a result that names it")


def known_workload(submission: Submission, context: Context) -> Iterator[Finding]:
    """Workload and version are specified; figures that others measured may be of a job that we only know by name."""
    workloads, foreign = context.vocabulary.workloads, context.vocabulary.foreign
    for path, result in results(submission):
        if result.workload not in workloads:
            if result.workload not in foreign or submission.origin == "measured":
                yield _unknown("unknown-workload", f"{path}.workload", result.workload, workloads)
            continue
        newest = workloads[result.workload].version
        if result.workload_version is not None and result.workload_version > newest:
            expected = "1" if newest == 1 else f"1 to {newest}"
            yield Finding(
                "unknown-workload-version", f"{path}.workload_version", str(result.workload_version), expected
            )


def known_framework(submission: Submission, context: Context) -> Iterator[Finding]:
    """The framework is one of the vocabulary, by its id."""
    for name, stack in submission.stacks.items():
        if stack.framework in context.vocabulary.frameworks:
            continue
        canonical = context.vocabulary.canonical_framework(stack.framework)
        remedy = f"write {quote(canonical)}" if canonical else ""
        path = json_path(["stacks", name, "framework"])
        yield _unknown("unknown-framework", path, stack.framework, context.vocabulary.frameworks, remedy)


def bare_version(submission: Submission, _context: Context) -> Iterator[Finding]:
    """A version has neither a leading v nor the framework's name in it."""
    for name, stack in submission.stacks.items():
        version = stack.framework_version or ""
        if re.match(r"v\d", version, re.IGNORECASE) or stack.framework.casefold() in version.casefold():
            path = json_path(["stacks", name, "framework_version"])
            yield Finding("version-spelling", path, quote(version), 'a bare version such as "2.13.0"')


def known_device(submission: Submission, context: Context) -> Iterator[Finding]:
    """An accelerator is one of the vocabulary; processors are too many to list."""
    words = context.vocabulary
    for name, machine in submission.machines.items():
        for position, device in enumerate(machine.devices):
            if device.kind == "cpu" or device.name is None or words.canonical_hardware(device.name):
                continue
            path = json_path(["machines", name, "devices", position, "name"])
            near = did_you_mean(words.devices_like(device.name))
            yield Finding("unknown-hardware", path, quote(device.name), _some(words.hardware), near)


def known_metrics_and_units(submission: Submission, context: Context) -> Iterator[Finding]:
    """Reported metrics, their units and the metric of quality are known."""
    metrics = context.vocabulary.metrics
    for path, result in results(submission):
        for position, run in enumerate(result.runs):
            if run.quality and run.quality.metric not in metrics:
                place = f"{path}.runs[{position}].quality.metric"
                yield _unknown("unknown-metric", place, run.quality.metric, metrics)
        for position, reported in enumerate(result.reported):
            place = f"{path}.reported[{position}]"
            if reported.metric not in metrics:
                yield _unknown("unknown-metric", f"{place}.metric", reported.metric, metrics)
                continue
            metric = metrics[reported.metric]
            units = dict.fromkeys((metric.unit, *metric.other_units))
            if reported.unit not in units:
                near = [unit(name) for name in near_misses(reported.unit, units)]
                remedy = f"did you mean {either(near)}?" if near else ""
                expected = either(list(map(unit, units)))
                yield Finding("unknown-unit", f"{place}.unit", unit(reported.unit), expected, remedy)


def device_of_every_result(submission: Submission, _context: Context) -> Iterator[Finding]:
    """A measured result names the device that it was measured on."""
    if submission.origin != "measured":
        return
    for path, result in results(submission):
        device = computing_device(submission, result)
        if device and device.name is None and result.outcome == "ok":
            place = json_path(["machines", result.machine, "devices", 0, "name"])
            yield Finding("not-comparable", place, f"null, used by {path}", "the device's name")


def _unknown(code: str, path: str, name: str, known: Mapping[str, object], remedy: str = "") -> Finding:
    near = did_you_mean(near_misses(name, known))
    return Finding(code, path, quote(name), _some(known), remedy or near)


def _some(known: Iterable[str]) -> str:
    """Return the choices if they are few, else how many there are."""
    names = [quote(name) for name in known]
    few = 12  # more would hide the message
    return either(names) if 0 < len(names) <= few else f"one of {len(names)} known names"
