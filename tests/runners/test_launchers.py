"""The command line by which each engine starts a job, and what is said where an engine is missing."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from runners import launchers, manifests
from runners.launchers import Job

WORKER = ("/w/__main__.py", "request.json", "result.json")
PATH = {"PATH": "/usr/bin"}
ONE = Job(Path("/e/bin/python"), WORKER, ("127.0.0.1",), 2, 5000, 3, {"OMP_NUM_THREADS": "3", "HOME": "/h", **PATH})
TWO = Job(Path("/e/bin/python"), WORKER, ("one", "two"), 4, 5000, 3, {"OMP_NUM_THREADS": "3", "HOME": "/h", **PATH})
IN_SLURM = Job(Path("/e/bin/python"), WORKER, ("one", "two"), 4, 5000, 3, {}, slurm=True)


@pytest.fixture(autouse=True)
def _somebody(monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 1000)


def words(launcher, job):
    return " ".join(launchers.command(launcher, job))


@pytest.mark.parametrize(
    ("launcher", "expected"),
    [
        ("torchrun", ("/e/bin/python -m torch.distributed.run --nnodes 1 --nproc-per-node 2 --master-addr 127.0.0.1 "
         "--master-port 5000 /w/__main__.py request.json result.json")),
        ("oneflow.distributed.launch", ("/e/bin/python -m oneflow.distributed.launch --nnodes 1 --nproc_per_node 2 "
         "--master_addr 127.0.0.1 --master_port 5000 /w/__main__.py request.json result.json")),
        ("mpiexec", ("mpiexec --host 127.0.0.1:2 -n 2 --oversubscribe --bind-to none -x OMP_NUM_THREADS -x PATH "
         "/e/bin/python /w/__main__.py request.json result.json")),
        ("srun", ("srun --nodes=1 --nodelist=127.0.0.1 --ntasks=2 --ntasks-per-node=2 --cpus-per-task=3 --cpu-bind=none "
         "--kill-on-bad-exit=1 --overlap /e/bin/python /w/__main__.py request.json result.json")),
    ],
)  # fmt: skip
def test_a_job_on_one_node_is_started_by_the_engine_alone(launcher, expected):
    assert words(launcher, ONE) == expected


def test_several_nodes_are_reached_by_mpiexec_with_the_processes_of_each():
    assert words("mpiexec", TWO).startswith("mpiexec --host one:4,two:4 -n 8 --oversubscribe ")


def test_torchrun_is_started_once_a_node_and_meets_at_the_first():
    started = words("torchrun", TWO)
    assert started.startswith(
        "mpiexec --host one:1,two:1 -n 2 --oversubscribe --bind-to none -x OMP_NUM_THREADS -x PATH"
    )
    assert "--nnodes 2 --nproc-per-node 4 --rdzv-backend c10d --rdzv-endpoint one:5000 --rdzv-id 5000 /w/" in started


def test_inside_an_allocation_slurm_starts_what_is_started_once_a_node_and_gives_it_all_threads():
    started = words("torchrun", IN_SLURM)
    assert started.startswith("srun --nodes=2 --nodelist=one,two --ntasks=2 --ntasks-per-node=1 --cpus-per-task=12 ")


def test_oneflow_learns_from_the_engine_between_the_nodes_which_node_it_is_on():
    started = launchers.command("oneflow.distributed.launch", TWO)
    shell = started.index("sh")
    flag, script, python, option = started[shell + 1 : shell + 5]
    assert (flag, python, option) == ("-c", "/e/bin/python", "--nnodes")
    assert '--node_rank "${OMPI_COMM_WORLD_RANK:-$SLURM_NODEID}" "$@"' in script


def test_only_root_tells_mpiexec_that_root_may(monkeypatch):
    assert "--allow-run-as-root" not in words("mpiexec", ONE)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert "--allow-run-as-root" in words("mpiexec", ONE)


def program(folder, name, text):
    (folder / name).write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    (folder / name).chmod(0o755)


@pytest.mark.parametrize(
    ("launcher", "nodes", "variables", "words"),
    [
        ("torchrun", 1, {}, None),
        ("torchrun", 2, {}, "no mpiexec is on PATH: install Open MPI (on Debian: apt-get install openmpi-bin)"),
        ("mpiexec", 1, {}, "no mpiexec is on PATH: install Open MPI"),
        ("srun", 1, {}, "no srun is on PATH: install Slurm (on Debian: apt-get install slurm-wlm)"),
        ("torchrun", 2, {"SLURM_JOB_ID": "7"}, "no srun is on PATH"),
        ("horovodrun", 1, {}, "no code for the launcher 'horovodrun'; there is for torchrun, "),
    ],
)
def test_a_missing_engine_is_named_with_what_to_install(launcher, nodes, variables, words, tmp_path):
    found = launchers.missing(launcher, nodes, {"PATH": str(tmp_path), **variables})
    assert found is None if words is None else words in found


def test_an_mpiexec_of_another_make_is_refused(tmp_path):
    variables = {"PATH": f"{tmp_path}:/usr/bin:/bin"}
    program(tmp_path, "mpiexec", "echo HYDRA build details:")
    assert "is not that of Open MPI" in launchers.missing("mpiexec", 1, variables)
    program(tmp_path, "mpiexec", "echo 'mpiexec (Open MPI) 5.0.8'")
    assert launchers.missing("mpiexec", 1, variables) is None


def test_srun_outside_an_allocation_says_how_to_get_one(tmp_path):
    program(tmp_path, "srun", "exit 0")
    assert "sbatch" in launchers.missing("srun", 1, {"PATH": str(tmp_path)})
    assert launchers.missing("srun", 1, {"PATH": str(tmp_path), "SLURM_JOB_ID": "7"}) is None


def test_the_nodes_of_an_allocation_are_asked_of_slurm(tmp_path, monkeypatch):
    program(tmp_path, "scontrol", '[ "$1 $2 $3" = "show hostnames n[1-2]" ] && printf "n1\\nn2\\n"')
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    assert launchers.allocated({"SLURM_JOB_NODELIST": "n[1-2]"}) == ("n1", "n2")
    assert launchers.allocated({}) == ()


def test_every_launcher_of_a_manifest_is_one_that_we_can_start():
    for framework in manifests.load().values():
        for launcher in framework.launchers:
            assert launchers.command(launcher, ONE), f"{framework.id}: {launcher}"


def test_the_ports_of_a_job_are_free_and_follow_each_other():
    first = launchers.free_port(3)
    for port in range(first, first + 3):
        with socket.socket() as taken:
            taken.bind(("", port))


@pytest.mark.parametrize(
    ("launcher", "log", "signal"),
    [
        ("torchrun", "  exitcode  : 1 (pid: 8)\n  exitcode  : -9 (pid: 9)", "SIGKILL"),
        ("torchrun", "  exitcode  : 1 (pid: 8)\n  exitcode  : -15 (pid: 9)", None),
        ("mpiexec", "process rank 1 with PID 0 on node n exited on signal 11 (Segmentation fault).", "SIGSEGV"),
        ("mpiexec", "Process name: [[1,1],1]\n  Exit code:    1", None),
        ("srun", "srun: error: n: task 1: Killed\nsrun: error: n: task 0: Exited with exit code 1", "SIGKILL"),
        ("srun", "srun: error: n: task 1: Segmentation fault (core dumped)", "SIGSEGV"),
        ("srun", "srun: error: n: tasks 0-1: Exited with exit code 1\nsrun: error: n: task 2: Killed", None),
        ("oneflow.distributed.launch", "CalledProcessError: Command '…' died with <Signals.SIGKILL: 9>.", "SIGKILL"),
    ],
)  # fmt: skip
def test_the_signal_that_ended_a_process_is_read_from_what_the_engine_reports(launcher, log, signal):
    assert launchers.death(launcher, log) == signal
