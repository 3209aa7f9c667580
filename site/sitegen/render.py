"""Views into HTML by Jinja2: undefined names are errors, everything is escaped."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import jinja2
from markupsafe import Markup

from sitegen import plotly

if TYPE_CHECKING:
    from sitegen.labels import Edition

TEMPLATES = Path(__file__).resolve().parent.parent.parent / "templates" / "site"


def environment(folder: Path = TEMPLATES) -> jinja2.Environment:
    """Return the environment of the site's templates."""
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder, encoding="utf-8"),
        undefined=jinja2.StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def render(templates: jinja2.Environment, template: str, edition: Edition, depth: int, **context: object) -> str:
    """Return a template's HTML; `depth` counts the folders between the page and the language's own folder."""
    root = "../" * depth

    def href(link: str) -> str:
        """Return a link as seen from the page; only web addresses count as absolute."""
        return link if link.startswith(("https://", "http://")) else root + link

    return templates.get_template(template).render(
        words=edition.words, root=root, href=href, chart_height=plotly.height, **context
    )


def page(
    title: str, body: str, *, description: str, hide: tuple[str, ...] = ("navigation", "toc"), search: bool = True
) -> str:
    """Return a Markdown file that holds HTML only: front matter, then one block that Markdown leaves alone."""
    lines = [f"title: {_yaml(title)}", f"description: {_yaml(description)}", f"hide: {json.dumps(list(hide))}"]
    if not search:
        lines.append("search: {exclude: true}")
    front = "\n".join(("---", *lines, "---"))
    return f'{front}\n\n<div class="rb">\n{_block(body)}\n</div>\n'


def _yaml(text: str) -> str:
    """Return a text as a YAML string: JSON's quoting is part of YAML."""
    return json.dumps(str(Markup.escape(text)))


def _block(body: str) -> str:
    """Return HTML without blank lines and indentation, which Markdown could take for its own."""
    return "\n".join(line.strip() for line in body.splitlines() if line.strip())
