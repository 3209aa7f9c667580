"""`rosetta site` and `rosetta serve`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from collector import store
from collector.options import FOLDER, dataset_options

if TYPE_CHECKING:
    from pathlib import Path

ADDRESS = "http://127.0.0.1:8000/"
PORTS = click.IntRange(0, 65535)


@click.command("site")
@dataset_options
@click.option("--output", type=FOLDER, help="Where the site goes: build/html.")
@click.option("--work", type=FOLDER, help="Where the pages go first: build/docs.")
@click.option("--address", default=ADDRESS, show_default=True, help="Where the site will be published.")
def site_command(
    data: Path, local: Path, output: Path | None, work: Path | None, address: str, keep_going: bool
) -> None:
    r"""Build the website from all submissions.

    \b
    Examples:
      rosetta site
      rosetta site --address https://example.org/bench/ --output public
    """
    from sitegen.build import OUTPUT, WORK, build
    from sitegen.errors import SiteError

    target = output or OUTPUT
    try:
        dataset = store.load(data, local, keep_going=keep_going)
        build(dataset, target, address=address, work=work or WORK)
    except (store.DataError, SiteError) as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"{len(dataset.submissions)} submissions, {len(dataset.boards)} boards: {target / 'index.html'}")


@click.command("serve")
@click.option("--port", type=PORTS, default=8000, show_default=True, help="0 takes any free port.")
@click.option("--directory", type=FOLDER, help="The site's folder: build/html.")
def serve_command(port: int, directory: Path | None) -> None:
    r"""Serve the built website to this machine's own browser.

    \b
    Example:
      rosetta serve --port 8001
    """
    from sitegen.build import OUTPUT
    from sitegen.errors import SiteError
    from sitegen.serve import server

    try:
        listening = server(directory or OUTPUT, port)
    except SiteError as error:
        raise click.UsageError(str(error)) from error
    click.echo(f"Serving at http://127.0.0.1:{listening.server_port}/ until Ctrl-C")
    with listening:
        try:
            listening.serve_forever()
        except KeyboardInterrupt:
            click.echo("Stopped")
