"""Requests for the worker, and the worker as a subprocess."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def ask():
    """Return `ask(**changes)`: a request for two warm-up and five measured steps of the toy."""
    specification = tomllib.loads((ROOT / "data/workloads/toy-regression.toml").read_text("utf-8"))

    def request(**changes):
        return {
            "protocol": 2,
            "framework": "toy",
            "workload": {"id": "toy-regression", **specification},
            "device": "auto",
            "precision": "fp32",
            "data": {"kind": "synthetic-device", "directory": None},
            "scale": {"nodes": 1, "devices": 1, "launcher": None, "hosts": None, "port": None},
            "loader_workers": None,
            "reference": None,
            "batch_per_device": 16,
            "threads": None,
            "seed": 0,
            "warmup_steps": 2,
            "measured_steps": 5,
            "epochs": None,
            "options": {},
            "progress": "progress.bin",
            **changes,
        }

    return request


@pytest.fixture
def start(tmp_path):
    """Return `start(request, python=...)`: the running worker, its output on pipes."""
    running = []

    def popen(request, python=sys.executable):
        (tmp_path / "request.json").write_text(json.dumps(request), "utf-8")
        command = [python, ROOT / "runners/worker/__main__.py", "request.json", "result.json"]
        running.append(
            subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        )
        return running[-1]

    yield popen
    for worker in running:
        worker.kill()
        worker.communicate()


@pytest.fixture
def work(start, tmp_path):
    """Return `work(request, python=...)`: the result of a worker that ends well."""

    def result(request, python=sys.executable):
        worker = start(request, python)
        _, errors = worker.communicate(timeout=300)
        assert worker.returncode == 0, errors
        return json.loads((tmp_path / "result.json").read_text("utf-8"))

    return result
