"""Run every module of this folder and write one JSON line a figure to build/benchmarks.json.

A module is `bench_*.py` with a function `figures()` that yields (name, value, unit). Absolute times depend on the
machine: compare figures of one run, or runs on one machine.
"""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
OUTPUT = HERE.parent / "build" / "benchmarks.json"


def main() -> None:
    sys.path.insert(0, str(HERE))
    OUTPUT.parent.mkdir(exist_ok=True)
    with OUTPUT.open("w", encoding="utf-8") as file:
        for path in sorted(HERE.glob("bench_*.py")):
            for name, value, unit in importlib.import_module(path.stem).figures():
                line = json.dumps({"name": name, "value": float(f"{value:.4g}"), "unit": unit})
                print(line, flush=True)
                file.write(line + "\n")


if __name__ == "__main__":
    main()
