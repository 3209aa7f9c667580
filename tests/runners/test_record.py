"""From finished runs to a submission, on values: machines, stacks, outcomes, rounding, file names."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from collector import canonical, schema
from runners import launch, machine, manifests, plan, record, workloads
from runners.environments import Environment
from runners.errors import UsageError
from runners.finished import Finished
from runners.plan import PROFILES, Scale, Settings
from runners.privacy import Private
from runners.record import Measured

NOBODY = Private((), (), ())
HARNESS = schema.Harness(version="0.1.0", commit=None, dirty=None, command="rosetta run", profile="quick")
MADE = Environment(Path("/x/bin/python"), {"OMP_NUM_THREADS": "2", "PATH": "/bin"}, "e", 21.4, 804_000_000)
TIMES = {"started_at": "2026-11-30T12:00:00Z", "warmup_steps": 1, "measured_steps": 2,
         "first_step_seconds": 0.41234567, "warmup_step_seconds": [0.41234567], "step_seconds": [0.1000004, 0.1000006],
         "window_seconds": 0.2000011, "samples_per_step": 64, "loss": [2.31, 2.29], "epoch_seconds": None,
         "peak_device_memory_bytes": None, "quality": None}  # fmt: skip
STACK = {"framework_version": "2.13.0+cpu", "api": "eager", "language": "python", "language_version": "3.11.7",
         "cuda": None, "cudnn": None, "nccl": None, "blas": "mkl", "packages": {"numpy": "2.4.6"}}  # fmt: skip
GPU = {"name": "NVIDIA H200", "kind": "gpu", "memory_bytes": 1, "tf32": False}


def finished(outcome="ok", reason=None, device=None, **changes):
    result = {
        "outcome": outcome, "reason": reason, "limit": None, "run": TIMES, "stack": STACK, "device": device,
        "equality": {"parameters": 9, "probe_loss": 1.0, "logits_error": None},
        "fingerprint": {"adapter": "0" * 64, "workload": "1" * 64},
    }  # fmt: skip
    telemetry = {"start": {"load_average_1min": 0.1}, "end": {"load_average_1min": 0.2}}
    return Finished("2026-11-30T12:00:00Z", 1.0, {**result, **changes}, telemetry, "2" * 64)


def crashed(reason="The worker was ended by SIGSEGV."):
    return finished("crashed", reason, run=None, stack=None, equality=None, fingerprint=None)


def cell(**changes):
    settings = Settings(kind="cpu", device="auto", threads=2, profile=PROFILES["quick"])
    (made,) = plan.cells([manifests.load()["pytorch"]], [workloads.load()["cifar10-cnn"]], replace(settings, **changes))
    return made


def made(*measured, describe=machine.describe, submitter="local", private=NOBODY):
    return record.submission(measured, HARNESS, submitter, private, describe)


def with_cards(kind):
    """Describe a machine that has a card."""
    facts = machine.describe("cpu").model_dump()
    if kind == "gpu":
        card = {"name": "NVIDIA H200", "kind": "gpu", "per_node": 8, "visible": 1, "memory_bytes": 150_754_820_096,
                "driver": "580.65.06", "power_limit_watts": 700.0, "tf32": None}  # fmt: skip
        facts |= {"name": "1x-nvidia-h200", "devices": [card]}
    return schema.Machine.model_validate(facts)


def test_times_are_rounded_to_a_microsecond_and_nothing_else_is():
    (result,) = made(Measured(cell(), MADE, (finished(),))).results
    (run,) = result.runs
    assert (run.first_step_seconds, run.step_seconds, run.window_seconds) == (0.412346, [0.1, 0.100001], 0.200001)
    assert run.loss == [2.31, 2.29]
    assert run.telemetry.start == {"load_average_1min": 0.1}


def test_what_nobody_knows_is_null():
    submission = made(Measured(cell(), MADE, (finished(),)))
    document = canonical.document(submission)
    (result,) = document["results"]
    assert result["data"] == {"kind": "synthetic-device", "loader": None, "workers": None, "cache": None}
    assert (result["variant"], result["loss_scale"], result["batch"]["search"]) == (None, None, None)
    assert document["machines"]["m1"]["interconnect"] is None
    assert document["stacks"]["s1"]["environment"] == {"OMP_NUM_THREADS": "2"}


def test_how_real_data_were_loaded_is_what_the_worker_says():
    real = cell(data=("real",), data_directory="/data")
    said = {"loader": "torch.utils.data.DataLoader", "workers": 4, "cache": "warm"}
    (result,) = made(Measured(real, MADE, (crashed(), finished(loader=said)))).results
    assert result.data.model_dump() == {"kind": "real", **said}
    (result,) = made(Measured(real, MADE, (crashed(),))).results
    assert result.data.model_dump() == {"kind": "real", "loader": None, "workers": None, "cache": None}


def test_the_device_is_the_one_that_the_worker_used_and_tf32_as_it_saw_it():
    on_gpu = Measured(cell(kind="gpu"), MADE, (finished(device=GPU),))
    fell_back = Measured(cell(kind="gpu", precisions=("amp-bf16",)), MADE, (finished(device={**GPU, "kind": "cpu"}),))
    submission = made(on_gpu, fell_back, describe=with_cards)
    devices = {key: entry.devices[0] for key, entry in submission.machines.items()}
    assert [(key, device.kind, device.tf32) for key, device in devices.items()] == [
        ("m1", "gpu", False),
        ("m2", "cpu", None),
    ]
    assert [result.machine for result in submission.results] == ["m1", "m2"]


def test_equal_machines_and_stacks_are_told_once():
    cells = [Measured(cell(levels=(level,)), MADE, (finished(),)) for level in ("one", "same")]
    submission = made(*cells)
    assert (list(submission.machines), list(submission.stacks)) == (["m1"], ["s1"])
    assert [result.batch.global_ for result in submission.results] == [1, 64]


def test_a_job_of_several_devices_has_its_global_batch_and_the_machine_the_nodes_of_the_largest():
    cells = [Measured(cell(scales=(scale,), hosts=("one", "two")), MADE, (finished(),)) for scale in
             (Scale(1, 1), Scale(2, 4))]  # fmt: skip
    submission = made(*cells)
    (only,) = submission.machines.values()
    assert only.nodes == 2
    assert [result.batch.global_ for result in submission.results] == [64, 256]
    assert [result.scale.model_dump() for result in submission.results] == [
        {"nodes": 1, "devices": 1, "launcher": None},
        {"nodes": 2, "devices": 4, "launcher": "torchrun"},
    ]


@pytest.mark.parametrize(
    ("runs", "outcome", "reason"),
    [
        ((finished(), finished()), "ok", None),
        ((crashed(), crashed("Again.")), "crashed", "The worker was ended by SIGSEGV."),
        ((finished(), crashed()), "crashed", "1 of 2 runs: The worker was ended by SIGSEGV."),
        ((crashed(), finished("invalid", "9 parameters.")), "invalid", "1 of 2 runs: 9 parameters."),
    ],
)
def test_a_cell_has_the_worst_outcome_of_its_runs_and_says_of_how_many(runs, outcome, reason):
    (result,) = made(Measured(cell(), MADE, runs)).results
    assert (result.outcome, result.reason) == (outcome, reason)
    assert len(result.runs) == sum(run.run is not None for run in runs)


def test_the_stack_of_a_cell_that_crashed_is_that_of_its_kin_else_what_was_installed_else_unknown():
    bad = Measured(cell(levels=("one",)), MADE, (crashed(),))
    good = Measured(cell(), MADE, (finished(),))
    assert [made(bad, good).stacks[key].framework_version for key in ("s1",)] == ["2.13.0+cpu"]
    assert made(bad).stacks["s1"].framework_version == "2.13.0"
    theirs = replace(MADE, install_seconds=None, install_bytes=None)
    assert made(replace(bad, environment=theirs)).stacks["s1"].framework_version is None


def test_a_cell_that_could_not_be_started_is_not_run_with_its_reason():
    (result,) = made(Measured(cell(), None, (launch.not_run("No Python."),))).results
    assert (result.outcome, result.reason, result.runs) == ("not_run", "No Python.", [])


def test_cells_without_any_run_yet_are_left_out():
    assert len(made(Measured(cell(), MADE, (finished(),)), Measured(cell(levels=("one",)), MADE, ())).results) == 1


def test_whole_epochs_keep_their_times_and_their_quality():
    run = {**TIMES, "warmup_steps": 0, "warmup_step_seconds": [], "epoch_seconds": [0.10000049, 0.1],
           "quality": {"metric": "accuracy", "value": 0.77}}  # fmt: skip
    epochs = cell(epochs=2, data=("real",), data_directory="/data")
    (result,) = made(Measured(epochs, MADE, (finished(run=run),))).results
    assert (result.window, result.runs[0].epoch_seconds, result.runs[0].quality.value) == ("epochs", [0.1, 0.1], 0.77)


def test_a_scaled_precision_states_its_scale():
    (result,) = made(Measured(cell(precisions=("amp-fp16",)), MADE, (finished(),))).results
    assert result.loss_scale == "dynamic"


def test_the_file_is_named_after_the_day_the_device_and_the_id():
    measured = Measured(cell(kind="gpu"), MADE, (finished(device=GPU), crashed()))
    submission = made(measured, describe=with_cards, submitter="Ada")
    assert record.day([measured]) == "2026-11-30"
    name = f"2026-11-30-nvidia-h200-{canonical.identity(submission)[:6]}.json"
    assert record.file_name(submission, "2026-11-30") == Path("ada") / name


def test_the_same_runs_give_the_same_bytes():
    first, second = (json.dumps(canonical.document(made(Measured(cell(), MADE, (finished(),))))) for _ in range(2))
    assert first == second


def test_a_submitter_without_latin_letters_is_asked_for_some():
    assert record.submitter_slug("Šárka 李") == "sarka"
    with pytest.raises(UsageError, match="add one in Latin letters"):
        record.submitter_slug("李")


def test_reasons_are_scrubbed():
    private = Private(("/data/home/jroe",), ("jroe",), ())
    (result,) = made(Measured(cell(), MADE, (crashed("jroe: /data/home/jroe/x is missing"),)), private=private).results
    assert result.reason == "<user>: ~/x is missing"


def test_the_commit_is_that_of_the_earliest_run_not_that_of_a_call_that_only_reuses_runs():
    first = replace(finished(), commit="a" * 40, dirty=False)
    later = replace(finished(), started_at="2026-12-01T12:00:00Z", commit="b" * 40, dirty=True)
    assert made(Measured(cell(), MADE, (later, first))).harness.commit == "a" * 40
