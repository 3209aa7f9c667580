"""All file access of the collector: vocabularies, submissions, the published data set."""

from __future__ import annotations

import tomllib
from pathlib import Path

from collector import vocabulary

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "data"
BUILD = ROOT / "build"


def load_vocabulary(data: Path = DATA) -> vocabulary.Vocabulary:
    """Read every TOML file under `data/vocabulary` and `data/workloads`."""
    tables = {
        path.stem: tomllib.loads(path.read_text("utf-8")) for path in sorted((data / "vocabulary").glob("*.toml"))
    }
    workloads = {
        path.stem: tomllib.loads(path.read_text("utf-8")) for path in sorted((data / "workloads").glob("*.toml"))
    }
    return vocabulary.build(tables, workloads)
