"""`rosetta list`, `rosetta setup`, `rosetta run`: the only place of the launcher that prints, and that ends the program."""

from __future__ import annotations

import contextlib
import functools
import io
import json
import os
import shlex
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console
from rich.live import Live

from collector.problems import Severity
from runners import (
    choose,
    environments,
    files,
    harness,
    interpreters,
    local,
    machine,
    manifests,
    plan,
    privacy,
    record,
    show,
    suite,
)
from runners import workloads as workload_files
from runners.errors import RunnersError, SetupError, UsageError
from runners.progress import OnTerminal, Plain
from runners.suite import Suite

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from runners.environments import Environment
    from runners.manifests import Framework
    from runners.record import Measured

_STEP_SECONDS, _EPOCH_SECONDS = 3600, 12 * 3600  # limits of a run when nobody sets one


_EXAMPLES = """\b
Examples:
  rosetta run --framework pytorch --workload cifar10-cnn --profile quick
  rosetta run --framework pytorch --profile official --submitter "Jane Roe"
  rosetta run --framework pytorch --python ~/venvs/torch/bin/python
  rosetta run --framework pytorch --workload cifar10-cnn --data real --data-dir cifar
  rosetta run --framework pytorch --scale 1n1c --scale 1n2c
  rosetta run --framework pytorch --scale 1n1c --scale 2n8c --hosts one,two --output /shared/rosetta
"""


@contextlib.contextmanager
def _explained() -> Iterator[None]:
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


@click.command("list", epilog="\b\nExample:\n  rosetta list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
def list_command(as_json: bool) -> None:
    """Show which framework runs which workload, and whether its environment is made."""
    with _explained():
        kind = machine.default_kind()
        rows = [_listed(framework, kind) for framework in manifests.load().values()]
    if as_json:
        click.echo(json.dumps(rows, ensure_ascii=False, indent=1))
        return
    width = max(len(row["id"]) for row in rows)
    for row in rows:
        click.echo(f"{row['id']:{width}}  {row['version']}  {row['environment']}")
        for support in row["supports"]:
            settings = "; ".join(", ".join(support[key]) for key in ("precisions", "data"))
            click.echo(f"{'':{width}}  {support['workload']} ({settings})")
    click.echo("\nNext: rosetta run --framework ID [--workload ID] makes what is missing and measures.")


def _listed(framework: Framework, kind: str) -> dict[str, Any]:
    return {
        "id": framework.id,
        "name": framework.name,
        "version": framework.version,
        "requires_python": str(framework.requires_python),
        "environment": _state(framework, kind),
        "status": framework.status,
        "supports": [
            {"workload": support.workload, "precisions": support.precisions, "data": support.data}
            for support in framework.supports
        ],
    }


def _state(framework: Framework, kind: str) -> str:
    if environments.find(framework, kind):
        return "made"
    fitting = interpreters.fitting(interpreters.find(), framework.requires_python)
    return "not made" if fitting else f"interpreter missing (Python {framework.requires_python})"


@click.command("setup", epilog="\b\nExample:\n  rosetta setup pytorch")
@click.argument("framework")
@click.option("--device", type=click.Choice(["auto", "cpu", "gpu"]), default="auto", help="For which kind of device.")
def setup_command(framework: str, device: str) -> None:
    """Make the environment of FRAMEWORK in the cache folder, or say that it is there.

    Environments lie in $ROSETTA_CACHE, else in ~/.cache/rosetta-bench; delete a folder there to make it anew.
    """
    with _explained():
        (chosen,) = choose.named("framework", [framework], manifests.load())
        kind = machine.default_kind() if device == "auto" else device
        made = _make(chosen, kind, Console())
        size = f", {made.install_bytes / 1e6:,.0f} MB" if made.install_bytes else ""
    click.echo(f"{chosen.name} {chosen.version} is ready: {made.python}{size}")


def _make(framework: Framework, kind: str, console: Console) -> Environment:
    """Return a framework's environment; while it is being made the last line of pip's output shows that it goes on."""
    if found := environments.find(framework, kind):
        return found
    title = f"Making the environment of {framework.name} {framework.version}"
    if not console.is_terminal:
        return environments.make(framework, kind, lambda line: console.print(line, markup=False, soft_wrap=True))
    with console.status(title) as status:
        return environments.make(framework, kind, lambda line: status.update(f"{title}: {line[:60]}"))


def _many(values: Sequence[str]) -> dict[str, Any]:
    return {"type": click.Choice(values), "multiple": True, "show_default": True}


@click.command("run", epilog=_EXAMPLES)
@click.option("--framework", multiple=True, metavar="ID", help="What to measure; repeatable. Default: all set up.")
@click.option("--workload", multiple=True, metavar="ID", help="Which job; repeatable. Default: all supported.")
@click.option("--profile", type=click.Choice([*plan.PROFILES]), default="quick", show_default=True,
              help="smoke: 1 run of 2 + 5 steps; quick: 3 runs of 20 + 100; official: 5 runs of 20 + 100.")  # fmt: skip
@click.option("--data", **_many(["synthetic-device", "synthetic-host", "real"]), default=["synthetic-device"],
              help="Where batches come from; real data are measured by whole epochs unless --steps is given.")  # fmt: skip
@click.option("--data-dir", type=click.Path(path_type=Path, exists=True, file_okay=False), help="Folder of real data.")
@click.option("--workers", type=click.IntRange(0), metavar="N", help="Processes that load real data.")
@click.option("--batch", **_many(["one", "same", "max"]), default=["same"], help="Batch level.")
@click.option("--precision", **_many(["fp32", "tf32", "amp-fp16", "amp-bf16", "fp16"]), default=["fp32"],
              help="Precision of the arithmetic.")  # fmt: skip
@click.option("--runs", type=click.IntRange(1), metavar="N", help="Runs of each cell, instead of the profile's.")
@click.option("--warmup", type=click.IntRange(0), metavar="W", help="Steps before the window.")
@click.option("--steps", type=click.IntRange(1), metavar="M", help="Steps in the window.")
@click.option(
    "--epochs", type=click.IntRange(1), metavar="E", help="Whole epochs of real data, instead of the workload's number."
)
@click.option("--threads", type=click.IntRange(1), metavar="N",
              help="Threads of a process. Default: all usable ones on a CPU, shared between the processes of a node at "
              "the largest --scale, so that all scales have as many; at most 8 beside a GPU.")  # fmt: skip
@click.option("--scale", multiple=True, default=["1n1c"], show_default=True, metavar="NnCc",
              help="Nodes and devices in all, one process a device (on a CPU: a share of the threads); repeatable. "
              "Speedups refer to the 1n1c of the same call.")  # fmt: skip
@click.option("--hosts", metavar="A,B", help="Name or address of each node, this machine first; for several nodes "
              "--output must lie where all see it. Default: Slurm's allocation, else this machine.")  # fmt: skip
@click.option("--launcher", metavar="NAME", help="torchrun, oneflow.distributed.launch, mpiexec or srun. "
              "Default: the framework's first.")  # fmt: skip
@click.option("--device", type=click.Choice(["auto", "cpu", "gpu"]), default="auto", show_default=True)
@click.option("--python", type=click.Path(path_type=Path, exists=True, dir_okay=False),
              help="Python of an environment that you have, instead of one made here.")  # fmt: skip
@click.option("--option", multiple=True, metavar="KEY=VALUE", help="Option of the adapter; the class becomes tuned.")
@click.option("--timeout", type=click.FloatRange(0, min_open=True), metavar="SECONDS",
              help="Limit of one run. Default: 1 hour, 12 hours for whole epochs.")  # fmt: skip
@click.option("--submitter", default="local", show_default=True, metavar="NAME", help="Whose results they are.")
@click.option("--output", type=click.Path(path_type=Path, file_okay=False), default=harness.ROOT / "build",
              help="Folder for runs and submissions, instead of build/.")  # fmt: skip
@click.option("--fresh", is_flag=True, help="Measure again what an earlier call has finished.")
@click.option("--retry", is_flag=True, help="Measure again what an earlier call has finished without success.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs; progress goes to standard error.")
def run_command(**asked: Any) -> None:  # noqa: ANN401 - click's values, by option
    """Measure frameworks and write a submission.

    Every finished run is kept at once: the same command goes on where an interrupted one stopped.
    """
    for number in (signal.SIGTERM, signal.SIGHUP):  # a batch system's and a lost connection's way to say Ctrl-C
        if signal.getsignal(number) != signal.SIG_IGN:  # nohup wants to go on
            signal.signal(number, signal.default_int_handler)
    asked |= {"submitter": _text(asked["submitter"]), "option": [_text(option) for option in asked["option"]]}
    console = Console(stderr=asked["as_json"])
    try:
        with _explained():
            raise SystemExit(_measure(asked, console))
    except KeyboardInterrupt:
        _say(console, "Interrupted. Finished runs are kept; the same command goes on from there.")
        raise SystemExit(1) from None


def _measure(asked: dict[str, Any], console: Console) -> int:
    """Measure what was asked for, when nobody else on this machine does; return the exit code."""
    record.submitter_slug(asked["submitter"])  # refused before hours of measuring, not after
    made = _suite(asked, console)
    waiting = "Waiting for another rosetta run on this machine: two at a time would slow each other down."
    with files.alone(suite.lock(), lambda: _say(console, waiting)):
        return _carry_out(made, asked, console)


def _carry_out(made: Suite, asked: dict[str, Any], console: Console) -> int:
    describe = functools.cache(machine.describe)
    ids = suite.identities(made, describe)
    done = suite.kept(made, ids)
    for line in show.plan_lines(made, done):
        _say(console, line)
    private = privacy.gather(made.cells[0].settings.hosts)

    def save(measured: Sequence[Measured]) -> Path:
        made_now = record.submission(measured, made.harness, asked["submitter"], private, describe)
        return local.save(made.folder, ids, made_now, record.day(measured))

    with _display(console) as display:
        measured = suite.measure(made, ids, done, display, save)
    path = save(measured)
    problems = local.problems(path)
    for line in show.result_lines(measured, [made.folder / "runs" / cell for cell in ids], path, problems):
        _say(console, line)
    if asked["as_json"]:
        click.echo(json.dumps(show.document(measured, path), ensure_ascii=False, indent=1))
    wrong = any(found.severity == Severity.ERROR for found in problems)
    return int(wrong or any(entry.outcome != "ok" for entry in measured))


def _suite(asked: dict[str, Any], console: Console) -> Suite:
    settings = choose.settings(asked)
    chosen = choose.frameworks(asked["framework"], manifests.load(), settings.kind)
    jobs = choose.workloads(asked["workload"], workload_files.load(), chosen)
    cells = plan.cells(chosen, jobs, settings)
    needed = {cell.framework.id: cell.framework for cell in cells}
    for framework in chosen:
        if framework.id not in needed:
            _say(console, f"{framework.id} is left out: it supports none of these settings.")
    return Suite(
        cells=tuple(cells),
        environments=_environments(list(needed.values()), settings.kind, asked["python"], console),
        harness=harness.describe(_command(), choose.profile_name(asked)),
        runs=settings.profile.runs,
        folder=asked["output"].absolute(),
        timeout_seconds=asked["timeout"] or (_EPOCH_SECONDS if any(cell.epochs for cell in cells) else _STEP_SECONDS),
        fresh=asked["fresh"],
        retry=asked["retry"],
    )


def _environments(
    needed: Sequence[Framework], kind: str, python: Path | None, console: Console
) -> dict[str, Environment | str]:
    """Return each framework's environment, or why there is none; an error if there is none at all."""
    found: dict[str, Environment | str] = {}
    errors = []
    for framework in needed:
        try:
            found[framework.id] = environments.use(framework, python) if python else _make(framework, kind, console)
        except SetupError as error:
            errors.append(error)
            found[framework.id] = str(error)
    if len(errors) == len(needed):
        raise errors[0]
    return found


@contextlib.contextmanager
def _display(console: Console) -> Iterator[suite.Display]:
    if not console.is_terminal:
        yield Plain(console)
        return
    # No thread of its own: it would draw while the worker measures.
    with Live(console=console, auto_refresh=False, transient=True) as live:
        yield OnTerminal(console, live)


def _say(console: Console, line: str) -> None:
    console.print(line, markup=False, highlight=False, soft_wrap=True)


def _command() -> str:
    return _text(shlex.join(["rosetta", *sys.argv[1:]]))


def _text(argument: str) -> str:
    """Return what was typed, also where the locale knows ASCII only and Python kept the rest as bytes."""
    return os.fsencode(argument).decode("utf-8", "replace")
