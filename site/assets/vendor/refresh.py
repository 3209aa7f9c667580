"""Fetch the vendored Plotly bundle anew: `python site/assets/vendor/refresh.py VERSION`.

Needs npm. VERSION must be the one that the Python package brings: plotly.offline.get_plotlyjs_version().
"""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

PACKAGE = "plotly.js-cartesian-dist-min"
BUNDLE = "plotly-cartesian.min.js"
FOLDER = Path(__file__).resolve().parent / "plotly"


def refresh(version: str) -> None:
    """Replace bundle and licence by those of a version, and record where they come from."""
    with tempfile.TemporaryDirectory() as scratch:
        subprocess.run(["npm", "pack", "--silent", f"{PACKAGE}@{version}"], cwd=scratch, check=True)
        with tarfile.open(next(Path(scratch).glob("*.tgz"))) as package:
            package.extractall(scratch, filter="data")
        for name in (BUNDLE, "LICENSE"):
            shutil.copyfile(Path(scratch) / "package" / name, FOLDER / name)
    record(version)


def record(version: str) -> None:
    """Write vendor.json: package, version and the hash of the bundle."""
    digest = hashlib.sha256((FOLDER / BUNDLE).read_bytes()).hexdigest()
    origin = {"package": PACKAGE, "version": version, "licence": "MIT", "file": BUNDLE, "sha256": digest}
    (FOLDER / "vendor.json").write_text(json.dumps(origin, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    refresh(sys.argv[1])
