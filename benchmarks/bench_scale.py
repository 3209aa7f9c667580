"""The collector on many submissions: whole builds from nothing, one more submission, one file checked.

The curve from 1,000 to 30,000 is long: ROSETTA_SCALE="1000 3000 10000 30000" asks for it, by default it is 10,000 alone.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import generated

from collector import store

if TYPE_CHECKING:
    from collections.abc import Iterator

PART = 100  # submissions that one process makes at a time
SCRIPT = """
import sys
from pathlib import Path
from collector import store
data, output, how = Path(sys.argv[1]).resolve(), Path(sys.argv[2]), sys.argv[3]
store.DATA, store.INDEX = data, output / "index.sqlite"
if how == "full":
    store.write_dataset(store.load(data, output / "none"), output)
else:
    with store.surveyed(data, output / "none") as found:
        store.write_rows(found, output)
"""


def figures() -> Iterator[tuple[str, float, str]]:
    """Yield time and memory by number of submissions."""
    sizes = [int(size) for size in os.environ.get("ROSETTA_SCALE", "10000").split()]
    with tempfile.TemporaryDirectory() as folder:
        data, output = Path(folder) / "data", Path(folder) / "out"
        for name in ("vocabulary", "workloads"):
            shutil.copytree(store.DATA / name, data / name)
        done = 0
        for size in sorted(sizes):
            _more(data, done, size)
            done = size
            shutil.rmtree(output, ignore_errors=True)
            seconds, peak = _run(data, output, "full")
            yield f"collector_full_{size}_s", seconds, "s"
            yield f"collector_full_{size}_mib", peak, "MiB"
        _run(data, output, "rows")
        generated.write(data, 1, done, "cifar10-cnn")
        newest = max((data / "submissions").rglob("*.json"), key=lambda path: path.stat().st_mtime_ns)
        yield "collector_incremental_s", _run(data, output, "rows")[0], "s"
        yield "check_one_s", _check(newest), "s"


def _more(data: Path, first: int, last: int) -> None:
    """Write the submissions from `first` to `last`."""
    parts = [(start, min(start + PART, last)) for start in range(first, last, PART)]
    with ProcessPoolExecutor() as pool:
        for _done in pool.map(partial(_part, data), parts):
            pass


def _part(data: Path, bounds: tuple[int, int]) -> None:
    first, last = bounds
    generated.write(data, last - first, first)


def _run(data: Path, output: Path, how: str) -> tuple[float, float]:
    """Return the seconds of a build in a process of its own, its start included, and the peak of its memory in MiB."""
    started = time.perf_counter()
    subprocess.run([sys.executable, "-c", SCRIPT, data, output, how], check=True, stdout=subprocess.DEVNULL)
    seconds = time.perf_counter() - started
    return seconds, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024


def _check(file: Path) -> float:
    """Return the seconds that `rosetta check` takes for a file that is compared with the project's own data."""
    rosetta = Path(sys.executable).with_name("rosetta")
    for _turn in range(2):  # the first one may have to read the project's data
        started = time.perf_counter()
        subprocess.run([rosetta, "check", file], check=False, stdout=subprocess.DEVNULL)
        seconds = time.perf_counter() - started
    return seconds
