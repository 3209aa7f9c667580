"""A few whole pages as text; `--update-golden` rewrites them, the diff is reviewed."""

from __future__ import annotations

from pathlib import Path

import pytest
from sitegen import pages, render
from sitegen.words import load_words

GOLDEN = Path(__file__).parent / "golden"
PAGES = (
    "en/index.md",
    "zh/index.md",
    "en/workloads/cifar10-cnn.md",
    "en/workloads/vgg16.md",
    "zh/submissions/index.md",
)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_reads_as_reviewed(name, dataset, request):
    language, _, path = name.partition("/")
    built = pages.Built(sizes={}, reports=())
    text = pages.site(dataset, load_words(language), render.environment(), built).pages[path]
    golden = GOLDEN / name
    if request.config.getoption("--update-golden", default=False):
        golden.parent.mkdir(parents=True, exist_ok=True)
        golden.write_text(text, "utf-8")
    assert text == golden.read_text("utf-8")
