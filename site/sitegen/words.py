"""The site's words in one language, read from `site/i18n`; a missing word is an error, never a blank."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

I18N = Path(__file__).resolve().parent.parent / "i18n"
LANGUAGES = ("en", "zh")


@dataclass(frozen=True)
class Words:
    """Texts by dotted key, such as `site.home.title`."""

    language: str
    texts: Mapping[str, str]

    def __call__(self, key: str, **values: object) -> str:
        """Return the text of a key with its `{names}` filled in."""
        return self.texts[key].format_map(values) if values else self.texts[key]

    def named(self, group: str, value: str | None) -> str:
        """Return the word for a value of a closed set, or the words for a value that isn't stated."""
        return self("shared.not_stated") if value is None else self.texts.get(f"shared.{group}.{value}", value)


def flatten(table: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    """Yield (dotted key, text) for each string of nested TOML tables."""
    for key, entry in table.items():
        if isinstance(entry, Mapping):
            yield from flatten(entry, f"{prefix}{key}.")
        else:
            yield prefix + key, entry


def load_words(language: str, folder: Path = I18N) -> Words:
    """Read the words of one language."""
    return Words(language, dict(flatten(tomllib.loads((folder / f"{language}.toml").read_text("utf-8")))))
