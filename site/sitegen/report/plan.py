"""The chapters that say what is tested and how: test plan and method."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

from collector.schema import Outcome
from sitegen import figures, labels
from sitegen.report import naming
from sitegen.report.blocks import Block, Column, Heading, Items, Paragraph, Table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from collector.derive import Figure
    from sitegen.report.material import Material


def plan(material: Material) -> Iterator[Block]:
    """Yield the test plan: purpose, subjects, cases, metrics, groups."""
    words = material.words
    yield Heading("sec-plan", 1, words.text("plan.title"))
    yield from _section(material, "plan", "purpose")
    yield Heading("sec-plan-subjects", 2, words.text("plan.subjects"))
    yield Paragraph(words.spans("plan.subjects_text"))
    yield _subjects(material)
    yield Heading("sec-plan-cases", 2, words.text("plan.cases"))
    yield Paragraph(words.spans("plan.cases_text"))
    yield _cases(material)
    yield Heading("sec-plan-metrics", 2, words.text("plan.metrics"))
    yield Paragraph(words.spans("plan.metrics_text"))
    yield _metrics(material)
    yield Heading("sec-plan-groups", 2, words.text("plan.groups"))
    yield Paragraph(words.spans("plan.groups_text"))
    yield Items(words.sentences("plan.groups_items"))


def method(material: Material) -> Iterator[Block]:
    """Yield the method: measurement, statistics, comparison, proof, failures, published figures."""
    words = material.words
    yield Heading("sec-method", 1, words.text("method.title"))
    for name in ("measuring", "statistics", "comparing", "proof"):
        yield from _section(material, "method", name)
    yield Heading("sec-method-failures", 2, words.text("method.failures"))
    yield Paragraph(words.spans("method.failures_text"))
    yield _outcomes(material)
    yield from _section(material, "method", "published")


def _section(material: Material, chapter: str, name: str) -> Iterator[Block]:
    yield Heading(f"sec-{chapter}-{name}", 2, material.words.text(f"{chapter}.{name}"))
    for paragraph in material.words.sentences(f"{chapter}.{name}_text"):
        yield Paragraph(paragraph)


def _subjects(material: Material) -> Table:
    words = material.words
    columns = (
        Column(words.text("plan.framework"), share=1),
        Column(words.text("plan.releases"), share=1.6),
        Column(words.text("plan.measured"), "right", share=0.8),
        Column(words.text("plan.published"), "right", share=0.8),
    )
    names = {f.cell.framework: labels.framework_name(material.edition, f.cell.framework) for f in material.figures}
    rows = tuple(
        (name, _releases(material, key), _number(material.measured, key), _number(material.published, key))
        for key, name in sorted(names.items(), key=lambda pair: (pair[1].casefold(), pair[0]))
    )
    return Table("tab-subjects", words.text("plan.caption_subjects"), columns, rows)


def _releases(material: Material, framework: str) -> str:
    found = {
        figure.cell.stack.framework_version or material.shared("release", None)
        for figure in material.measured
        if figure.cell.framework == framework
    }
    return ", ".join(sorted(found)) or material.words.text("plan.none")


def _number(found: Sequence[Figure], framework: str) -> str:
    return str(sum(figure.cell.framework == framework for figure in found) or "–")


def _cases(material: Material) -> Table:
    words = material.words
    keys = ("case", "task", "parameters", "work", "batch")
    shares = {"case": 1.4, "task": 2.4}
    columns = tuple(
        Column(words.text(f"plan.{key}"), "left" if key in shares else "right", shares.get(key, 0)) for key in keys
    )
    rows = tuple(
        (
            workload.title[words.language],
            workload.task[words.language],
            " / ".join(f"{count:,}" for count in workload.parameters),
            figures.large(workload.multiply_adds),
            str(workload.batch["same"]),
        )
        for workload in material.dataset.vocabulary.workloads.values()
        if workload.board
    )
    return Table("tab-cases", words.text("plan.caption_cases"), columns, rows)


def _metrics(material: Material) -> Table:
    words = material.words
    keys = ("metric", "unit", "better", "meaning")
    shares = {"metric": 1.1, "meaning": 2.6}
    columns = tuple(Column(words.text(f"plan.{key}"), share=shares.get(key, 0)) for key in keys)
    first = {board.metric: board for board in reversed(material.boards)}
    rows = tuple(
        (
            metric.title[words.language],
            naming.unit(material, first[key]),
            material.shared("better", metric.better),
            words.text(f"metric_meaning.{key}"),
        )
        for key, metric in material.dataset.vocabulary.metrics.items()
        if key in first
    )
    return Table("tab-metrics", words.text("plan.caption_metrics"), columns, rows)


def _outcomes(material: Material) -> Table:
    words = material.words
    columns = (Column(words.text("method.outcome")), Column(words.text("method.meaning"), share=1))
    rows = tuple(
        (material.shared("outcome", f"{outcome}.name"), material.shared("outcome", f"{outcome}.meaning"))
        for outcome in get_args(Outcome)
    )
    return Table("tab-outcomes", words.text("method.caption_outcomes"), columns, rows)
