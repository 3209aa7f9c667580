"""What things are called in one language: frameworks, devices, units, settings."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from collector.boards import Board, Row
    from collector.vocabulary import Vocabulary
    from sitegen.words import Words


UNSTATED = ", variant not stated"  # how the vocabulary ends the name of a device that a source leaves open


@dataclass(frozen=True)
class Edition:
    """A language with the canonical names: all that a view needs beside the results."""

    words: Words
    vocabulary: Vocabulary

    @property
    def language(self) -> str:
        return self.words.language


def framework_name(edition: Edition, framework: str) -> str:
    """Return a framework's display name; an unknown id stands for itself."""
    known = edition.vocabulary.frameworks.get(framework)
    return known.name if known else framework


def workload_title(edition: Edition, workload: str) -> str:
    """Return a workload's title; an unknown id stands for itself."""
    known = edition.vocabulary.named_workload(workload)
    return known.title[edition.language] if known else workload


def metric_title(edition: Edition, metric: str) -> str:
    """Return a metric's title; an unknown id stands for itself."""
    known = edition.vocabulary.metrics.get(metric)
    return known.title[edition.language] if known else metric


def unit_name(edition: Edition, unit: str, workload: str) -> str:
    """Return a unit's name; samples are called by what the workload calls them."""
    known = edition.vocabulary.named_workload(workload)
    item = known.item[edition.language] if known else "samples"
    text = edition.words.texts.get(f"shared.unit.{unit}")
    return unit if text is None else text.format(item=item)


def device_name(edition: Edition, device: str, devices: int | None) -> str:
    """Return a device's name in the edition's language, with how many of them where there are several."""
    plain = device.removesuffix(UNSTATED)
    name = device if plain == device else edition.words("site.board.variant_open", device=plain)
    return name if devices in (None, 1) else edition.words("site.board.devices_of", count=devices, device=name)


def language_name(language: str | None) -> str | None:
    """Return a programming language's name: submissions write it in small letters."""
    return language and language[0].upper() + language[1:]


def row_title(edition: Edition, row: Row) -> str:
    """Return a row's framework with its release."""
    return " ".join(filter(None, (framework_name(edition, row.framework), row.framework_version)))


def row_detail(edition: Edition, row: Row) -> str:
    """Return what tells a row from others of its framework: interface, variant, language."""
    language = None if (row.language or "").casefold() == "python" else language_name(row.language)
    api = None if (row.api or "").casefold() == framework_name(edition, row.framework).casefold() else row.api
    return " · ".join(filter(None, (api, row.variant, language)))


def row_label(edition: Edition, row: Row) -> str:
    """Return title and detail in one line, for charts and sentences."""
    detail = row_detail(edition, row)
    return f"{row_title(edition, row)} ({detail})" if detail else row_title(edition, row)


def settings(edition: Edition, row: Row) -> tuple[tuple[str, str], ...]:
    """Return the comparability settings of a row as (label, value); what isn't stated says so."""
    words = edition.words

    def number(value: int | None) -> str:
        return words("shared.not_stated") if value is None else str(value)

    batch = number(row.batch_per_device)
    if row.batch_level is not None and row.batch_level != "one":
        batch += f" ({words.named('batch_level', row.batch_level)})"
    values = [
        ("precision", words.named("precision", row.precision)),
        ("data_kind", words.named("data_kind", row.data_kind)),
        ("batch", batch),
        ("nodes", number(row.nodes)),
        ("devices", number(row.devices)),
        ("threads_per_process", number(row.threads_per_process)),
        ("window", words.named("window", row.window)),
        ("option_class", words.named("option_class", row.option_class)),
    ]
    if row.device_kind == "cpu":
        values.insert(5, ("visible_threads", number(row.visible_threads)))
    return tuple((words(f"shared.setting.{key}"), value) for key, value in values)


def short_settings(edition: Edition, row: Row) -> str:
    """Return what a source states of a row beside its device, in one line: batch, machines, options."""
    options = json.loads(row.options) if row.options else {}
    return " · ".join(stated(edition, row.batch_per_device, row.nodes, options))


def stated(edition: Edition, batch: int | None, nodes: int | None, options: Mapping[str, object]) -> list[str]:
    """Return batch, machines and options in words, as far as they are stated."""
    words = edition.words
    parts = [] if batch is None else [words("site.board.batch_of", count=batch)]
    if nodes is not None and nodes > 1:
        parts.append(words("site.board.machines_of", count=nodes))
    return [*parts, *(f"{name}: {_plain(value)}" for name, value in options.items())]


def _plain(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def caption(edition: Edition, board: Board) -> str:
    """Return what a board shows, in one phrase: workload, metric, unit, direction, source."""
    kind = "published" if board.published else "measured"
    return edition.words(
        f"site.board.caption_{kind}",
        workload=workload_title(edition, board.workload),
        metric=metric_title(edition, board.metric),
        unit=unit_name(edition, board.unit, board.workload),
        better=edition.words(f"shared.better.{board.better}"),
        source=board.source_title,
    )
