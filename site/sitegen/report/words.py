"""The report's own words in one language: sentences with named gaps, counted nouns; `words` has what the site shares."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from string import Formatter
from typing import TYPE_CHECKING, Any

from sitegen.report.blocks import Piece, Ref, Text
from sitegen.words import I18N

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


@dataclass(frozen=True)
class ReportWords:
    """Strings of one language, addressed by dotted keys; a key that is absent is a bug and raises KeyError."""

    language: str
    strings: Mapping[str, Any]

    def sentences(self, key: str, **gaps: Piece) -> tuple[Text, ...]:
        """Return the sentences or paragraphs under a key with their gaps filled."""
        found = self._find(key)
        return tuple(_fill(template, gaps) for template in found)

    def spans(self, key: str, **gaps: Piece) -> Text:
        """Return a sentence as pieces; a gap named like a heading, figure or table becomes a reference to it."""
        return _fill(self._find(key), gaps)

    def text(self, key: str, **gaps: str) -> str:
        """Return a text without references."""
        return "".join(piece for piece in self.spans(key, **gaps) if isinstance(piece, str))

    def pairs(self, key: str) -> tuple[tuple[str, str], ...]:
        """Return a list of terms with their meanings."""
        return tuple((term, meaning) for term, meaning in self._find(key))

    def count(self, number: int, noun: str) -> str:
        """Return a counted noun, such as `1 result` or `3 条结果`."""
        form: str = self._find(f"count.{noun}")[0 if number == 1 else 1]
        return form.format(n=f"{number:,}")

    def join(self, parts: Iterable[str]) -> str:
        """Return an enumeration in the manner of the language."""
        *head, last = parts
        return last if not head else self.text("comma").join(head) + self.text("and") + last

    def _find(self, key: str) -> Any:  # noqa: ANN401 - a string or a list of strings
        found: Any = self.strings
        for part in key.split("."):
            found = found[part]
        return found


def _fill(template: str, gaps: Mapping[str, Piece]) -> Text:
    pieces: list[Piece] = []
    for literal, gap, _spec, _conversion in Formatter().parse(template):
        pieces.append(literal)
        if gap is not None:
            pieces.append(gaps[gap] if gap in gaps else _constant(gap))
    return joined(pieces)


def joined(pieces: Iterable[Piece]) -> Text:
    """Return pieces with neighbouring texts put together, so that the typesetter sees where Chinese meets Latin."""
    whole: list[Piece] = []
    for piece in pieces:
        if isinstance(piece, str) and whole and isinstance(whole[-1], str):
            whole[-1] += piece
        elif piece != "":
            whole.append(piece)
    return tuple(whole)


def _constant(gap: str) -> Piece:
    if gap.startswith(("sec-", "tab-")):
        return Ref(gap)
    raise KeyError(gap)


def load_report_words(language: str) -> ReportWords:
    """Read the words of a language."""
    strings = tomllib.loads((I18N / f"report.{language}.toml").read_text("utf-8"))
    return ReportWords(language, strings)
