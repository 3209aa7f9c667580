"""The chapter on test environments: machines and software of the measured results, devices of the published ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sitegen import figures, labels
from sitegen.report import naming
from sitegen.report.blocks import Block, Column, Heading, Paragraph, Table
from sitegen.report.material import language
from sitegen.report.tables import group

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from collector.schema import Device, Machine, Stack
    from sitegen.report.material import Material
    from sitegen.report.tables import Line


def environment(material: Material) -> Iterator[Block]:
    """Yield the chapter."""
    words = material.words
    yield Heading("sec-environment", 1, words.text("environment.title"))
    yield Heading("sec-machines", 2, words.text("environment.measured"))
    yield Paragraph(words.spans("environment.text" if material.measured else "environment.none"))
    yield from _machines(material)
    yield from _stacks(material)
    if material.published:
        yield Heading("sec-published-devices", 2, words.text("environment.published"))
        yield Paragraph(words.spans("environment.published_text"))
        yield _published_devices(material)


def _machines(material: Material) -> Iterator[Table]:
    found: list[Machine] = []
    for figure in material.measured:
        if figure.cell.machine not in found:
            found.append(figure.cell.machine)
    if found:
        lines = [line for each in found for line in _entry(material, each.name, "", _machine(material, each))]
        yield _facts_table(material, "tab-machines", "environment.caption_machines", lines)


def _stacks(material: Material) -> Iterator[Table]:
    found: list[tuple[Stack, str, list[str]]] = []
    for figure in material.measured:
        stack, machine = figure.cell.stack, figure.cell.machine.name
        named = (labels.framework_name(material.edition, figure.cell.framework), stack.framework_version)
        title = " ".join(filter(None, named))
        machines = next((names for other, name, names in found if (other, name) == (stack, title)), None)
        if machines is None:
            found.append((stack, title, [machine]))
        elif machine not in machines:
            machines.append(machine)
    if found:
        colon, comma = material.words.text("colon"), material.words.text("comma")
        lines = [
            line
            for stack, title, machines in found
            for line in _entry(material, title + colon, comma.join(machines), _stack(stack))
        ]
        yield _facts_table(material, "tab-stacks", "environment.caption_stacks", lines)


def _entry(material: Material, title: str, text: str, facts: Iterable[tuple[str, str | None]]) -> Iterator[Line]:
    yield group(title, text, 2)
    for key, value in facts:
        yield material.words.text(f"environment.{key}"), value or material.shared(key, None)


def _facts_table(material: Material, ident: str, caption: str, lines: Sequence[Line]) -> Table:
    words = material.words
    columns = (Column(words.text("case.item")), Column(words.text("case.value"), share=1))
    return Table(ident, words.text(caption), columns, tuple(lines))


def _machine(material: Material, machine: Machine) -> Iterator[tuple[str, str | None]]:
    words = material.words
    if machine.cpu:
        cpu = machine.cpu
        counts = {"sockets": cpu.sockets, "cores": cpu.cores, "threads": cpu.threads, "visible": cpu.visible_threads}
        stated = {key: "–" if count is None else str(count) for key, count in counts.items()}
        yield "cpu", words.text("environment.cpu_value", name=cpu.name or material.shared("cpu", None), **stated)
    yield "memory", figures.memory(machine.memory_bytes) if machine.memory_bytes else None
    yield "nodes", None if machine.nodes is None else str(machine.nodes)
    yield "devices", "; ".join(_device(material, device) for device in machine.devices)
    drivers = dict.fromkeys(device.driver for device in machine.devices if device.driver)
    if drivers:
        yield "driver", ", ".join(drivers)
    limits = dict.fromkeys(f"{d.power_limit_watts:g} W" for d in machine.devices if d.power_limit_watts)
    if limits:
        yield "power", ", ".join(limits)
    yield "os", machine.os
    yield "kernel", machine.kernel
    for key, value in (("interconnect", machine.interconnect), ("storage", machine.storage)):
        if value:
            yield key, value
    if machine.container:
        yield "container", machine.container


def _device(material: Material, device: Device) -> str:
    name = device.name or material.shared("device", None)
    value = material.words.text("environment.device_value", count=str(device.per_node or "?"), name=name)
    return f"{value}, {figures.memory(device.memory_bytes)}" if device.memory_bytes else value


def _stack(stack: Stack) -> Iterator[tuple[str, str | None]]:
    yield "api", stack.api
    yield "language", " ".join(filter(None, (language(stack.language or ""), stack.language_version))) or None
    named = (("CUDA", stack.cuda), ("cuDNN", stack.cudnn), ("NCCL", stack.nccl), ("BLAS", stack.blas))
    yield "libraries", ", ".join(f"{name} {version}" for name, version in named if version) or None
    yield "packages", ", ".join(f"{name} {version}" for name, version in sorted(stack.packages.items())) or "–"
    yield "variables", ", ".join(f"{name}={value}" for name, value in sorted(stack.environment.items())) or "–"


def _published_devices(material: Material) -> Table:
    words = material.words
    counts: dict[tuple[str, ...], int] = {}
    for figure in material.published:
        cell, source = figure.cell, figure.cell.entry.submission.source
        software = " / ".join(version or "–" for version in (cell.stack.cuda, cell.stack.cudnn))
        devices = str(cell.result.scale.devices or "–")
        row = (source.title if source else "–", naming.device(material, cell.device, None), devices, software)
        counts[row] = counts.get(row, 0) + 1
    columns = (
        Column(words.text("environment.source"), share=1.4),
        Column(words.text("environment.device"), share=1.2),
        Column(words.text("environment.count"), "right"),
        Column(words.text("environment.cuda"), "right"),
        Column(words.text("environment.figures"), "right"),
    )
    rows = tuple((*row, str(count)) for row, count in sorted(counts.items()))
    return Table("tab-published-devices", words.text("environment.caption_published"), columns, rows)
