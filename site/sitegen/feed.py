"""The Atom feed (RFC 4287) of submissions: new ones, and those that were withdrawn or replaced."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from collector.schema import ID_DIGITS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sitegen.pages import SubmissionText
    from sitegen.views.submission import Document
    from sitegen.words import Words

NAMESPACE = "http://www.w3.org/2005/Atom"
ENTRIES = 50  # readers ask again and again
MIDNIGHT = "T00:00:00Z"  # submissions have a day


def feed(
    words: Words, documents: Sequence[tuple[Document, str]], texts: Sequence[SubmissionText], address: str, updated: str
) -> str:
    """Return the feed of one language; `documents` come with their days, `updated` is the day of the data."""
    home = f"{address.rstrip('/')}/{words.language}/"
    titles = {text.id: text for text in texts}
    root = ET.Element("feed", {"xmlns": NAMESPACE, "xml:lang": words.language})
    _add(root, "title", words("shared.name"))
    _add(root, "subtitle", words("site.description"))
    _add(root, "id", home)
    _add(root, "updated", updated + MIDNIGHT)
    ET.SubElement(root, "link", rel="self", href=f"{home}feed.xml")
    ET.SubElement(root, "link", rel="alternate", href=home)
    author = ET.SubElement(root, "author")
    _add(author, "name", words("shared.name"))
    newest = sorted(documents, key=lambda pair: pair[0].id)
    newest.sort(key=lambda pair: pair[1], reverse=True)
    for document, day in newest[:ENTRIES]:
        text = titles[document.id[:ID_DIGITS]]
        entry = ET.SubElement(root, "entry")
        _add(entry, "title", _title(words, document, text.title))
        _add(entry, "id", f"urn:sha256:{document.id}")
        _add(entry, "updated", (day or updated) + MIDNIGHT)
        ET.SubElement(entry, "link", rel="alternate", href=f"{home}submissions/{text.id}/")
        _add(entry, "summary", text.description)
    ET.indent(root, " ")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def _title(words: Words, document: Document, title: str) -> str:
    """Return a submission's title with what has become of it since."""
    if document.submission.withdrawn is not None:
        return f"{words('site.feed.withdrawn')} {title}"
    return title if document.superseded_by is None else f"{words('site.feed.superseded')} {title}"


def _add(parent: ET.Element, name: str, text: str) -> None:
    ET.SubElement(parent, name).text = text
