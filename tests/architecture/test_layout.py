"""The agreed layout, held by tests rather than by memory."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = {"collector": ROOT / "collector", "runners": ROOT / "runners", "sitegen": ROOT / "site" / "sitegen"}

# Which modules may import a heavy or world-touching library; everything else stays pure and quick to load.
ALLOWED = {
    "pandas": {"collector.tabulate"},
    "pyarrow": {"collector.store", "collector.tabulate"},
    "pydantic": {
        *(f"collector.{name}" for name in ("fields", "read", "rules.privacy", "salvage", "schema", "vocabulary"))
    },
    "jinja2": {"sitegen.render"},
    "typst": {"sitegen.report.typeset"},
    "plotly": set(),
}


def modules() -> list[tuple[str, Path]]:
    found = []
    for name, folder in PACKAGES.items():
        for path in sorted(folder.rglob("*.py")):
            parts = path.relative_to(folder).with_suffix("").parts
            if parts[0] not in {"worker", "frameworks"}:
                found.append((".".join((name, *parts)).removesuffix(".__init__"), path))
    return found


def imported(path: Path) -> set[str]:
    """Return the top-level names that a module imports when it runs, not only for the type checker."""
    names: set[str] = set()
    pending: list[ast.AST] = [ast.parse(path.read_text("utf-8"))]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING":
            pending += node.orelse
            continue
        pending += ast.iter_child_nodes(node)
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module.partition(".")[0])
    return names


@pytest.mark.parametrize("library", ALLOWED)
def test_a_library_is_imported_only_where_the_layout_says(library):
    users = {name for name, path in modules() if library in imported(path)}
    assert users <= ALLOWED[library], f"{library} belongs in {ALLOWED[library]}"


def test_the_site_folder_is_no_package():
    assert not (ROOT / "site" / "__init__.py").exists(), "it would shadow the standard library's module `site`"


@pytest.mark.parametrize("path", sorted([*ROOT.glob("mkdocs*.yml"), *(ROOT / "site").glob("mkdocs*.yml")]), ids=str)
def test_mkdocs_reads_and_writes_only_inside_build(path):
    config = yaml.load(path.read_text("utf-8"), Loader=yaml.BaseLoader)
    while "docs_dir" not in config:
        path = (path.parent / config["INHERIT"]).resolve()
        config = yaml.load(path.read_text("utf-8"), Loader=yaml.BaseLoader) | config
    for key in ("docs_dir", "site_dir"):
        assert (path.parent / config[key]).resolve().is_relative_to(ROOT / "build"), f"{key} would erase sources"
    assert config["plugins"] in (["search"], [{"search": ""}]) or [*config["plugins"][0]] == ["search"]


def test_the_lock_file_pins_everything_that_the_project_asks_for():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    asked = [*project["project"]["dependencies"], *project["dependency-groups"]["dev"]]
    lock = (ROOT / "requirements.lock").read_text("utf-8")
    pinned = {name: Version(version) for name, version in re.findall(r"^([a-z0-9.-]+)==([^ ;]+)", lock, re.MULTILINE)}
    for requirement in map(Requirement, asked):
        assert pinned.get(canonicalize_name(requirement.name)) in requirement.specifier, (
            f"{requirement}: run `make lock`"
        )
    assert lock.count("--hash=sha256:") >= len(pinned)


def test_the_command_only_assembles_and_stays_small():
    lines = (ROOT / "rosetta.py").read_text("utf-8").splitlines()
    assert len(lines) < 60


def test_asking_for_help_loads_no_heavy_library():
    code = "import sys, rosetta; rosetta.main(['--help'], standalone_mode=False); print(sorted(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert not set(re.findall(r"'(pandas|pyarrow|pydantic|jinja2|typst|collector|runners|sitegen)'", loaded))


def test_modules_stay_small_enough_to_fit_in_a_head():
    long = {name: n for name, path in modules() if (n := len(path.read_text("utf-8").splitlines())) > 300}
    assert not long


def test_importing_does_nothing_at_module_level():
    quiet = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef, ast.Assign, ast.AnnAssign, ast.If)
    for name, path in modules():
        for node in ast.parse(path.read_text("utf-8")).body:
            docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
            assert docstring or isinstance(node, quiet), f"{name}:{node.lineno} acts on import"
