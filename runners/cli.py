"""`rosetta run`. Only this module, frameworks_cli.py and terminal.py of the launcher print and end the program."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import shlex
import signal
import sys
from dataclasses import replace
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
    local,
    machine,
    manifests,
    plan,
    privacy,
    record,
    search,
    show,
    suite,
    terminal,
)
from runners import workloads as workload_files
from runners.errors import SetupError
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
  rosetta run --framework pytorch --scale 1n1c --scale 2n8c --hosts one,two --output /shared/rosetta
"""


class _Batch(click.ParamType[str | int]):
    """A batch level by its name, or a size without level."""

    name = "batch"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str | int:  # noqa: ANN401 - click's
        if value in {"one", "same", "max"}:
            return str(value)
        if not (str(value).isdecimal() and int(value)):
            self.fail(f"{value!r} is not one of one, same, max or a number above 0.", param, ctx)
        return int(value)


def _many(values: Sequence[str]) -> dict[str, Any]:
    return {"type": click.Choice(values), "multiple": True, "show_default": True}


@click.command("run", epilog=_EXAMPLES)
@click.option("--framework", multiple=True, metavar="ID", help="What to measure; repeatable. Default: all set up.")
@click.option("--workload", multiple=True, metavar="ID", help="Which job; repeatable. Default: all supported.")
@click.option("--profile", type=click.Choice([*plan.PROFILES]), default="quick", show_default=True,
              help="smoke: 1 run of 2 + 5 steps, batch one; quick: 3 runs of 20 + 100, on a CPU 1 of 2 + 5 for networks "
              "above 1e9 multiply-adds; official: 5 runs of 20 + 100.")  # fmt: skip
@click.option("--data", **_many(["synthetic-device", "synthetic-host", "real"]), default=["synthetic-device"],
              help="Where batches come from; real data are measured by whole epochs unless --steps is given.")  # fmt: skip
@click.option("--data-dir", type=click.Path(path_type=Path, exists=True, file_okay=False), help="Folder of real data.")
@click.option("--workers", type=click.IntRange(0), metavar="N", help="Processes that load real data.")
@click.option("--batch", multiple=True, type=_Batch(), metavar="one|same|max|N",
              help="Batch level of the workload, or a number without level; max is searched for first. "
              "Default: one for --profile smoke, else same.")  # fmt: skip
@click.option("--max-batch", type=click.IntRange(1), metavar="N", help="Bound of the search for --batch max.")
@click.option("--only", multiple=True, metavar="GLOB", help="Only cells whose name matches, such as "
              "'pytorch/resnet50/fp32/synthetic-device/8/1n1c': framework, workload, precision, data, batch, scale.")  # fmt: skip
@click.option("--skip", multiple=True, metavar="GLOB", help="No cells whose name matches, such as '*/vgg16/*'.")
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
@click.option("--resume/--fresh", default=True, show_default=True,
              help="Go on where an earlier call stopped, or measure again what it has finished.")  # fmt: skip
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
        with terminal.explained():
            raise SystemExit(_measure(asked, console))
    except KeyboardInterrupt:
        terminal.say(console, "Interrupted. Finished runs are kept; the same command goes on from there.")
        raise SystemExit(1) from None


def _measure(asked: dict[str, Any], console: Console) -> int:
    """Measure what was asked for, when nobody else on this machine does; return the exit code."""
    record.submitter_slug(asked["submitter"])  # refused before hours of measuring, not after
    made = _suite(asked, console)
    waiting = "Waiting for another rosetta run on this machine: two at a time would slow each other down."
    with files.alone(suite.lock(), lambda: terminal.say(console, waiting)):
        return _carry_out(made, asked, console)


def _carry_out(made: Suite, asked: dict[str, Any], console: Console) -> int:
    describe = functools.cache(machine.describe)
    missing = [framework for framework in _frameworks(made) if framework.id not in made.environments]
    there = replace(made, environments={**dict.fromkeys((f.id for f in missing), "not made yet"), **made.environments})
    for line in show.plan_lines(there, suite.kept(there, suite.identities(there, describe)), missing):
        terminal.say(console, line)
    made = replace(made, environments={**made.environments, **_made(made, missing, console)})
    with _display(console) as display:
        made = search.resolved(made, describe, display, asked["max_batch"])
    ids = suite.identities(made, describe)
    done = suite.kept(made, ids)
    private = privacy.gather(made.cells[0].settings.hosts)

    def save(measured: Sequence[Measured]) -> Path:
        made_now = record.submission(measured, made.harness, asked["submitter"], private, describe)
        return local.save(made.folder, ids, made_now, record.day(measured))

    with _display(console) as display:
        measured = suite.measure(made, ids, done, display, save)
    path = save(measured)
    problems = local.problems(path)
    for line in show.result_lines(measured, [made.folder / "runs" / cell for cell in ids], path, problems):
        terminal.say(console, line)
    if asked["as_json"]:
        click.echo(json.dumps(show.document(measured, path), ensure_ascii=False, indent=1))
    wrong = any(found.severity == Severity.ERROR for found in problems)
    return int(wrong or any(entry.outcome != "ok" for entry in measured))


def _suite(asked: dict[str, Any], console: Console) -> Suite:
    settings = choose.settings(asked)
    chosen = choose.frameworks(asked["framework"], manifests.load(), settings.kind)
    jobs = choose.workloads(asked["workload"], workload_files.load(), chosen)
    cells = choose.selected(plan.cells(chosen, jobs, settings), asked["only"], asked["skip"])
    needed = {cell.framework.id: cell.framework for cell in cells}
    for framework in chosen:
        if framework.id not in needed:
            terminal.say(console, f"{framework.id} is left out: it supports none of these settings.")
    return Suite(
        cells=tuple(cells),
        environments=_found(list(needed.values()), settings.kind, asked["python"]),
        harness=harness.describe(_command(), choose.profile_name(asked)),
        folder=asked["output"].absolute(),
        timeout_seconds=asked["timeout"] or (_EPOCH_SECONDS if any(cell.epochs for cell in cells) else _STEP_SECONDS),
        fresh=not asked["resume"],
        retry=asked["retry"],
    )


def _frameworks(made: Suite) -> list[Framework]:
    return list({cell.framework.id: cell.framework for cell in made.cells}.values())


def _found(needed: Sequence[Framework], kind: str, python: Path | None) -> dict[str, Environment | str]:
    """Return the environment of each framework that has one."""
    pairs = ((one, environments.use(one, python) if python else environments.find(one, kind)) for one in needed)
    return {framework.id: environment for framework, environment in pairs if environment}


def _made(made: Suite, missing: Sequence[Framework], console: Console) -> dict[str, Environment | str]:
    """Make the missing environments; return each, or why there is none. It is an error if there is none at all."""
    found: dict[str, Environment | str] = {}
    errors = []
    for framework in missing:
        try:
            found[framework.id] = terminal.make(framework, made.cells[0].settings.kind, console)
        except SetupError as error:
            errors.append(error)
            found[framework.id] = str(error)
    if errors and len(errors) == len(_frameworks(made)):
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


def _command() -> str:
    return _text(shlex.join(["rosetta", *sys.argv[1:]]))


def _text(argument: str) -> str:
    """Return what was typed, also where the locale knows ASCII only and Python kept the rest as bytes."""
    return os.fsencode(argument).decode("utf-8", "replace")
