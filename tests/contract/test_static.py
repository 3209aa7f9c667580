"""Every folder in runners/frameworks keeps the contract: read with ast and tomllib, no framework needed."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.specifiers import SpecifierSet

ROOT = Path(__file__).resolve().parents[2]
WORKER = ROOT / "runners" / "worker"
FOLDERS = sorted(path.parent for path in (ROOT / "runners" / "frameworks").glob("*/*.toml"))
STEPS = ("data", "model", "loss", "optimizer", "train", "synchronise")
OURS = {f"runners.worker.{name}" for name in ("contract", "datasets", "process", "quality", "synthetic")} | {
    "runners.worker"
}
MANIFEST = {"name", "version", "requires_python", "language", "requirements", "supports", "status"}
OPTIONAL = {"import_name", "api", "framework", "variant", "launchers", "environment", "install_megabytes"}
WITH_NUMPY = {"reference.py", "synthetic.py"}  # inside functions: the toy has no NumPy and needs none
IMPORTED_AS = {"pillow": "PIL", "tensorflow-cpu": "tensorflow"}
OLD = [f"3.{minor}" for minor in range(6, 15)]
MARK = re.compile(r"\s*# step: (.*)")

every_folder = pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)


def manifest(folder):
    return tomllib.loads((folder / "framework.toml").read_text("utf-8"))


def pinned(folder):
    """Name the packages that a folder's requirements pin, as they are imported."""
    files = [name for names in manifest(folder)["requirements"].values() for name in names]
    pins = [line.partition("==")[0].strip().lower() for name in files for line in lines(folder / name)]
    return {IMPORTED_AS.get(pin, pin.replace("-", "_")) for pin in pins}


def lines(path):
    return path.read_text("utf-8").splitlines()


def parse(path):
    return ast.parse(path.read_text("utf-8"))


def adapter_class(path):
    (found,) = [node for node in parse(path).body if isinstance(node, ast.ClassDef) and node.name == "Adapter"]
    return found


def signatures(class_node):
    return {
        node.name: [argument.arg for argument in node.args.args]
        for node in class_node.body
        if isinstance(node, ast.FunctionDef)
    }


def class_attribute(class_node, name):
    """Return a literal class attribute, or an empty tuple: the base class's."""
    values = [
        ast.literal_eval(node.value)
        for node in class_node.body
        if isinstance(node, ast.Assign) and node.targets[0].id == name
    ]
    return values[0] if values else ()


def imports(path):
    for node in ast.walk(parse(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path}: relative imports hide where a name comes from"
            yield node.module


def marks(path):
    """Yield (step, line) for every `# step:` comment."""
    for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
        if match := MARK.fullmatch(line):
            yield match[1], number


def workload_files(folder, workload):
    """List the files that a Rosetta page of this workload is cut from."""
    own = folder / f"{workload.replace('-', '_')}.py"
    return [folder / "adapter.py", *([own] if own.exists() else [])]


def oldest_python(folder):
    wanted = SpecifierSet(manifest(folder)["requires_python"])
    return next(version for version in OLD if wanted.contains(f"{version}.99"))


def test_the_folder_listing_is_not_empty():
    assert {folder.name for folder in FOLDERS} >= {"toy", "pytorch"}


@every_folder
def test_a_folder_is_complete_and_its_id_is_in_the_vocabulary(folder):
    vocabulary = tomllib.loads((ROOT / "data/vocabulary/frameworks.toml").read_text("utf-8"))
    framework = manifest(folder).get("framework", folder.name)
    assert framework in vocabulary
    assert manifest(folder)["name"].startswith(vocabulary[framework]["name"])
    for name in ("__init__.py", "adapter.py"):
        assert (folder / name).is_file(), f"{folder.name} lacks {name}"


@every_folder
def test_a_manifest_has_the_known_keys_and_names_files_that_exist(folder):
    document = manifest(folder)
    assert MANIFEST <= set(document) <= MANIFEST | OPTIONAL
    for kind, names in document["requirements"].items():
        assert kind in ("cpu", "gpu")
        assert names
        pins = [line for name in names for line in lines(folder / name) if line and line[0] not in "#-"]
        assert [pin for pin in pins if "==" not in pin] == [], "requirements are pinned"
    for support in document["supports"]:
        assert (ROOT / "data" / "workloads" / f"{support['workload']}.toml").is_file()


@every_folder
def test_the_version_that_the_manifest_names_is_the_one_that_is_pinned(folder):
    document = manifest(folder)
    for names in document["requirements"].values():
        pins = [line for name in names for line in lines(folder / name)]
        assert [pin for pin in pins if pin.endswith(f"=={document['version']}")], "the framework's own pin"


@every_folder
def test_adapter_and_manifest_support_the_same(folder):
    declared = {
        support["workload"]: {"precisions": tuple(support["precisions"]), "data": tuple(support["data"])}
        for support in manifest(folder)["supports"]
    }
    assert class_attribute(adapter_class(folder / "adapter.py"), "supports") == declared
    launchers = tuple(manifest(folder).get("launchers", ()))
    assert class_attribute(adapter_class(folder / "adapter.py"), "launchers") == launchers


@every_folder
def test_an_adapter_overrides_the_contract_with_its_very_signatures(folder):
    contract = signatures(adapter_class(WORKER / "contract.py"))
    adapter = signatures(adapter_class(folder / "adapter.py"))
    assert {name: adapter[name] for name in adapter if name in contract} == {
        name: contract[name] for name in contract if name in adapter
    }


@every_folder
def test_an_adapter_defines_every_method_that_the_contract_demands(folder):
    demanded = {
        node.name
        for node in adapter_class(WORKER / "contract.py").body
        if isinstance(node, ast.FunctionDef) and node.decorator_list
    }
    assert demanded
    assert demanded <= set(signatures(adapter_class(folder / "adapter.py")))


@every_folder
def test_a_folder_imports_only_the_standard_library_what_it_pins_and_the_contract(folder):
    known = sys.stdlib_module_names | {"numpy", manifest(folder).get("import_name")} | pinned(folder)
    own = f"runners.frameworks.{folder.name}"
    for path in sorted(folder.glob("*.py")):
        foreign = [
            name
            for name in imports(path)
            if name.partition(".")[0] not in known and name not in OURS and not name.startswith(own)
        ]
        assert foreign == [], f"{path.name} must not need them"


def test_the_worker_imports_only_the_standard_library_and_itself():
    for path in sorted(WORKER.rglob("*.py")):
        known = sys.stdlib_module_names | ({"numpy"} if path.name in WITH_NUMPY else set())
        names = [name for name in imports(path) if name.partition(".")[0] not in known]
        assert [name for name in names if not name.startswith("runners.worker")] == []


@every_folder
def test_each_workload_marks_all_its_steps_each_above_the_statement_it_names(folder):
    for support in manifest(folder)["supports"]:
        mode = tomllib.loads((ROOT / "data" / "workloads" / f"{support['workload']}.toml").read_text("utf-8"))["mode"]
        without = {"loss", "optimizer"} if mode == "inference" else set()
        found = set()
        for path in workload_files(folder, support["workload"]):
            starts = {
                min([node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", []))])
                for node in ast.walk(parse(path))
                if isinstance(node, ast.stmt)
            }
            for step, line in marks(path):
                assert step in STEPS, f"{path.name}:{line}: there is no step {step!r}"
                assert line + 1 in starts, f"{path.name}:{line}: the mark stands above no statement"
                found.add(step)
        assert found >= set(STEPS) - without, f"{folder.name}, {support['workload']}"


def prove_floor(floor, paths):
    """Vermin finds what a newer Python than `floor` is needed for; its complaint is the message."""
    command = [Path(sys.executable).with_name("vermin"), "--no-tips", "--violations", "--eval-annotations"]
    proof = subprocess.run([*command, f"--target={floor}-", *paths], capture_output=True, text=True, check=False)
    assert proof.returncode == 0, f"a requirement newer than Python {floor}:\n{proof.stdout}"


def test_the_worker_needs_no_newer_python_than_3_6():
    prove_floor("3.6", [WORKER])


@every_folder
def test_a_folder_needs_no_newer_python_than_its_manifest_declares(folder):
    prove_floor(oldest_python(folder), [folder])


@pytest.mark.parametrize("newer", ["(a := 1)", "from __future__ import annotations", "import math; math.prod([])"])
def test_the_proof_of_the_floor_notices_newer_code(tmp_path, newer):
    (tmp_path / "newer.py").write_text(newer + "\n", "utf-8")
    with pytest.raises(AssertionError, match=r"newer than Python 3\.6"):
        prove_floor("3.6", [tmp_path])
