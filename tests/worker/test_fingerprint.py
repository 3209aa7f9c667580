"""A fingerprint changes with the code, and with nothing else."""

from __future__ import annotations

import pytest

from runners.worker.fingerprint import fingerprint

CODE = 'def f(a):\n    return f"{a!r:>{10}} and {{b}}"\n'


def of(folder, workload=None, **modules):
    folder.mkdir(exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    for name, text in modules.items():
        (folder / f"{name}.py").write_bytes(text.encode())
    return fingerprint(str(folder), workload or {"id": "small"})


@pytest.mark.parametrize(
    "same",
    [
        "# why\n" + CODE,
        CODE + "\n\n# the end",
        CODE.replace("\n", "\r\n"),
        CODE.replace("(a)", "(  a )"),
        CODE.replace("    return", "  return"),
        CODE.replace("(a)", "(\n    a\n)"),
        CODE.rstrip("\n"),
    ],
    ids=["comment", "blank lines", "line ends", "spaces", "indentation", "wrapped", "no final newline"],
)
def test_layout_does_not_matter(tmp_path, same):
    assert of(tmp_path / "a", adapter=same) == of(tmp_path / "b", adapter=CODE)


@pytest.mark.parametrize(
    "other",
    [CODE.replace("10", "11"), CODE.replace("and", "und"), CODE.replace("{{b}}", "{b}"), CODE + "f(1)\n"],
    ids=["expression in a string", "text in a string", "braces", "one more line"],
)
def test_code_matters(tmp_path, other):
    assert of(tmp_path / "a", adapter=other)["adapter"] != of(tmp_path / "b", adapter=CODE)["adapter"]


def test_file_names_matter_and_their_order_does_not(tmp_path):
    both = of(tmp_path / "a", adapter=CODE, small="x = 1\n")
    assert both == of(tmp_path / "b", small="x = 1\n", adapter=CODE)
    assert both["adapter"] != of(tmp_path / "c", adapter=CODE, large="x = 1\n")["adapter"]


def test_the_workload_counts_by_value_not_by_order(tmp_path):
    first = of(tmp_path / "a", {"id": "x", "n": 1}, adapter=CODE)
    assert first == of(tmp_path / "a", {"n": 1, "id": "x"}, adapter=CODE)
    assert first["workload"] != of(tmp_path / "a", {"id": "x", "n": 2}, adapter=CODE)["workload"]
