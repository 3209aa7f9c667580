"""One small data set, and the site built from it once."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from sitegen import pages, render
from sitegen.build import build
from sitegen.words import load_words

from collector import store

SAMPLES = Path(__file__).parent / "samples"
BUILT = pages.Built(
    sizes={"results.csv": 1234, "columns.json": 99, "index.json": 88}, reports=("rosetta-bench-en.pdf",)
)


@pytest.fixture(scope="session")
def data(tmp_path_factory):
    """Put the samples beside the project's own vocabulary and workloads."""
    folder = tmp_path_factory.mktemp("project") / "data"
    shutil.copytree(SAMPLES / "data", folder)
    for name in ("vocabulary", "workloads"):
        shutil.copytree(store.DATA / name, folder / name)
    return folder


@pytest.fixture(scope="session")
def dataset(data):
    return store.load(data, SAMPLES / "local")


@pytest.fixture(scope="session", params=["en", "zh"])
def site(request, dataset):
    return pages.site(dataset, load_words(request.param), render.environment(), BUILT)


@pytest.fixture(scope="session")
def html(dataset, tmp_path_factory):
    folder = tmp_path_factory.mktemp("built")
    reports = folder / "report"
    reports.mkdir()
    (reports / "rosetta-bench-en.pdf").write_bytes(b"%PDF-1.7")
    build(dataset, folder / "html", address="https://example.org/deep/path/", work=folder / "docs", reports=reports)
    return folder / "html"
