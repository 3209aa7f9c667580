"""`rosetta build` and `rosetta import`: thin shells around `store` and the importers."""

from __future__ import annotations

import importlib
import pkgutil
from pathlib import Path

import click

from collector import importers, store
from collector.transcribe import ImporterError

FOLDER = click.Path(file_okay=False, path_type=Path)


@click.command("build", epilog="Example: rosetta build --output /tmp/data")
@click.option("--data", type=FOLDER, default=store.DATA, help="Folder with vocabulary, workloads and submissions.")
@click.option("--local", type=FOLDER, default=store.LOCAL, help="Folder of your own results that aren't submitted.")
@click.option("--output", "-o", type=FOLDER, default=store.BUILD / "data", help="Where the data set is written.")
@click.option("--keep-going", is_flag=True, help="Leave out files with errors instead of stopping at them.")
def build_command(data: Path, local: Path, output: Path, keep_going: bool) -> None:
    """Build the published data set (Parquet, CSV, JSON) from all submissions."""
    try:
        dataset = store.load(data, local, keep_going=keep_going)
    except store.DataError as error:
        for problem in error.problems:
            click.echo(str(problem), err=True)
        raise click.ClickException(str(error)) from error
    for problem in dataset.problems:
        click.echo(str(problem), err=True)
    for file in dataset.left_out:
        click.echo(f"Left out: {file}", err=True)
    for path in store.write_dataset(dataset, output):
        click.echo(f"{path}: {len(dataset.table):,} rows")
    click.echo(f"Data version {dataset.version[:12]}, {len(dataset.submissions):,} submissions.")


@click.group("import")
def import_command() -> None:
    """Turn published figures into submissions."""


@import_command.command("published", epilog="Example: rosetta import published deeplearningframeworks")
@click.argument("name")
@click.option("--data", type=FOLDER, default=store.DATA, help="Folder with sources and vocabulary.")
@click.option("--output", "-o", type=FOLDER, help="Where the source's folder is written; default: its place in --data.")
def import_published(name: str, data: Path, output: Path | None) -> None:
    """Transcribe the source NAME, whose figures are kept in data/sources/NAME.csv."""
    names = sorted(module.name for module in pkgutil.iter_modules(importers.__path__))
    if name not in names:
        raise click.BadParameter(f"no importer {name!r}; there are: {', '.join(names)}", param_hint="NAME")
    importer = importlib.import_module(f"collector.importers.{name}")
    source = data / "sources" / f"{name}.csv"
    folder = (output or data / "submissions" / "published") / importer.FOLDER
    try:
        parts = importer.submissions(source.read_text("utf-8"), store.load_vocabulary(data))
    except (ImporterError, OSError) as error:
        raise click.ClickException(f"{source}: {error}") from error
    for part, submission in parts.items():
        store.write_submission(folder / f"{part}.json", submission)
        click.echo(f"{folder / part}.json: {len(submission.results)} results")
