"""`rosetta list`, `rosetta setup`, `rosetta new framework`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console
from rich.table import Table

from collector import store
from runners import choose, environments, interpreters, machine, manifests, template, terminal
from runners import workloads as workload_files
from runners.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from runners.manifests import Framework
    from runners.workloads import Workload

_WIDTH = 200  # of the table where there is no terminal: nothing is wrapped
_UNDECLARED = "Our adapter has no code for this workload yet."


@click.command("list", epilog="\b\nExample:\n  rosetta list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs, every setting of every workload.")
def list_command(as_json: bool) -> None:
    """Show which framework runs which workload, how, and what is missing where it does not."""
    with terminal.explained():
        jobs = workload_files.load()
        found = interpreters.find()
        rows = [_listed(framework, jobs, found) for framework in manifests.load().values()]
    if as_json:
        click.echo(json.dumps(rows, ensure_ascii=False, indent=1))
        return
    console = Console()
    console = console if console.is_terminal else Console(width=_WIDTH)
    console.print(_table(rows, [name for name, job in jobs.items() if job.specification.board]))
    for line in _remarks(rows):
        terminal.say(console, line)


def _listed(
    framework: Framework, jobs: Mapping[str, Workload], found: list[interpreters.Interpreter]
) -> dict[str, Any]:
    made = environments.find(framework, machine.default_kind()) is not None
    missing = not made and interpreters.fitting(found, framework.requires_python) is None
    return {
        "id": framework.id,
        "name": framework.name,
        "version": framework.version,
        "api": framework.api,
        "variant": framework.variant,
        "requires_python": str(framework.requires_python),
        "environment": "made" if made else "interpreter missing" if missing else "not made",
        "remedy": environments.missing_interpreter(framework) if missing else None,
        "install_megabytes": framework.install_megabytes,
        "status": framework.status,
        "launchers": framework.launchers,
        "supports": [
            {"workload": support.workload, "precisions": support.precisions, "data": support.data}
            for support in framework.supports
        ],
        "unsupported": [
            {"workload": name, "reason": _UNDECLARED}
            for name, job in jobs.items()
            if job.specification.board and not framework.support(name)
        ],
    }


def _table(rows: Sequence[Mapping[str, Any]], workloads: Sequence[str]) -> Table:
    """Return a line for each framework and a column for each workload: + for everything to the left, ~ for a part of it."""
    table = Table(box=None, pad_edge=False)
    for head in ("framework", "version", "environment", "precisions", "data", "launchers", *workloads):
        table.add_column(head, overflow="fold")
    for row in rows:
        supports = {support["workload"]: support for support in row["supports"]}
        union = {key: _union(supports.values(), key) for key in ("precisions", "data")}

        def mark(workload: str, supports: Mapping[str, Any] = supports, union: Mapping[str, Any] = union) -> str:
            support = supports.get(workload)
            if support is None:
                return "-"
            return "+" if all(len(support[key]) == len(union[key]) for key in union) else "~"

        settings = [" ".join(names) for names in (*union.values(), row["launchers"])]
        table.add_row(row["id"], row["version"], row["environment"], *settings, *map(mark, workloads))
    return table


def _union(supports: Any, key: str) -> list[str]:  # noqa: ANN401 - a view of plain values
    return list(dict.fromkeys(name for support in supports for name in support[key]))


def _remarks(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    yield ""
    yield f"+ with all that stands left of it; ~ with a part of it, see rosetta list --json; - {_UNDECLARED}"
    yield from (row["remedy"] for row in rows if row["remedy"])
    yield from (f"{row['id']}: {row['status']}" for row in rows)
    yield "Next: rosetta run --framework ID [--workload ID] makes what is missing and measures."


@click.command("setup", epilog="\b\nExample:\n  rosetta setup pytorch")
@click.argument("framework")
@click.option("--device", type=click.Choice(["auto", "cpu", "gpu"]), default="auto", help="For which kind of device.")
def setup_command(framework: str, device: str) -> None:
    """Make the environment of FRAMEWORK in the cache folder, or say that it is there.

    Environments lie in $ROSETTA_CACHE, else in ~/.cache/rosetta-bench; delete a folder there to make it anew.
    """
    with terminal.explained():
        (chosen,) = choose.named("framework", [framework], manifests.load())
        kind = machine.default_kind() if device == "auto" else device
        made = terminal.make(chosen, kind, Console())
        size = f", {made.install_bytes / 1e6:,.0f} MB" if made.install_bytes else ""
    click.echo(f"{chosen.name} {chosen.version} is ready: {made.python}{size}")


@click.group("new")
def new_command() -> None:
    """Start something new from a template."""


@new_command.command("framework", epilog="\b\nExample:\n  rosetta new framework mindspore --name MindSpore "
                     "--version 2.7.0 --url https://www.mindspore.cn")  # fmt: skip
@click.argument("identifier", metavar="ID")
@click.option("--version", required=True, help="Release that is pinned.")
@click.option("--name", help="Name of the framework. Default: the vocabulary's.")
@click.option("--url", help="Home page, for a framework that the vocabulary does not have.")
@click.option("--package", metavar="NAME", help="Name on the package index. Default: ID.")
@click.option("--import-name", metavar="NAME", help="Name to import. Default: that of the package.")
@click.option("--python", "requires_python", default=">=3.10", show_default=True, help="Versions of Python it runs on.")
def new_framework(identifier: str, **asked: str | None) -> None:
    """Write runners/frameworks/ID from templates/framework, and ID's entry in the vocabulary if it has none."""
    with terminal.explained():
        known = store.load_vocabulary().frameworks.get(identifier)
        name = asked["name"] or (known.name if known else None)
        if name is None or not (known or asked["url"]):
            raise UsageError(f"The vocabulary has no framework {identifier!r}: give --name and --url.")
        package = asked["package"] or identifier
        values = {**asked, "name": name, "package": package, "import_name": asked["import_name"] or package}
        folder = template.make(identifier, {key: value or "" for key, value in values.items()}, known=known is not None)
    click.echo(f"Written: {folder}\nNext: docs/frameworks.md; rosetta setup {identifier}")
