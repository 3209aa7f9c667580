"""What all tests share: `--update-golden`, in CI the same examples of property tests, frameworks' environments and a summary of them."""

from __future__ import annotations

import functools
import os
import sys
from pathlib import Path

import pytest
from hypothesis import settings

from runners import environ, environments, machine, manifests
from runners.environments import Environment

settings.register_profile("ci", derandomize=True)
if os.environ.get("CI"):
    settings.load_profile("ci")


def pytest_addoption(parser):
    parser.addoption("--update-golden", action="store_true", help="Rewrite expected files; review the diff.")


def pytest_terminal_summary(terminalreporter):
    """Say in one line which frameworks the contract tests ran and which they had to leave out."""
    found = {"passed": set(), "failed": set(), "skipped": set()}
    for outcome, names in found.items():
        for report in terminalreporter.stats.get(outcome, []):
            names |= {value for key, value in report.user_properties if key == "framework"}
    tested = found["passed"] | found["failed"]
    if tested or found["skipped"]:
        missing = ", ".join(sorted(found["skipped"] - tested)) or "none"
        terminalreporter.write_line(f"Frameworks tested: {', '.join(sorted(tested)) or 'none'}; not tested: {missing}.")


@pytest.fixture
def environment_of(record_property):
    """Find the environment of a framework: ours for the toy, else what ROSETTA_<ID>_PYTHON names or `rosetta setup` made.

    Without one the test is skipped, unless ROSETTA_REQUIRED_FRAMEWORKS names the framework.
    """

    def find(framework):
        record_property("framework", framework)  # for the summary at the end
        found = environment(framework)
        if found is None and framework in os.environ.get("ROSETTA_REQUIRED_FRAMEWORKS", "").split():
            pytest.fail(f"{framework} is required and has no environment. Make one: rosetta setup {framework}")
        if found is None:
            pytest.skip(f"{framework.upper()} NOT RUN: it has no environment. Make one: rosetta setup {framework}")
        return found

    return find


@functools.cache
def environment(framework):
    """Return the environment in which a framework is tested, or None."""
    if framework == "toy":
        return Environment(Path(sys.executable), environ.for_worker(os.environ), "toy")
    manifest = manifests.load()[framework]
    if named := os.environ.get(f"ROSETTA_{framework.upper().replace('-', '_')}_PYTHON"):
        return environments.use(manifest, Path(named))
    return environments.find(manifest, machine.default_kind())


@pytest.fixture(scope="session")
def junk():
    """Return fields that no source has: empty, of other kinds, with meanings elsewhere, and far too long."""
    return [
        "",
        "-1",
        "NaN",
        "1e999",
        "9" * 400,
        "=1+1",
        "\u202e",
        "0",
        "\x00",
        "a,b",
        '"',
        "１２",
        "{}",
        "\n",
        "x" * 20_000,
    ]
