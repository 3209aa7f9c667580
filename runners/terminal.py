"""What the commands share: errors become sentences, lines are said plainly, and environments are made in sight."""

from __future__ import annotations

import contextlib
import io
import sys
from typing import TYPE_CHECKING

import click

from runners import environments
from runners.errors import RunnersError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import Console

    from runners.environments import Environment
    from runners.manifests import Framework


@contextlib.contextmanager
def explained() -> Iterator[None]:
    """Turn an error of ours into its sentence and an exit code: 2 for wrong usage, 1 for the rest."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that can't show a name shows a question mark
    try:
        yield
    except RunnersError as error:
        click.echo(f"Error: {error}", err=True)
        raise SystemExit(2 if isinstance(error, UsageError) else 1) from error
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        remedy = "Free disk space, or choose a folder that you may write to (--output, ROSETTA_CACHE, TMPDIR)."
        click.echo(f"Error: {where}{error.strerror}. {remedy} Finished runs are kept.", err=True)
        raise SystemExit(1) from error


def make(framework: Framework, kind: str, console: Console) -> Environment:
    """Return a framework's environment; while it is being made the last line of pip's output shows that it goes on."""
    if found := environments.find(framework, kind):
        return found
    title = f"Making the environment of {framework.name} {framework.version}"
    if not console.is_terminal:
        return environments.make(framework, kind, lambda line: console.print(line, markup=False, soft_wrap=True))
    with console.status(title) as status:
        return environments.make(framework, kind, lambda line: status.update(f"{title}: {line[:60]}"))


def say(console: Console, line: str) -> None:
    """Print a line as it is."""
    console.print(line, markup=False, highlight=False, soft_wrap=True)
