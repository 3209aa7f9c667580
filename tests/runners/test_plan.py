"""Which cells a plan has, in which order their runs come, and when two cells are the same."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runners import manifests, plan, workloads
from runners.errors import UsageError
from runners.plan import PROFILES, Settings

SETTINGS = Settings(kind="cpu", device="cpu", threads=2, profile=PROFILES["smoke"])


def toy_cells(**changes):
    toy = manifests.load()["toy"]
    return plan.cells([toy], [workloads.load()["toy-regression"]], replace(SETTINGS, **changes))


@given(st.integers(1, 6), st.integers(1, 6))
def test_runs_are_interleaved_over_the_cells(count, runs):
    order = list(plan.interleaved(count, runs))
    assert sorted(order) == sorted((run, place) for place in range(count) for run in range(1, runs + 1))
    for run, block in groupby(order, key=lambda pair: pair[0]):
        assert [place for _run, place in block] == list(range(count)), f"run {run} visits every cell once"


def test_a_plan_has_what_the_manifests_support_and_nothing_else():
    cells = toy_cells(precisions=("fp32", "amp-fp16"), levels=("one", "same"), data=("synthetic-device", "real"))
    assert [(cell.precision, cell.data, cell.batch) for cell in cells] == [
        ("fp32", "synthetic-device", 1),
        ("fp32", "synthetic-device", 16),
    ]


def test_a_plan_without_cells_says_what_is_supported():
    with pytest.raises(UsageError, match=r"Nothing to measure.*toy toy-regression \(fp32; synthetic-device/"):
        toy_cells(precisions=("tf32",))


def test_a_request_has_every_key_of_the_workload():
    (cell,) = toy_cells()
    request = cell.request()
    assert request["workload"] == {"id": "toy-regression", **workloads.load()["toy-regression"].document}
    assert (request["warmup_steps"], request["measured_steps"], request["epochs"]) == (2, 5, None)


def pytorch_cell(**changes):
    settings = replace(SETTINGS, profile=PROFILES["quick"], data_directory="/data", **changes)
    (cell,) = plan.cells([manifests.load()["pytorch"]], [workloads.load()["cifar10-cnn"]], settings)
    return cell


@pytest.mark.parametrize(("asked", "expected"), [(None, 10), (2, 2)])
def test_real_data_are_measured_by_whole_epochs_without_warm_up(asked, expected):
    cell = pytorch_cell(data=("real",), epochs=asked)
    request = cell.request()
    assert (request["epochs"], request["warmup_steps"], request["measured_steps"]) == (expected, 0, None)
    assert cell.steps == expected * 781


def test_real_data_are_measured_by_steps_where_steps_were_asked_for():
    request = pytorch_cell(data=("real",), steady=True).request()
    assert (request["epochs"], request["warmup_steps"], request["measured_steps"]) == (None, 20, 100)


def test_real_data_of_a_workload_without_a_number_of_epochs_are_measured_by_steps():
    found = workloads.load()["resnet50"]
    assert found.specification.real is None
    cell = replace(pytorch_cell(data=("real",)), workload=found)
    request = cell.request()
    assert (request["epochs"], request["warmup_steps"], request["measured_steps"]) == (None, 20, 100)
    assert (request["data"], cell.steps) == ({"kind": "real", "directory": "/data"}, 120)


def test_the_number_of_loading_processes_is_for_real_data_alone():
    kinds = {kind: pytorch_cell(data=(kind,), loader_workers=4) for kind in ("real", "synthetic-host")}
    assert {kind: cell.request()["loader_workers"] for kind, cell in kinds.items()} == {
        "real": 4,
        "synthetic-host": None,
    }
    assert pytorch_cell(data=("real",)).request()["loader_workers"] is None


def test_synthetic_data_have_no_epochs():
    assert pytorch_cell().request()["epochs"] is None


@pytest.mark.parametrize("changed", ["request", "environment", "machine", "sources"])
def test_a_cell_is_measured_anew_when_anything_that_it_depends_on_changes(changed):
    (cell,) = toy_cells()
    parts = {"cell": cell, "environment_identity": "e", "machine": {"kernel": "6.1"}, "sources": "s"}
    others = {
        "request": {"cell": replace(cell, settings=replace(SETTINGS, threads=1))},
        "environment": {"environment_identity": "f"},
        "machine": {"machine": {"kernel": "6.2"}},
        "sources": {"sources": "t"},
    }
    assert plan.cell_id(**parts) == plan.cell_id(**parts)
    assert plan.cell_id(**parts) != plan.cell_id(**{**parts, **others[changed]})


def test_threads_beside_a_gpu_are_the_same_on_hosts_of_different_size():
    assert plan.default_threads("cpu", 64) == 64
    assert plan.default_threads("gpu", 64) == plan.default_threads("gpu", 16) == 8
    assert plan.default_threads("gpu", 4) == 4
