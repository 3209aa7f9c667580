"""What a submission's page shows of figures that its source states: each with its place in the source."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from sitegen import figures, labels
from sitegen.tables import Cell, Heading, Table, number_cell, text_cell

if TYPE_CHECKING:
    from collector.schema import Result, Submission
    from sitegen.labels import Edition


def reported_table(edition: Edition, submission: Submission) -> Table:
    """Return the figures that a submission's source states, each with its place in the source."""
    words = edition.words
    keys = ("workload", "framework", "device", "settings", "metric", "value", "raw", "citation", "reason")
    titles = dict.fromkeys(("framework", "device", "settings", "raw", "citation"), "site.board")
    return Table(
        id="reported",
        caption=words("site.submission.reported"),
        headings=tuple(Heading(k, words(f"{titles.get(k, 'site.submission')}.{k}"), k == "value") for k in keys),
        rows=tuple(
            _reported_cells(edition, submission, result, position)
            for result in submission.results
            for position in range(len(result.reported))
        ),
    )


def _reported_cells(edition: Edition, submission: Submission, result: Result, position: int) -> tuple[Cell, ...]:
    figure = result.reported[position]
    stack, device = submission.stacks[result.stack], submission.machines[result.machine].devices[0]
    unit = labels.unit_name(edition, figure.unit, result.workload)
    name = labels.device_name(edition, device.name or edition.words("shared.not_stated"), result.scale.devices)
    value = Cell(missing=True)
    if figure.value is not None:
        value = number_cell(figure.value, f"{figures.printed(figure.value)}{figures.NBSP}{unit}")
    detail = " · ".join(filter(None, (stack.api, result.variant, labels.language_name(stack.language))))
    return (
        text_cell(labels.workload_title(edition, result.workload), link=_board_link(edition, result.workload)),
        text_cell(labels.framework_name(edition, stack.framework), detail=detail),
        text_cell(name),
        text_cell(_settings(edition, result), detail=figure.statistic or ""),
        text_cell(labels.metric_title(edition, figure.metric)),
        value,
        text_cell(figure.raw_text or ""),
        _citation_cell(submission, result),
        text_cell(result.reason or ""),
    )


def _board_link(edition: Edition, workload: str) -> str | None:
    """Return the address of a workload's page; jobs that are known by name alone have none."""
    known = edition.vocabulary.workloads.get(workload)
    return f"workloads/{workload}/" if known and known.board else None


def _settings(edition: Edition, result: Result) -> str:
    """Return what a source states of a result beside its device, in one line."""
    named = (("precision", result.precision), ("mode", result.mode), ("data_kind", result.data.kind))
    parts = [edition.words.named(group, value) for group, value in named if value is not None]
    how = labels.stated(edition, result.batch.per_device, result.scale.nodes, result.options)
    return " · ".join([*parts, *how])


def _citation_cell(submission: Submission, result: Result) -> Cell:
    locator = result.locator
    if locator is None:
        return Cell()
    text = locator.path if locator.line is None else f"{locator.path}:{locator.line}"
    return text_cell(text, link=source_address(submission, locator.path, locator.line))


def source_address(submission: Submission, path: str, line: int | str | None) -> str | None:
    """Return the address of a line in the version of the source that was read, for sources on GitHub."""
    source = submission.source
    if source is None or source.url is None:
        return None
    if source.commit is None or not source.url.startswith("https://github.com/"):
        return source.url
    mark = f"#L{line}" if isinstance(line, int) else ""
    # ?plain=1 shows a Markdown file by line instead of rendered, where #L has no meaning
    plain = "?plain=1" if mark and path.endswith(".md") else ""
    return f"{source.url.rstrip('/')}/blob/{source.commit}/{quote(path)}{plain}{mark}"
