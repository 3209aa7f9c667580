"""How the contract tests reach the real worker in the frameworks' environments."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from runners import references, workloads

ROOT = Path(__file__).resolve().parents[2]
LARGE = 1e9  # multiply-adds: above it a batch of two does


@pytest.fixture(scope="session")
def work(tmp_path_factory):
    """Return `work(environment, framework, workload, **changes)`: run the real worker once, give its result."""

    def run(environment, framework, workload, /, **changes):
        request = {
            "protocol": 2,
            "framework": framework,
            "workload": {"id": workload, **workloads.load()[workload].document},
            "device": "cpu",
            "precision": "fp32",
            "data": {"kind": "synthetic-device", "directory": None},
            "scale": {"nodes": 1, "devices": 1, "launcher": None, "hosts": None, "port": None},
            "loader_workers": None,
            "reference": None,
            "batch_per_device": 8,
            "threads": 1,
            "seed": 0,
            "warmup_steps": 1,
            "measured_steps": 2,
            "epochs": None,
            "options": {},
            "progress": None,
            **changes,
        }
        folder = tmp_path_factory.mktemp("work")
        (folder / "request.json").write_text(json.dumps(request), "utf-8")
        command = [environment.python, ROOT / "runners/worker/__main__.py", "request.json", "result.json"]
        variables = environment.with_threads(request["threads"]).environ
        subprocess.run(command, cwd=folder, env=variables, check=True, timeout=500)
        return json.loads((folder / "result.json").read_text("utf-8"))

    return run


@pytest.fixture(scope="session")
def trained(work):
    """Return `trained(environment, framework, workload)`: a short run in single precision, proved with the reference."""
    results = {}  # by framework and workload: several tests look at the same run

    def run(environment, framework, workload):
        if (framework, workload) not in results:
            job = workloads.load()[workload]
            name = references.marker(job, "fp32")
            reference = name and str(references.made(name, job))
            size = 2 if job.specification.multiply_adds > LARGE else 8
            results[framework, workload] = work(
                environment, framework, workload, reference=reference, batch_per_device=size, threads=2
            )
        return results[framework, workload]

    return run
