"""README and docs say what exists: every target, command and link that they name is there."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import rosetta

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text("utf-8")
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")])


def test_every_make_target_that_the_pages_name_exists():
    named = {target for page in PAGES for target in re.findall(r"`make ([a-z]+)", page.read_text("utf-8"))}
    assert {"demo", "test", "serve"} <= named
    for target in sorted(named):
        subprocess.run(["make", "--dry-run", target], cwd=ROOT, check=True, capture_output=True)


def test_every_subcommand_that_the_pages_name_exists():
    named = {name for page in PAGES for name in re.findall(r"`rosetta ([a-z]+)", page.read_text("utf-8"))}
    assert named <= set(rosetta.COMMANDS)


@pytest.mark.parametrize("name", ["commands.md", "data.md", "problems.md"])
def test_pages_written_from_the_code_are_up_to_date(name):
    # A process of its own: click keeps the help option of the first call that it saw.
    code = f"import runpy; print(runpy.run_path('docs/generate.py')['PAGES'][{name!r}](), end='')"
    written = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, encoding="utf-8")
    assert (ROOT / "docs" / name).read_text("utf-8") == written.stdout, "run `make docs`"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_relative_link_of_a_page_leads_somewhere(page):
    links = re.findall(r"\]\((?!https?:|#|mailto:)([^)#\s]+)", page.read_text("utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_the_readme_sends_each_kind_of_user_somewhere():
    for user in ("Reader", "Submitter", "Report user", "Verifier", "Learner"):
        assert f"**{user}**" in README
