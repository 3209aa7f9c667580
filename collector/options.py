"""The options that every command has which reads the data set: where the data lie, and what to do about errors in them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from collector import store

if TYPE_CHECKING:
    from collections.abc import Callable

FOLDER = click.Path(file_okay=False, path_type=Path)
EXISTING = click.Path(exists=True, file_okay=False, path_type=Path)

Command = TypeVar("Command", bound="Callable[..., object]")


def dataset_options(command: Command) -> Command:
    """Give a command `--data`, `--local` and `--keep-going`, the arguments of `store.load`."""
    data = click.option(
        "--data", type=EXISTING, default=store.DATA, help="Folder with vocabulary, workloads and submissions (data)."
    )
    local = click.option(
        "--local", type=FOLDER, default=store.LOCAL, help="Your own results, not submitted yet (build/submissions)."
    )
    keep_going = click.option(
        "--keep-going", is_flag=True, help="Leave out files with errors instead of stopping at them."
    )
    return data(local(keep_going(command)))
