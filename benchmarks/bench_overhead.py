"""What measuring costs: our throughput over that of a hand-written loop of the same network, CIFAR-10 CNN, batch 64."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from runners import environments, manifests, plan, workloads
from runners.plan import Cell, Settings

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
THREADS = 2
PROCESSES = 8  # where memory comes to lie favours one of the two for a whole process


def figures() -> Iterator[tuple[str, float, str]]:
    """Yield the median ratio of all rounds for each framework that has a bare loop in `bare/` and an environment."""
    for bare in sorted((ROOT / "benchmarks" / "bare").glob("[!c]*.py")):
        framework = manifests.load()[bare.stem]
        environment = environments.find(framework, "cpu")
        if environment is None:
            print(f"overhead of {framework.id} left out: rosetta setup {framework.id}", file=sys.stderr)
            continue
        settings = Settings(kind="cpu", device="cpu", threads=THREADS, profile=plan.PROFILES["smoke"])
        cell = Cell(framework, workloads.load()["cifar10-cnn"], "fp32", "synthetic-device", "same", settings)
        request = ROOT / "build" / f"overhead-{framework.id}.json"
        request.parent.mkdir(exist_ok=True)
        request.write_text(json.dumps(cell.request()), "utf-8")
        command = [environment.python, ROOT / "benchmarks/bare/compare.py", ROOT, framework.id, request]
        environ = dict(environment.with_threads(THREADS).environ)
        ratios: list[float] = []
        for number in range(PROCESSES):
            ordered = [*command, "bare" if number % 2 else "ours"]
            answer = subprocess.run(ordered, env=environ, capture_output=True, check=True, text=True)
            ratios += json.loads(answer.stdout.splitlines()[-1])
        yield f"overhead_{framework.id}_ratio", statistics.median(ratios), "ratio"
