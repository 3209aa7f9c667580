"""`rosetta import log`: a thin shell around the parsers of logs and `submission`."""

from __future__ import annotations

import hashlib
import importlib
import pkgutil
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import click

from collector import store
from collector.build_cli import errors_told, import_command
from collector.importers import logs
from collector.importers.logs import mllog
from collector.logs.lines import lines
from collector.logs.settings import NOT_STATED
from collector.logs.submission import submission
from collector.options import EXISTING
from collector.schema import DataKind, DeviceKind, Mode, Precision, Window
from collector.transcribe import ImporterError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime
    from types import ModuleType

    from collector.logs.lines import Line

__all__ = ["import_command"]

MAX_BYTES = 128 * 2**20
FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
COUNT = click.IntRange(1, 2**30)
FORMATS = tuple(sorted(module.name for module in pkgutil.iter_modules(logs.__path__)))

EPILOG = """\b
Example:
  rosetta import log train.log --workload resnet50 --framework pytorch --precision fp32 --device "Tesla V100-SXM2-16GB" \\
    --devices 8 --batch 128 --title owner/repository --url https://github.com/owner/repository --commit 0123…cdef \\
    --path logs/train.log --licence Apache-2.0 --retrieved-on 2026-11-30

What the log states need not be said, and can't be said otherwise; whatever else is missing is named at once.
"""

SETTINGS: dict[str, tuple[Any, str]] = {
    "framework": (str, "Id or name of the framework."),
    "framework-version": (str, "Its release."),
    "api": (str, "Which of its interfaces."),
    "variant": (str, "Vendor build and the like."),
    "workload": (str, "Id of the workload."),
    "mode": (click.Choice(get_args(Mode)), "What a step does."),
    "precision": (click.Choice([*get_args(Precision), NOT_STATED]), "Precision of the training."),
    "data-kind": (click.Choice(get_args(DataKind)), "What the steps are fed with."),
    "device": (str, "Name of the device, as its driver spells it."),
    "device-kind": (click.Choice(get_args(DeviceKind)), "Kind of a device that the vocabulary doesn't know."),
    "devices": (COUNT, "Devices used, over all nodes."),
    "nodes": (COUNT, "Machines used."),
    "batch": (COUNT, "Samples that a device takes at once."),
    "accumulation": (COUNT, "Micro-batches of a printed step."),
    "rates": (click.Choice(["global", "device"]), "Whose rates a log without times prints: of all devices or of one."),
    "window": (click.Choice(get_args(Window)[:2]), "100 steps after 20, or all steps after 20 (steady)."),
    "utc-offset": (str, f"Time zone of the log's clock, as +08:00, or {NOT_STATED}."),
    "title": (str, "Where the log is published: owner/repository, or a title."),
    "url": (str, "Address of that."),
    "commit": (str, "Commit of the version read, 40 hex digits."),
    "path": (str, "Path of the log in it."),
    "licence": (str, f"Licence of the log, as an SPDX id, or {NOT_STATED}."),
    "retrieved-on": (click.DateTime(["%Y-%m-%d"]), "Day when it was read, YYYY-MM-DD."),
    "submitter": (str, "Who offers the result (Imported logs)."),
}  # fmt: skip


def _settings(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command an option for each setting."""
    for name, (kind, text) in reversed(SETTINGS.items()):
        command = click.option(f"--{name}", type=kind, help=text)(command)
    return command


@import_command.command("log", epilog=EPILOG)
@click.argument("file", type=FILE)
@click.option(
    "--format",
    "format_",
    type=click.Choice(["auto", *FORMATS]),
    default="auto",
    show_default=True,
    help="Format of the log.",
)
@click.option("--system", type=FILE, help="MLPerf's system file that belongs to the log.")
@_settings
@click.option("--data", type=EXISTING, default=store.DATA, help="Folder with the vocabulary (data).")
@click.option(
    "--output",
    "-o",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File to write (DATA/submissions/published/TITLE/PATH.json).",
)
def log_command(file: Path, format_: str, system: Path | None, data: Path, output: Path | None, **told: Any) -> None:  # noqa: ANN401 - click's values
    """Turn a training log into a submission, its throughput computed anew beside what it says itself."""
    with errors_told():
        content = _content(file)
        found = lines(content)
        parser = _parser(found, format_)
        stated = mllog.system("\n".join(line.text for line in lines(_content(system)))) if system else {}
        settings = {name: _plain(name, value) for name, value in told.items() if value is not None}
        digest = hashlib.sha256(content).hexdigest()
        made = submission(parser.parse(found), digest, stated, settings, store.load_vocabulary(data))
        path = (
            output or data / "submissions" / "published" / _slug(settings["title"]) / f"{_slug(settings['path'])}.json"
        )
        store.write_submission(path, made)
    click.echo(f"{path}: {parser.__name__.rpartition('.')[2]}")


def _content(file: Path) -> bytes:
    with file.open("rb") as stream:
        content = stream.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise ImporterError(f"{file.name} is larger than {MAX_BYTES // 2**20} MiB; keep its first epochs and its end.")
    return content


def _parser(found: Sequence[Line], format_: str) -> ModuleType:
    """Return the parser of the named format, or the most special one that recognises the log."""
    modules = [importlib.import_module(f"{logs.__name__}.{name}") for name in FORMATS]
    fitting = [module for module in modules if module.recognises(found)]
    named = [module for module in fitting if format_ in ("auto", module.__name__.rpartition(".")[2])]
    if not named:
        known = ", ".join(FORMATS) if format_ == "auto" else format_
        raise ImporterError(f"The log has no line of a known format ({known}); take the log as the program wrote it.")
    rank = max(module.RANK for module in named)
    first, *others = [module for module in named if rank == module.RANK]
    if others:
        names = " and ".join(module.__name__.rpartition(".")[2] for module in (first, *others))
        raise ImporterError(f"The log has lines of {names}; choose one with --format.")
    return first


def _plain(name: str, value: str | int | datetime) -> str | int:
    """Return a setting as it stands in a submission; raises ImporterError for one that can't."""
    patterns = {"commit": r"[0-9a-f]{40}", "utc_offset": r"[+-](0\d|1[0-4]):[0-5]\d|not-stated"}
    if not isinstance(value, (str, int)):
        return value.date().isoformat()
    if isinstance(value, str) and not (value.isprintable() and re.fullmatch(patterns.get(name, r".*\S.*"), value)):
        examples = {"commit": "40 hex digits", "utc_offset": "a form such as +08:00, or not-stated"}
        raise ImporterError(f"--{name.replace('_', '-')} needs {examples.get(name, 'some text')}.")
    return value


def _slug(text: str | int) -> str:
    return re.sub(r"[^a-z0-9]+", "-", str(text).casefold()).strip("-") or "log"
