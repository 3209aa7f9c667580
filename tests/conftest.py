"""What all tests share: `--update-golden`, in CI the same examples of property tests, and which frameworks were tested."""

from __future__ import annotations

import os

from hypothesis import settings

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
