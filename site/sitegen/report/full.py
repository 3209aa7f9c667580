"""The wide tables of the appendix: published cells and measured runs in full."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING

from sitegen import figures, labels
from sitegen.report import material as report_material
from sitegen.report.blocks import Block, Cell, Heading, Paragraph, Ref, Table
from sitegen.report.tables import aligned, columns

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from collector.derive import Figure
    from collector.schema import Run
    from sitegen.report.material import Material


def published_cells(material: Material) -> Iterator[Block]:
    """Yield every published cell with its place in the source, a table a source."""
    words = material.words
    yield Heading("sec-published-cells", 1, words.text("cells.title"))
    if not material.published:
        yield Paragraph(words.spans("cells.none"))
    shares = {
        "number": 0,
        "case": 1.9,
        "framework": 0.9,
        "interface": 1.55,
        "language": 0,
        "device": 1.35,
        "data": 1.75,
    }
    shares |= {"printed": 0, "value": 0, "unit": 0, "place": 1.15}
    for number, (title, cells) in enumerate(_by_source(material).items(), start=1):
        ident = f"tab-published-cells-{number}"
        yield Paragraph(words.spans("cells.text", tab=Ref(ident), source=title))
        caption = words.text("cells.caption", source=title)
        rows = _cell_rows(material, cells)
        named = columns(material, "cells", shares, ("number", "value"))
        yield Table(ident, caption, named, rows, report_material.open_note(material, rows))


def _by_source(material: Material) -> dict[str, list[Figure]]:
    found: dict[str, list[Figure]] = {}
    for figure in material.published:
        source = figure.cell.entry.submission.source
        found.setdefault(source.title if source else "–", []).append(figure)
    return found


def _cell_rows(material: Material, cells: Sequence[Figure]) -> tuple[tuple[str | Cell, ...], ...]:
    values = iter(aligned(figures.printed(cell.estimate.value) for cell in cells if cell.estimate))
    rows = []
    for number, figure in enumerate(cells, start=1):
        cell, metric = figure.cell, material.dataset.vocabulary.metrics[figure.metric]
        interface = [part for part in (cell.stack.api, cell.result.variant) if part]
        locator = cell.result.locator
        place = "–" if locator is None else locator.path if locator.line is None else f"{locator.path}:{locator.line}"
        rows.append(
            (
                str(number),
                report_material.case_title(material, cell.result.workload),
                labels.framework_name(material.edition, cell.framework),
                ", ".join(interface) or "–",
                report_material.language(cell.stack.language or "–"),
                report_material.marked_device(material, cell.device, cell.result.scale.devices),
                material.shared("data_kind", cell.result.data.kind),
                figure.raw_text or "–",
                next(values) if figure.estimate else Cell(("–",), role="missing"),
                labels.unit_name(material.edition, metric.unit, cell.result.workload),
                place,
            )
        )
    return tuple(rows)


def runs(material: Material) -> Iterator[Block]:
    """Yield every run of the measured results."""
    words = material.words
    yield Heading("sec-runs", 1, words.text("runs.title"))
    rows = tuple(row for figure in material.measured for row in _run_rows(material, figure))
    if not rows:
        yield Paragraph(words.spans("runs.none"))
        return
    yield Paragraph(words.spans("runs.text"))
    shares = {"submission": 0, "case": 1, "framework": 1, "run": 0, "started": 0, "steps": 0}
    shares |= {"window": 0, "rate": 0, "first": 0, "loss": 0}
    right = ("run", "window", "rate", "first")
    yield Table("tab-runs", words.text("runs.caption"), columns(material, "runs", shares, right), rows)


def _run_rows(material: Material, figure: Figure) -> Iterator[tuple[str, ...]]:
    cell = figure.cell
    release = " ".join(
        filter(None, (labels.framework_name(material.edition, cell.framework), cell.stack.framework_version))
    )
    for number, run in enumerate(cell.result.runs, start=1):
        yield (
            cell.entry.id[: report_material.ID_DIGITS],
            report_material.case_title(material, cell.result.workload),
            release,
            str(number),
            run.started_at.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S") if run.started_at else "–",
            f"{run.warmup_steps or 0} + {run.measured_steps or 0}",
            _measured(run.window_seconds),
            _measured(_rate(run)),
            _measured(run.first_step_seconds),
            f"{figures.measured(run.loss[0])} → {figures.measured(run.loss[-1])}" if run.loss else "–",
        )


def _rate(run: Run) -> float | None:
    if not (run.window_seconds and run.samples_per_step and run.measured_steps):
        return None
    return run.samples_per_step * run.measured_steps / run.window_seconds


def _measured(value: float | None) -> str:
    return "–" if value is None else figures.measured(value)
