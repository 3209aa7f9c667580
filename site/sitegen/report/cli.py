"""`rosetta report`: a thin shell around `report`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from collector import store
from collector.options import FOLDER, dataset_options
from sitegen.errors import SiteError
from sitegen.words import LANGUAGES

if TYPE_CHECKING:
    from pathlib import Path


@click.command("report", epilog="Example: rosetta report --lang zh --output /tmp/report")
@click.option("--lang", type=click.Choice([*LANGUAGES, "both"]), default="both", help="Which edition (both).")
@dataset_options
@click.option(
    "--output", "-o", type=FOLDER, default=store.BUILD / "report", help="Where the PDFs are written (build/report)."
)
def report_command(lang: str, data: Path, local: Path, output: Path, keep_going: bool) -> None:
    """Build the report as PDF, in English and Chinese."""
    from sitegen.report.typeset import compose, pdf

    try:
        dataset = store.load(data, local, keep_going=keep_going)
        written = {
            language: pdf(compose(dataset, language, _warn)) for language in (LANGUAGES if lang == "both" else (lang,))
        }
    except (store.DataError, SiteError) as error:
        raise click.ClickException(str(error)) from error
    for file in dataset.left_out:
        click.echo(f"left out: {file}; `rosetta check` says why", err=True)
    output.mkdir(parents=True, exist_ok=True)
    for language, content in written.items():
        path = output / f"rosetta-bench-{language}.pdf"
        path.write_bytes(content)
        click.echo(f"{path}")


def _warn(message: str) -> None:
    click.echo(f"warning: {message}", err=True)
