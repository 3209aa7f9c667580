"""Measured submissions made of a few numbers, and a data folder to put them in."""

from __future__ import annotations

import json
import shutil

import pytest

from collector import store
from collector.canonical import identity
from collector.derive import derive
from collector.normalise import Entry, normalise
from collector.schema import Submission
from collector.tabulate import row

CPU = {"name": "AMD EPYC 9B14", "sockets": 1, "cores": 2, "threads": 2, "visible_threads": 2}
DEVICE_FACTS = {
    "per_node": 8,
    "visible": 8,
    "memory_bytes": None,
    "driver": None,
    "power_limit_watts": None,
    "tf32": False,
}


def _machine(device, kind):
    return {
        "name": "a machine",
        "nodes": 1,
        "cpu": CPU,
        "memory_bytes": None,
        "os": None,
        "kernel": None,
        "devices": [{"name": device, "kind": kind, **DEVICE_FACTS}],
        "interconnect": None,
        "storage": None,
        "container": None,
    }


def _stack(framework, version):
    return {
        "framework": framework,
        "framework_version": version,
        "api": "eager",
        "language": "python",
        "language_version": "3.11.7",
        "cuda": None,
        "cudnn": None,
        "nccl": None,
        "blas": None,
        "packages": {},
        "environment": {},
        "install_seconds": None,
        "install_bytes": None,
    }


def _run(window_seconds, **changes):
    steps = changes.get("measured_steps", 100)
    return {
        "started_at": "2026-11-30T12:00:00Z",
        "warmup_steps": 20,
        "measured_steps": steps,
        "first_step_seconds": 0.4,
        "warmup_step_seconds": [0.1] * 20,
        "step_seconds": [window_seconds / steps] * steps,
        "window_seconds": window_seconds,
        "samples_per_step": 64,
        "loss": [2.31, 2.29],
        "epoch_seconds": None,
        "peak_device_memory_bytes": None,
        "telemetry": {"start": {}, "end": {}},
        "quality": None,
        "log_sha256": None,
    } | changes


def _result(windows=(10.0, 10.0, 10.0), **changes):
    return {
        "workload": "cifar10-cnn",
        "workload_version": 1,
        "machine": "m1",
        "stack": "s1",
        "variant": None,
        "mode": "training",
        "precision": "fp32",
        "loss_scale": None,
        "data": {"kind": "synthetic-device", "loader": None, "workers": None, "cache": None},
        "batch": {"level": "same", "per_device": 64, "accumulation": 1, "global": 64, "search": None},
        "scale": {"nodes": 1, "devices": 1, "launcher": None},
        "threads_per_process": 2,
        "options": {},
        "class": "plain",
        "window": "steady",
        "seed": 0,
        "fingerprint": None,
        "equality": {"parameters": 3441592, "probe_loss": 2.303, "logits_error": 1e-7},
        "outcome": "ok",
        "reason": None,
        "limit": None,
        "runs": [_run(window) for window in windows],
        "reported": [],
        "notes": [],
    } | changes


@pytest.fixture(scope="session")
def vocabulary():
    return store.load_vocabulary()


@pytest.fixture(scope="session")
def run():
    """Make a run of 100 steps of 64 samples by the seconds of its window."""
    return _run


@pytest.fixture(scope="session")
def result():
    """Make a result by the windows of its runs; 64 x 100 samples in 10 s are 640 samples/s."""
    return _result


@pytest.fixture(scope="session")
def measured():
    """Make a measured submission of results, on a CPU unless a device is named."""

    def make(
        *results,
        submitter="Jane Roe",
        framework="pytorch",
        version="2.13.0",
        device=None,
        kind="cpu",
        machines=None,
        **top,
    ):
        plain = {
            "schema_version": 1,
            "submitter": {"name": submitter, "organisation": None, "url": None},
            "origin": "measured",
            "source": None,
            "supersedes": None,
            "withdrawn": None,
            "harness": {
                "version": "0.1.0",
                "commit": None,
                "dirty": None,
                "command": "rosetta run",
                "profile": "quick",
            },
            "machines": machines or {"m1": _machine(device or CPU["name"], kind)},
            "stacks": {"s1": _stack(framework, version)},
            "results": list(results),
        } | top
        return Submission.model_validate_json(json.dumps(plain))

    return make


@pytest.fixture(scope="session")
def figures(vocabulary):
    """Derive the figures of submissions given in file order."""

    def make(*submissions, yours=False):
        entries = [
            Entry(f"data/submissions/{position}.json", identity(submission), yours, submission)
            for position, submission in enumerate(submissions)
        ]
        return derive([cell for entry in entries for cell in normalise(entry, vocabulary)], vocabulary)

    return make


@pytest.fixture(scope="session")
def records(figures, vocabulary):
    """Return the rows of the table of submissions given in file order."""
    return lambda *submissions, **options: [row(figure, vocabulary) for figure in figures(*submissions, **options)]


@pytest.fixture
def data(tmp_path):
    """Make a data folder with the vocabulary and no submissions."""
    folder = tmp_path / "project" / "data"
    for name in ("vocabulary", "workloads", "sources"):
        shutil.copytree(store.DATA / name, folder / name)
    (folder / "submissions").mkdir()
    return folder
