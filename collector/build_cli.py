"""`rosetta build` and `rosetta import`: thin shells around `store` and the importers."""

from __future__ import annotations

import importlib
import pkgutil
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from collector import importers, store
from collector.options import EXISTING, FOLDER, dataset_options
from collector.problems import Severity
from collector.schema import ID_DIGITS
from collector.transcribe import ImporterError
from collector.wording import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from collector.problems import Problem


@click.command("build", epilog="Example: rosetta build --keep-going --output /tmp/data")
@dataset_options
@click.option(
    "--output", "-o", type=FOLDER, default=store.BUILD / "data", help="Where the files are written (build/data)."
)
@click.option("--rows-only", is_flag=True, help="Write only index.json and the rows of workloads that have changed.")
def build_command(data: Path, local: Path, output: Path, rows_only: bool, keep_going: bool) -> None:
    """Build the data set (Parquet, CSV, JSON) from all submissions.

    What was read before is kept in build/index.sqlite: only new and changed files are read again.
    """
    with errors_told():
        if rows_only:
            with store.surveyed(data, local, keep_going=keep_going) as found:
                version, written = store.write_rows(found, output)
            rows = sum(header.rows for header in found.headers)
            submissions, problems, left_out = len(found.headers), found.problems, found.left_out
        else:
            dataset = store.load(data, local, keep_going=keep_going)
            version, written = dataset.version, store.write_dataset(dataset, output)
            rows, submissions = len(dataset.table), len(dataset.submissions)
            problems, left_out = dataset.problems, dataset.left_out
    _tell_problems(problems, left_out)
    for path in written:
        click.echo(f"{path}")
    click.echo(f"{rows:,} rows of {submissions:,} submissions, data version {version[:ID_DIGITS]}")


def _tell_problems(problems: Iterable[Problem], left_out: Iterable[str]) -> None:
    """Print errors, which left a file out, in full; warnings as a number, because `rosetta check` shows them."""
    warnings = 0
    for problem in problems:
        if problem.severity is Severity.ERROR:
            click.echo(str(problem), err=True)
        else:
            warnings += 1
    for file in left_out:
        click.echo(f"left out: {visible(file)}", err=True)
    if warnings:
        click.echo(f"{warnings:,} warnings; `rosetta check` shows them", err=True)


@click.group("import")
def import_command() -> None:
    """Turn published figures and logs into submissions."""


@import_command.command("published", epilog="Example: rosetta import published deeplearningframeworks")
@click.argument("name")
@click.option("--data", type=EXISTING, default=store.DATA, help="Folder with sources and vocabulary (data).")
@click.option("--output", "-o", type=FOLDER, help="Where the source's folder is written (DATA/submissions/published).")
def import_published(name: str, data: Path, output: Path | None) -> None:
    """Transcribe the source NAME, whose figures are kept in data/sources/NAME.csv."""
    names = sorted(module.name for module in pkgutil.iter_modules(importers.__path__) if not module.ispkg)
    if name not in names:
        raise click.BadParameter(f"there is no importer {name!r}; known: {', '.join(names)}", param_hint="NAME")
    importer = importlib.import_module(f"{importers.__name__}.{name}")
    folder = (output or data / "submissions" / "published") / importer.FOLDER
    with errors_told():
        source = data / "sources" / f"{name}.csv"
        parts = importer.submissions(source.read_text("utf-8"), store.load_vocabulary(data))
        for part, submission in parts.items():
            store.write_submission(folder / f"{part}.json", submission)
            click.echo(f"{folder / part}.json: {len(submission.results)} results")


@contextmanager
def errors_told() -> Iterator[None]:
    """Turn the errors that a person can mend into a message and exit code 1."""
    try:
        yield
    except store.DataError as error:
        for problem in error.problems:
            click.echo(str(problem), err=True)
        raise click.ClickException(str(error)) from error
    except ImporterError as error:
        raise click.ClickException(str(error)) from error
    except OSError as error:
        raise click.ClickException(f"{error.filename}: {error.strerror}.") from error
