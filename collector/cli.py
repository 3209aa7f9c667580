"""`rosetta check` and `rosetta schema`; `build` and `import` come from `build_cli`."""

from __future__ import annotations

import json
import os
import sys
from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from collector import files, pool, report, store
from collector.build_cli import build_command
from collector.digest import digest
from collector.json_schema import json_schema
from collector.logs.cli import import_command
from collector.pool import Job
from collector.problems import Severity
from collector.report import Checked
from collector.survey import between

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from collector.digest import Header
    from collector.neighbours import Value
    from collector.repeats import Claims
    from collector.vocabulary import Vocabulary

__all__ = ["build_command", "check_command", "import_command", "schema_command"]

FORMATS = {"text": report.text, "json": report.as_json, "github": report.github}

CHECK_EPILOG = """\b
Examples:
  rosetta check build/submissions
  rosetta check --strict data/submissions/jane/2026-11-30-nvidia-h200-1a2b3c.json
  rosetta check --json result.json

Exit code 0: fine, or warnings only; 1: errors, with --strict warnings too; 2: wrong usage.
"""


class Day(click.ParamType[date]):
    """A day as YYYY-MM-DD."""

    name = "date"

    def convert(self, value: str | date, param: click.Parameter | None, ctx: click.Context | None) -> date:
        try:
            return value if isinstance(value, date) else date.fromisoformat(value)
        except ValueError:
            self.fail(f"{value!r} is no day; write it as YYYY-MM-DD.", param, ctx)


@click.command("check", epilog=CHECK_EPILOG)
@click.argument("paths", nargs=-1, metavar="[FILE|DIR]...", type=click.Path(exists=True, path_type=Path))
@click.option("--json", "format_", flag_value="json", help="The same as --format json.")
@click.option(
    "--format", "format_", type=click.Choice([*FORMATS]), default="text", show_default=True, help="How to say it."
)
@click.option("--strict", is_flag=True, help="Let warnings count as problems.")
@click.option("--today", type=Day(), help="The day after which dates lie in the future; by default the current one.")
@click.option(
    "--data",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=store.DATA,
    help="Folder with vocabulary, workloads and the submissions to compare with.",
)
@click.pass_context
def check_command(
    context: click.Context, paths: Sequence[Path], format_: str, strict: bool, today: date | None, data: Path
) -> None:
    """Check submission files, and all .json files below folders; print every problem at once.

    The files are also compared with those of the data folder, which are checked themselves if no path is given.
    """
    given = list(_files(paths or [data / "submissions"]))
    if not given:
        raise click.UsageError(f"No .json file below {', '.join(map(_shown, paths or [data / 'submissions']))}.")
    try:
        words = store.load_vocabulary(data)
        checked = _checked(given, data, words, today or datetime.now(UTC).date())
    except store.DataError as error:
        raise click.ClickException(str(error)) from error
    print_text(FORMATS[format_](checked))
    found = [problem for file in checked for problem in file.problems]
    context.exit(int(any(strict or problem.severity is Severity.ERROR for problem in found)))


@click.command("schema", epilog="Example: rosetta schema > submission.schema.json")
def schema_command() -> None:
    """Print the JSON Schema (2020-12) of a submission.

    It describes the shape; what fields mean together is for `rosetta check`.
    """
    print_text(schema_text())


def schema_text() -> str:
    """Return the JSON Schema as it stands in submission.schema.json, in ASCII."""
    return json.dumps(json_schema(), indent=2) + "\n"


def _files(paths: Sequence[Path]) -> Iterator[Path]:
    """Yield files in the order given, those of a folder by name; none twice."""
    seen = set()
    for path in paths:
        for file in files.submission_files(path) if path.is_dir() else [path] if path.exists() else []:
            place = file.absolute()
            if place not in seen:
                seen.add(place)
                yield file


def _checked(given: Sequence[Path], data: Path, words: Vocabulary, today: date) -> list[Checked]:
    """Check the files one by one, then against each other and against the data."""
    jobs = [Job(_shown(path), path) for path in given]
    judged = list(pool.each(partial(_judged, today=today), jobs, words))
    claims = [each for _header, each, _values in judged if each]
    values = [value for _header, _claims, each in judged for value in each]
    # The data come first: whatever repeats them has the problem.
    others, beside = _in_data(given, data, words, claims, values)
    found = between([*others, *claims], [*beside, *values])
    return [
        Checked(header.file, header.id, header.results, header.runs, (*header.problems, *found.get(header.file, ())))
        for header, _claims, _values in judged
    ]


def _judged(job: Job, words: Vocabulary, today: date) -> tuple[Header, Claims | None, tuple[Value, ...]]:
    found = digest(files.reading(job.path, job.file), job.file, words, yours=False, today=today)
    return found.header, found.claims, found.values


def _in_data(
    given: Sequence[Path], data: Path, words: Vocabulary, claims: Sequence[Claims], values: Sequence[Value]
) -> tuple[list[Claims], list[Value]]:
    """Return what the other files of the data folder say about the given ones."""
    known = {os.path.realpath(path) for path in given}
    public = files.named(data / "submissions", store.ROOT)
    others = {file for file, path in public.items() if os.path.realpath(path) not in known}
    if not others:
        return [], []
    with store.indexed(data) as index:
        index.refresh(public, words, yours=False)
        return (
            [found for found in index.claims_beside(claims) if found.file in others],
            [value for value in index.values_beside(values) if value.file in others],
        )


def _shown(path: Path) -> str:
    """Return a path as text in any locale: below the current folder by its short form, with / between the parts."""
    here = Path.cwd()
    short = path.relative_to(here) if path.is_relative_to(here) else path
    return files.shown(short)


def print_text(text: str) -> None:
    """Print what the terminal's encoding can hold, and the rest by its code."""
    encoding = sys.stdout.encoding or "utf-8"
    click.echo(text.encode(encoding, "backslashreplace").decode(encoding), nl=False)
