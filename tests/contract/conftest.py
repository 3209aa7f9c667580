"""How the contract tests reach the real worker."""

from __future__ import annotations

import json
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def work(tmp_path):
    """Return `work(python, framework, workload, **changes)`: run the real worker once, give its result."""

    def run(python, framework, workload, /, **changes):
        specification = tomllib.loads((ROOT / f"data/workloads/{workload}.toml").read_text("utf-8"))
        request = {
            "protocol": 2,
            "framework": framework,
            "workload": {"id": workload, **specification},
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
        (tmp_path / "request.json").write_text(json.dumps(request), "utf-8")
        command = [python, ROOT / "runners/worker/__main__.py", "request.json", "result.json"]
        subprocess.run(command, cwd=tmp_path, check=True, timeout=300)
        return json.loads((tmp_path / "result.json").read_text("utf-8"))

    return run
