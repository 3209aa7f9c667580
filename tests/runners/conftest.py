"""Running the command `rosetta` against the toy, with an environment that needs no installation."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@dataclass
class Bench:
    """A folder for runs and submissions, and the command line that fills it."""

    folder: Path
    environ: dict[str, str] = field(default_factory=dict)

    def command(self, *arguments: str) -> list[str]:
        return [sys.executable, "-c", "import rosetta; rosetta.main(prog_name='rosetta')", *arguments]

    def variables(self) -> dict[str, str]:
        # A temporary folder of its own has a lock of its own: a test waits for no real measurement.
        own = {"ROSETTA_CACHE": str(self.folder / "cache"), "TMPDIR": str(self.folder), "PYTHONPATH": str(ROOT)}
        return {**os.environ, **own, **self.environ}

    def rosetta(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            self.command(*arguments),
            env=self.variables(),
            cwd=self.folder,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )

    def toy(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Measure the toy in this very Python, by default one smoke run."""
        return self.rosetta(*self.toy_arguments(*arguments))

    def toy_arguments(self, *arguments: str) -> list[str]:
        return ["run", "--framework", "toy", "--python", sys.executable, "--profile", "smoke", "--output",
                str(self.folder / "out"), *arguments]  # fmt: skip

    def submissions(self) -> list[Path]:
        return sorted((self.folder / "out" / "submissions").rglob("*.json"))

    def submission(self) -> dict:
        (path,) = self.submissions()
        return json.loads(path.read_text("utf-8"))

    def result(self) -> dict:
        (result,) = self.submission()["results"]
        return result

    def logs(self) -> dict[str, int]:
        """Return every log of a run with the time of its last change: an unchanged one wasn't measured again."""
        return {str(log): log.stat().st_mtime_ns for log in sorted((self.folder / "out" / "runs").rglob("*.log"))}


@pytest.fixture(autouse=True, scope="session")
def _interruptible():
    """Let our children hear Ctrl-C: a job in the background has it ignored, and hands that down."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def bench(tmp_path):
    return Bench(tmp_path)
