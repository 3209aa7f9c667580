"""How long the commands take on the data of this checkout: from a cold process to the finished output."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROSETTA = str(Path(sys.executable).with_name("rosetta"))
SUBMISSIONS = str(Path(__file__).resolve().parent.parent / "data" / "submissions")


def seconds(*arguments: str) -> float:
    """Return the wall time of `rosetta ARGUMENTS`, which must succeed."""
    started = time.perf_counter()
    subprocess.run([ROSETTA, *arguments], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - started


def figures() -> Iterator[tuple[str, float, str]]:
    """Yield a figure a command."""
    with tempfile.TemporaryDirectory() as folder:
        yield "help_s", seconds("--help"), "s"
        yield "check_s", seconds("check", SUBMISSIONS), "s"
        yield "data_build_s", seconds("build", "--output", f"{folder}/data"), "s"
        yield "report_s", seconds("report", "--lang", "both", "--output", f"{folder}/report"), "s"
        yield "site_build_s", seconds("site", "--output", f"{folder}/html"), "s"
