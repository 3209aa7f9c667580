"""Write the pages of this folder that follow from the code: commands.md, data.md, problems.md (`make docs`)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

import rosetta
from collector.problems import CATALOGUE
from collector.tabulate import COLUMNS

if TYPE_CHECKING:
    from collections.abc import Iterator

DOCS = Path(__file__).resolve().parent
NOTE = "<!-- Written by `make docs` from the code; edit there. -->\n\n"


def commands() -> str:
    """Return the manual of the command line: the help text of every subcommand."""
    parts = [f"# Commands\n\n{NOTE}"]
    group = click.Context(rosetta.main, info_name="rosetta", **rosetta.main.context_settings)
    for name in rosetta.COMMANDS:
        command = rosetta.main.get_command(group, name)
        if command is None:
            raise LookupError(name)
        parts += _manual(command, name, group)
    return "".join(parts).rstrip() + "\n"


def _manual(command: click.Command, name: str, parent: click.Context) -> Iterator[str]:
    context = click.Context(command, info_name=name, parent=parent, max_content_width=100, terminal_width=100)
    yield f"## `{context.command_path}`\n\n```text\n{command.get_help(context)}\n```\n\n"
    for inner in getattr(command, "commands", {}).values():
        yield from _manual(inner, inner.name, context)


def data() -> str:
    """Return the description of the published data set, a line a column."""
    rows = "".join(f"| `{c.name}` | {c.dtype} | {c.unit or ''} | {c.meaning} |\n" for c in COLUMNS)
    head = "# The data set\n\n" + NOTE + (
        "`rosetta build` writes it to `build/data` as Parquet, CSV and JSON; one row a result and metric. A missing value\n"
        "stays missing: it is never 0. In the CSV a text that begins with `=`, `+`, `-` or `@` has an apostrophe before\n"
        "it, so that a spreadsheet shows it instead of running it.\n\n"
        "| column | type | unit | meaning |\n| --- | --- | --- | --- |\n"
    )  # fmt: skip
    return head + rows


def problems() -> str:
    """Return the catalogue of everything that `rosetta check` can find."""
    parts = [f"# Problems that `rosetta check` can find\n\n{NOTE}"]
    parts += [
        f"## `{code}`\n\n**{entry.title}.** {entry.explanation}\n\n*Remedy:* {entry.remedy}\n\n"
        for code, entry in sorted(CATALOGUE.items())
    ]
    return "".join(parts).rstrip() + "\n"


PAGES = {"commands.md": commands, "data.md": data, "problems.md": problems}


def main() -> None:
    os.environ["COLUMNS"] = "100"
    for name, page in PAGES.items():
        (DOCS / name).write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
