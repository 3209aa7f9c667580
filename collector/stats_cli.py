"""`rosetta stats`: a thin shell around `stats`."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import click

from collector import files, store
from collector.cli import print_text
from collector.normalise import Entry, normalise
from collector.stats import stats, stats_text, unknown, unknown_text

EPILOG = """\b
Examples:
  rosetta stats
  rosetta stats --unknown
  rosetta stats --json --data /tmp/data
"""


@click.command("stats", epilog=EPILOG)
@click.option("--unknown", "asked", is_flag=True, help="List the names that the vocabulary doesn't know, instead.")
@click.option("--json", "as_json", is_flag=True, help="Write JSON.")
@click.option(
    "--data",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    default=store.DATA,
    help="Folder with vocabulary and submissions (data).",
)
def stats_command(asked: bool, as_json: bool, data: Path) -> None:
    """Count submissions, and results by framework, device, workload and outcome.

    With --unknown: the names of devices, frameworks, workloads and metrics that the vocabulary lacks, each with the number of
    results that it stands in and with the known names that it looks like.
    """
    try:
        words = store.load_vocabulary(data)
    except store.DataError as error:
        raise click.ClickException(str(error)) from error
    cells = [cell for entry in _entries(data) for cell in normalise(entry, words)]
    if asked:
        names = unknown(cells, words)
        print_text(_json([asdict(name) for name in names]) if as_json else unknown_text(names))
    else:
        found = stats(cells)
        print_text(_json(asdict(found)) if as_json else stats_text(found))


def _json(value: object) -> str:
    return json.dumps(value, indent=2) + "\n"


def _entries(data: Path) -> list[Entry]:
    """Return what can be read; a file that can't is named, and `rosetta check` says why."""
    entries = []
    for path in files.submission_files(data / "submissions"):
        found = files.reading(path, path.as_posix())
        if found.submission is None or found.id is None:
            click.echo(f"left out: {path}; `rosetta check` says why", err=True)
        else:
            entries.append(Entry(path.as_posix(), found.id, yours=False, submission=found.submission))
    return entries
