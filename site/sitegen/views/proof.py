"""What a submission's page says of the proof that the specified network was trained: what agrees, what is missing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sitegen import figures

if TYPE_CHECKING:
    from collections.abc import Iterator

    from collector.schema import Equality, Result
    from collector.vocabulary import Workload
    from sitegen.labels import Edition

Facts = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Proof:
    """`verdict` in a sentence; what was compared and what is missing; `code` identifies what ran."""

    verdict: str
    compared: Facts
    code: Facts


def proof(edition: Edition, result: Result, verdict: str | None) -> Proof:
    """Return what is proved of a result; `verdict` is what the collector derived, None where it derived nothing."""
    words, equality = edition.words, result.equality
    known = edition.vocabulary.workloads.get(result.workload)
    compared: list[tuple[str, str]] = []
    if equality is not None and known is not None:
        compared = list(_compared(edition, equality, known))
    name = verdict if compared and verdict is not None else "none"
    code = result.fingerprint
    pairs = (("adapter_code", code.adapter), ("workload_code", code.workload)) if code else ()
    return Proof(
        verdict=words(f"site.submission.equality_{name}"),
        compared=tuple((words(f"site.submission.{key}"), text) for key, text in compared),
        code=tuple((words(f"site.submission.{key}"), digest) for key, digest in pairs),
    )


def _compared(edition: Edition, equality: Equality, known: Workload) -> Iterator[tuple[str, str]]:
    """Yield (key of its name, text) for everything that the specification asks for."""
    words = edition.words
    missing = words("site.submission.equality_missing")
    expected = " / ".join(f"{count:,}" for count in known.parameters)
    value = missing if equality.parameters is None else f"{equality.parameters:,}"
    yield "parameters", words("site.submission.parameters_value", value=value, expected=expected)
    if known.expected_loss is not None:
        loss = missing if equality.probe_loss is None else figures.measured(equality.probe_loss)
        expected = figures.measured(known.expected_loss)
        yield "probe_loss", words("site.submission.probe_value", value=loss, expected=expected)
    if equality.logits_error is not None:
        yield "logits", words("site.submission.logits_value", value=f"{equality.logits_error:.2g}")
    elif known.logits:
        yield "logits", words("site.submission.logits_missing")
