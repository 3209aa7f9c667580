"""PyTorch on several processes and several nodes, by real engines.

The two nodes are network namespaces of this machine, joined by a pair of virtual Ethernet cards. Open MPI enters them
by a script in the place of ssh. That needs root, iproute2 and Open MPI.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import struct
import subprocess
import time
from pathlib import Path

import psutil
import pytest

from collector import canonical, derive, normalise, schema, store
from runners import launchers, manifests

SHORT = ["--workload", "cifar10-cnn", "--profile", "smoke", "--batch", "one", "--threads", "1"]
# Each way to start something on several nodes once, and an MPI job of another framework; those that are here.
ON_TWO_NODES = [
    (framework, launcher)
    for framework, launcher in (
        ("pytorch", "torchrun"),
        ("pytorch", "mpiexec"),
        ("oneflow", "oneflow.distributed.launch"),
        ("tensorflow", "mpiexec"),
        ("mxnet", "mpiexec"),
        ("chainer", "mpiexec"),
        ("jax", "mpiexec"),
    )
    if framework in manifests.load()
]

ENTER = """#!/bin/sh
# Open MPI calls this as it calls ssh: a host, then the words of a command.
echo "$1" >>{log}
host=$1
shift
exec ip netns exec "$host" unshare --uts sh -c "hostname $host; $*"
"""


@pytest.fixture
def arguments(bench, environment_of):
    """Return `arguments(framework, ...)`: the words of a short `rosetta run` in the framework's environment."""

    def words(framework, *more):
        own = ["--python", str(environment_of(framework).python), "--output", str(bench.folder / "out")]
        return ["run", "--framework", framework, *own, *SHORT, *more]

    return words


def processes(folder):
    """Return every process that works below a folder."""
    found = []
    for process in psutil.process_iter():
        try:
            if Path(process.cwd()).is_relative_to(folder):
                found.append(process)
        except psutil.Error:
            continue
    return found


@pytest.mark.framework
def test_one_call_with_two_scales_gives_a_submission_with_a_speedup(bench, arguments):
    done = bench.rosetta(*arguments("pytorch", "--scale", "1n2c", "--scale", "1n1c"))
    assert done.returncode == 0, done.stderr + done.stdout
    (path,) = bench.submissions()
    submission = schema.Submission.model_validate_json(path.read_bytes())
    one, two = submission.results
    assert (one.scale.devices, two.scale.devices, two.scale.launcher) == (1, 2, "torchrun")
    assert [run.samples_per_step for run in two.runs] == [2]
    vocabulary = store.load_vocabulary()
    entry = normalise.Entry(path.name, canonical.identity(submission), True, submission)
    alone, pair = derive.derive(normalise.normalise(entry, vocabulary), vocabulary)
    assert (alone.speedup, pair.speedup) == (1.0, pair.estimate.value / alone.estimate.value)


@pytest.mark.framework
def test_a_process_killed_in_the_middle_is_a_crash_and_nothing_of_the_job_stays(bench, arguments):
    command = bench.command(*arguments("pytorch", "--scale", "1n2c", "--steps", "1000000", "--json"))
    with subprocess.Popen(command, env=bench.variables(), cwd=bench.folder, stdout=subprocess.PIPE) as running:
        _second_process(bench.folder).send_signal(signal.SIGKILL)
        document = json.loads(running.communicate(timeout=120)[0])
    (result,) = document["results"]
    assert result["outcome"] == "crashed"
    assert "A process of the job was ended by SIGKILL" in result["reason"]
    assert processes(bench.folder) == []


def _second_process(folder):
    """Return the second process of the job once it is training."""
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        for file in folder.glob("rosetta-*/progress.bin"):
            if file.stat().st_size == 16 and struct.unpack("<QQ", file.read_bytes())[0] == 3:
                return next(process for process in processes(file.parent) if process.environ().get("RANK") == "1")
        time.sleep(0.1)
    raise AssertionError("The job never came to its window.")


@pytest.fixture
def nodes(tmp_path):
    """Make two namespaces; yield their names, which are also the names of the hosts, and the file of who was called."""
    lack = launchers.missing("mpiexec", 1, os.environ) or (
        None if os.geteuid() == 0 and shutil.which("ip") else "Two nodes need root and iproute2."
    )
    if lack:
        assert not os.environ.get("CI"), lack
        pytest.skip(f"TWO NODES WERE NOT RUN: {lack}")
    names = [f"rosetta-{os.getpid()}-{letter}" for letter in "ab"]
    agent, called = tmp_path / "enter", tmp_path / "called"
    agent.write_text(ENTER.format(log=called), encoding="utf-8")
    agent.chmod(0o755)
    try:
        _make(names)
        yield names, agent, called
    finally:
        for name in names:
            subprocess.run(["ip", "netns", "delete", name], check=False)
            shutil.rmtree(f"/etc/netns/{name}", ignore_errors=True)


def _make(names):
    addresses = ["10.83.0.1", "10.83.0.2"]
    hosts = "".join(f"{address} {name}\n" for address, name in zip(addresses, names, strict=True))
    for name in names:
        _ip("netns", "add", name)
        folder = Path("/etc/netns", name)  # `ip netns exec` lays it over /etc
        folder.mkdir(parents=True)
        (folder / "hosts").write_text(f"127.0.0.1 localhost\n{hosts}", encoding="utf-8")
    _ip("-netns", names[0], "link", "add", "veth0", "type", "veth", "peer", "name", "veth0", "netns", names[1])
    for name, address in zip(names, addresses, strict=True):
        _ip("-netns", name, "address", "add", f"{address}/24", "dev", "veth0")
        for card in ("lo", "veth0"):
            _ip("-netns", name, "link", "set", card, "up")


def _ip(*words):
    subprocess.run(["ip", *words], check=True)


@pytest.mark.framework
@pytest.mark.parametrize(("framework", "launcher"), ON_TWO_NODES)
def test_a_job_runs_on_two_nodes(framework, launcher, nodes, bench, arguments):
    (first, second), agent, called = nodes
    bench.environ |= {"OMPI_MCA_plm_rsh_agent": str(agent), "SLURM_JOB_ID": "", "SLURM_JOB_NODELIST": ""}
    asked = ["--scale", "2n2c", "--hosts", f"{first},{second}", "--launcher", launcher]
    command = bench.command(*arguments(framework, *asked))
    inside = ["ip", "netns", "exec", first, "unshare", "--uts", "sh", "-c", 'hostname "$0"; exec "$@"', first, *command]
    done = subprocess.run(
        inside, env=bench.variables(), cwd=bench.folder, capture_output=True, encoding="utf-8", check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr + done.stdout
    assert called.read_text("utf-8").split() == [second]
    result = bench.result()
    assert (result["outcome"], result["batch"]["global"]) == ("ok", 2)
    assert result["scale"] == {"nodes": 2, "devices": 2, "launcher": launcher}
    (told,) = bench.submission()["machines"].values()
    assert told["nodes"] == 2
    assert second not in bench.submissions()[0].read_text("utf-8")
