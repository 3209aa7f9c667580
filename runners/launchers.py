"""Command lines that start all processes of a job by an engine that exists: torchrun, OneFlow's, mpiexec or srun.

A job of several nodes is started from the first of them, by Slurm inside an allocation and by Open MPI elsewhere; torchrun
and OneFlow's launcher are themselves started so, once a node, and start the node's processes.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

LOOPBACK = "127.0.0.1"
# Each node has its own of these.
_LOCAL_VARIABLES = frozenset({"HOME", "TMPDIR"})
# OneFlow's launcher must be told which node it is on: both engines say so in a variable of each process.
_ONEFLOW_ON_A_NODE = 'exec "$0" -m oneflow.distributed.launch --node_rank "${OMPI_COMM_WORLD_RANK:-$SLURM_NODEID}" "$@"'
# How each engine reports the first process that ended badly; a group that takes part names the signal.
_REPORTS = {
    "torchrun": re.compile(r"exitcode\s*:\s*-((?!15\b)\d+)"),  # with 15 it ends the others itself
    "oneflow.distributed.launch": re.compile(r"died with <Signals\.(\w+)"),
    "mpiexec": re.compile(r"exited on signal (\d+)"),
    "srun": re.compile(r"tasks? [\d,-]+: (?:Exited with exit code \d+|(.+?)(?: \(core dumped\))?)$", re.MULTILINE),
}


@dataclass(frozen=True)
class Job:
    """What to start: `each` processes on every host. `port` is free on the first, `variables` are the workers'."""

    python: Path
    worker: tuple[str, ...]
    hosts: tuple[str, ...]
    each: int
    port: int
    threads: int
    variables: Mapping[str, str]
    slurm: bool = False

    @property
    def program(self) -> tuple[str, ...]:
        """Return the command of one process."""
        return (str(self.python), *self.worker)


def command(launcher: str, job: Job) -> list[str]:
    """Return the command line that starts the job."""
    return _ENGINES[launcher](job, job.program)


def missing(launcher: str, nodes: int, variables: Mapping[str, str]) -> str | None:
    """Return why this launcher can't start a job here and what to install, or None if it can."""
    if launcher not in _ENGINES:
        return f"There is no code for the launcher {launcher!r}; there is for {', '.join(_ENGINES)}."
    engine = launcher if launcher in ("mpiexec", "srun") else _between_nodes(variables) if nodes > 1 else None
    if engine == "mpiexec":
        return _missing_open_mpi(variables)
    if engine == "srun" and not shutil.which("srun", path=variables.get("PATH")):
        return "The launcher srun is not on PATH: install Slurm (on Debian: apt-get install slurm-wlm)."
    if engine == "srun" and "SLURM_JOB_ID" not in variables:
        return (
            "The launcher srun needs an allocation of Slurm: put the command into a script for sbatch (docs/scale.md)."
        )
    return None


def allocated(variables: Mapping[str, str]) -> tuple[str, ...]:
    """Return the names of the nodes that Slurm has given us, the first one ours; none outside an allocation."""
    nodes = variables.get("SLURM_JOB_NODELIST")
    if not nodes or not shutil.which("scontrol"):
        return ()
    answer = subprocess.run(
        ["scontrol", "show", "hostnames", nodes], capture_output=True, encoding="utf-8", check=False
    )
    return tuple(answer.stdout.split())


def free_port(count: int) -> int:
    """Return the first of `count` ports that follow each other and are free on this machine."""
    while True:
        with socket.socket() as found:
            found.bind(("", 0))
            first = int(found.getsockname()[1])
        if all(_is_free(port) for port in range(first, first + count)):
            return first


def death(launcher: str, log: str) -> str | None:
    """Return the name of the signal that ended a process, as the launcher reports it in the log; None if it doesn't."""
    found = _REPORTS[launcher].search(log)
    word = found and found[1]
    if not word:
        return None
    names = {text: number.name for number in signal.Signals for text in (str(number.value), signal.strsignal(number))}
    return names.get(word, word)


def _mpiexec(job: Job, program: Sequence[str]) -> list[str]:
    """Open MPI reaches other nodes over ssh; what the workers need of our variables must be named."""
    places = ",".join(f"{host}:{job.each}" for host in job.hosts)
    travelling = [word for name in sorted({*job.variables} - _LOCAL_VARIABLES) for word in ("-x", name)]
    return [
        "mpiexec",
        *(["--allow-run-as-root"] if os.geteuid() == 0 else []),
        *("--host", places, "-n", str(len(job.hosts) * job.each)),
        "--oversubscribe",  # a process a core is what was asked for, also where cores are threads
        *("--bind-to", "none"),  # threads share the cores as without a launcher
        *travelling,
        *program,
    ]


def _srun(job: Job, program: Sequence[str]) -> list[str]:
    nodes = len(job.hosts)
    return [
        "srun",
        f"--nodes={nodes}",
        f"--nodelist={','.join(job.hosts)}",
        f"--ntasks={nodes * job.each}",
        f"--ntasks-per-node={job.each}",
        f"--cpus-per-task={job.threads}",
        "--cpu-bind=none",
        "--kill-on-bad-exit=1",
        "--overlap",  # we may be a step of the allocation ourselves
        *program,
    ]


def _torchrun(job: Job, program: Sequence[str]) -> list[str]:
    python, *worker = program
    if len(job.hosts) == 1:
        meeting = ["--master-addr", job.hosts[0], "--master-port", str(job.port)]
    else:
        meeting = [
            "--rdzv-backend",
            "c10d",
            "--rdzv-endpoint",
            f"{job.hosts[0]}:{job.port}",
            "--rdzv-id",
            str(job.port),
        ]
    here = [
        *(python, "-m", "torch.distributed.run"),
        *("--nnodes", str(len(job.hosts)), "--nproc-per-node", str(job.each)),
        *meeting,
        *worker,
    ]
    return here if len(job.hosts) == 1 else _once_a_node(job, here)


def _oneflow(job: Job, program: Sequence[str]) -> list[str]:
    python, *worker = program
    options = [
        *("--nnodes", str(len(job.hosts)), "--nproc_per_node", str(job.each)),
        *("--master_addr", job.hosts[0], "--master_port", str(job.port)),
        *worker,
    ]
    if len(job.hosts) == 1:
        return [python, "-m", "oneflow.distributed.launch", *options]
    return _once_a_node(job, ["sh", "-c", _ONEFLOW_ON_A_NODE, python, *options])


def _once_a_node(job: Job, program: Sequence[str]) -> list[str]:
    one = replace(job, each=1, threads=job.threads * job.each)
    return (_srun if job.slurm else _mpiexec)(one, program)


def _between_nodes(variables: Mapping[str, str]) -> str:
    return "srun" if "SLURM_JOB_ID" in variables else "mpiexec"


def _missing_open_mpi(variables: Mapping[str, str]) -> str | None:
    remedy = "install Open MPI (on Debian: apt-get install openmpi-bin)"
    found = shutil.which("mpiexec", path=variables.get("PATH"))
    if not found:
        return f"The launcher mpiexec is not on PATH: {remedy}."
    answer = subprocess.run([found, "--version"], capture_output=True, encoding="utf-8", errors="replace", check=False)
    if re.search("Open ?MPI|OpenRTE", answer.stdout):
        return None
    return f"The launcher {found} is not that of Open MPI, whose options we use: {remedy}, and put it first on PATH."


def _is_free(port: int) -> bool:
    with socket.socket() as tried:
        try:
            tried.bind(("", port))
        except (OSError, OverflowError):
            return False
    return True


_ENGINES: dict[str, Callable[[Job, Sequence[str]], list[str]]] = {
    "torchrun": _torchrun,
    "oneflow.distributed.launch": _oneflow,
    "mpiexec": _mpiexec,
    "srun": _srun,
}
