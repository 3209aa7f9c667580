"""Which cells a plan has, in which order their runs come, and when two cells are the same."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runners import manifests, plan, workloads
from runners.errors import UsageError
from runners.plan import PROFILES, Scale, Settings

SETTINGS = Settings(kind="cpu", device="cpu", threads=2, profile=PROFILES["smoke"])


def toy_cells(**changes):
    toy = manifests.load()["toy"]
    return plan.cells([toy], [workloads.load()["toy-regression"]], replace(SETTINGS, **changes))


@given(st.lists(st.integers(1, 6), min_size=1, max_size=6))
def test_runs_are_interleaved_over_the_cells(runs):
    order = list(plan.interleaved(runs))
    assert sorted(order) == sorted((run, place) for place, count in enumerate(runs) for run in range(1, count + 1))
    for run, block in groupby(order, key=lambda pair: pair[0]):
        places = [place for place, count in enumerate(runs) if run <= count]
        assert [place for _run, place in block] == places, f"run {run} visits every cell that has it once"


def test_quick_measures_large_networks_on_a_cpu_once_and_shortly_and_everything_else_in_full():
    jobs, settings = workloads.load(), replace(SETTINGS, profile=PROFILES["quick"])
    small, large = (
        plan.Cell(manifests.load()["pytorch"], jobs[name], "fp32", "synthetic-device", "same", settings)
        for name in ("cifar10-cnn", "resnet50")
    )
    assert (small.profile.runs, small.steps) == (3, 120)
    assert (large.profile.runs, large.steps) == (1, 7)
    on_gpu = replace(large, settings=replace(settings, kind="gpu"))
    assert (on_gpu.profile.runs, on_gpu.steps) == (3, 120)


def test_a_batch_may_be_a_number_without_level_and_of_level_max_none_before_the_search():
    of_ten, searched = toy_cells(levels=(10, "max"))
    assert (of_ten.level, of_ten.batch, of_ten.parts[4]) == (None, 10, "10")
    assert (searched.level, searched.parts[4]) == ("max", "max")
    assert replace(searched, per_device=24).parts[4] == "24"
    assert plan.cell_id(of_ten, "e", {}, "s") != plan.cell_id(replace(searched, per_device=10), "e", {}, "s")


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
    cell = replace(pytorch_cell(data=("real",), kind="gpu"), workload=found)
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


def test_the_threads_of_a_cpu_are_shared_between_the_processes_of_a_node():
    assert [plan.default_threads("cpu", 64, processes) for processes in (1, 4, 128)] == [64, 16, 1]
    assert plan.default_threads("gpu", 16, 4) == 4


SCALES = (Scale(2, 4), Scale(1, 1), Scale(1, 2))


def test_the_scales_of_a_setting_follow_each_other_from_the_baseline_up():
    settings = replace(SETTINGS, levels=("one", "same"), scales=SCALES, hosts=("one", "two"))
    cells = plan.cells([manifests.load()["pytorch"]], [workloads.load()["cifar10-cnn"]], settings)
    assert [(cell.level, cell.scale.name) for cell in cells] == [
        (level, scale) for level in ("one", "same") for scale in ("1n1c", "1n2c", "2n4c")
    ]
    assert cells[1].title.endswith("batch 1 · 1n2c")
    assert {cell.settings.threads for cell in cells} == {2}, "or the baseline would have another key"


def test_a_request_says_how_many_processes_there_are_where_and_by_which_launcher():
    alone, _pair, four = (pytorch_cell(scales=(scale,), hosts=("one", "two")).request() for scale in sorted(SCALES))
    assert alone["scale"] == {"nodes": 1, "devices": 1, "launcher": None, "hosts": None, "port": None}
    assert four["scale"] == {
        "nodes": 2, "devices": 4, "launcher": "torchrun", "hosts": ["one", "two"], "port": None,
    }  # fmt: skip
    assert pytorch_cell(scales=(Scale(1, 2),), launcher="srun").request()["scale"]["launcher"] == "srun"


def test_an_epoch_has_fewer_steps_on_more_devices():
    assert pytorch_cell(data=("real",), epochs=1, scales=(Scale(1, 2),)).steps == 390


def test_a_framework_without_the_launcher_is_left_out_at_scales_that_need_it():
    with pytest.raises(UsageError, match=r"toy-regression \(fp32; synthetic-device/synthetic-host; one device\)"):
        toy_cells(scales=(Scale(1, 2),))
    with pytest.raises(UsageError, match=r"several devices by torchrun/mpiexec/srun"):
        pytorch_cell(scales=(Scale(1, 2),), launcher="oneflow.distributed.launch")
    assert [cell.scale.name for cell in toy_cells(scales=SCALES)] == ["1n1c"]
