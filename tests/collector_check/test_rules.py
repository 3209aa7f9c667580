"""Rules at their edges: what just passes, what just doesn't, and what only looks wrong."""

from __future__ import annotations

import copy
import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collector import store
from collector.check import all_rules, check
from collector.normalise import Entry
from collector.read import read
from collector.repeats import across, claims


def codes(found):
    return sorted({problem.code for problem in found})


def gpu(document, name="NVIDIA H200", **facts):
    """Turn the measured submission into one on a GPU."""
    device = {"name": name, "kind": "gpu", "per_node": 8, "visible": 8, "memory_bytes": None, "driver": None}
    machine = document["machines"]["m1"]
    machine["devices"] = [device | {"power_limit_watts": None, "tf32": False} | facts]
    return document


def result(document):
    return document["results"][0]


def test_every_rule_says_in_one_sentence_what_holds():
    for rule in all_rules():
        first = (rule.__doc__ or "").splitlines()[0]
        assert first.endswith("."), rule.__name__


def test_a_rule_is_found_by_the_folder_it_lies_in():
    modules = {rule.__module__ for rule in all_rules()}
    assert {"collector.rules.times", "collector.rules.privacy"} <= modules
    assert len(all_rules()) == len({rule.__name__ for rule in all_rules()})


@pytest.mark.parametrize(("share", "expected"), [(0.9951, []), (0.9949, ["window-shorter-than-steps"]), (1.5, [])])
def test_the_window_may_be_half_a_per_cent_below_its_steps(document, problems, share, expected):
    for run in result(document)["runs"]:
        run["window_seconds"] = sum(run["step_seconds"]) * share
    assert codes(problems(document)) == expected


@pytest.mark.parametrize(("first", "wrong"), [(0.1, False), (0.0001, True)], ids=["queued steps", "milliseconds"])
def test_steps_that_were_only_queued_are_no_slip_of_a_unit(document, problems, first, wrong):
    run = result(document)["runs"][0]
    run["step_seconds"] = [seconds / 1000 for seconds in run["step_seconds"]]
    run["warmup_step_seconds"] = [first, *run["warmup_step_seconds"][1:]]
    run["first_step_seconds"] = first
    assert ("window-longer-than-steps" in codes(problems(document))) is wrong


def test_rounding_to_microseconds_makes_no_window_too_short(document, problems):
    run = result(document)["runs"][0]
    result(document)["runs"] = [run]
    run |= {"step_seconds": [0.000004, 0.000005] * 50, "window_seconds": 0.00036}
    assert "window-shorter-than-steps" not in codes(problems(document))


@pytest.mark.parametrize(
    ("loss", "expected"), [(2.302585 * 1.0999, []), (2.302585 * 1.1001, ["unequal-network"]), (None, [])]
)
def test_the_probe_loss_may_be_ten_per_cent_off(document, problems, loss, expected):
    result(document)["equality"]["probe_loss"] = loss
    assert codes(problems(document)) == expected


def test_a_declared_invalid_result_may_be_unequal(document, problems):
    result(document)["equality"]["parameters"] = 1
    result(document).update(outcome="invalid", reason="The network has 1 parameter.")
    assert codes(problems(document)) == []


@pytest.mark.parametrize(
    ("value", "expected"),
    [(0.7426, []), (0.7424, ["quality-too-low"]), (0.7902, []), (0.7903, ["quality-unusually-high"])],
)
def test_the_window_of_accuracy_is_open_by_a_hundredth_below(problems, samples, value, expected):
    document = json.loads((samples / "valid" / "real-epochs.json").read_text("utf-8"))
    result(document)["runs"][0]["quality"]["value"] = value
    assert codes(problems(document)) == expected


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("NVIDIA A100-SXM4-80GB", True),
        ("A100", True),
        ("NVIDIA H100 80GB HBM3", True),
        ("NVIDIA L4", True),
        ("NVIDIA L40S", True),
        ("NVIDIA GeForce RTX 3060", True),
        ("NVIDIA GeForce RTX 4090 Laptop GPU", True),
        ("RTX A6000", True),
        ("NVIDIA RTX 6000 Ada Generation", True),
        ("NVIDIA B200", True),
        ("NVIDIA RTX PRO 6000 Blackwell", True),
        ("Tesla V100-SXM2-32GB", False),
        ("Tesla P100", False),
        ("K80", False),
        ("Tesla T4", False),
        ("NVIDIA GeForce RTX 2080 Ti", False),
        ("Quadro RTX 8000", False),
        ("NVIDIA TITAN RTX", False),
        ("NVIDIA GeForce GTX 1080 Ti", False),
        ("AMD Instinct MI300X", False),
    ],
)
def test_fp32_asks_for_the_state_of_tf32_where_the_hardware_has_it(document, name, asked):
    submission = read((json.dumps(gpu(document, name, tf32=None)) + "\n").encode(), "f.json").submission
    assert ("tf32-not-stated" in codes(check(submission, "f.json", store.load_vocabulary()))) == asked


@pytest.mark.parametrize(
    ("precision", "state", "wrong"),
    [
        ("fp32", False, False),
        ("fp32", True, True),
        ("tf32", True, False),
        ("tf32", False, True),
        ("amp-bf16", True, False),
    ],
)
def test_tf32_is_a_precision_of_its_own(document, problems, precision, state, wrong):
    result(document)["precision"] = precision
    assert ("tf32-contradicts" in codes(problems(gpu(document, tf32=state)))) == wrong


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("8x NVIDIA H200", False),
        ("8xH200", False),
        ("1 NVIDIA GTX-1080 Ti", False),
        ("1x-nvidia-h200", True),
        ("4 GPUs", True),
        ("Tesla V100*1-16GB", True),
        ("Tesla V100 * 8 GPU / 488 GB", False),
        ("p3.2xlarge", False),
        ("amd-epyc-2-threads", False),
    ],
)
def test_a_number_of_devices_in_a_name_is_compared_with_the_field(document, problems, name, wrong):
    document["machines"]["m1"]["name"] = name
    assert ("count-in-name" in codes(problems(gpu(document)))) == wrong


@pytest.mark.parametrize(
    ("variant", "precision", "wrong"),
    [
        ("NGC, FP16", "fp32", True),
        ("amp", "amp-fp16", False),
        ("XLA bf16", "amp-fp16", True),
        ("camp32", "fp32", False),
    ],
)
def test_a_precision_in_a_name_is_compared_with_the_field(document, problems, variant, precision, wrong):
    result(document).update(variant=variant, precision=precision)
    assert ("precision-in-name" in codes(problems(document))) == wrong


@pytest.mark.parametrize(
    ("field", "text"),
    [("notes", "cuDNN 8.9.7"), ("notes", "at 12:30:45"), ("notes", "see /homes and root"), ("notes", "64@fp32")],
)
def test_what_only_looks_personal_is_left_alone(document, problems, field, text):
    result(document)[field] = [text]
    assert codes(problems(document)) == []


@pytest.mark.parametrize("key", ["cuda", "cudnn", "nccl", "framework_version"])
def test_a_version_of_four_numbers_is_no_address(document, problems, key):
    document["stacks"]["s1"][key] = "8.9.7.29"
    assert codes(problems(document)) == []


@pytest.mark.parametrize(
    "text", ["reach me: jane@example.org", "/home/jane/x", "C:\\Users\\jane", "10.0.0.7", "52:54:00:12:34:56"]
)
def test_personal_data_are_found_in_any_text_of_a_measured_file(document, problems, text):
    document["stacks"]["s1"]["environment"]["X"] = text
    [problem] = problems(document)
    assert (problem.code, problem.path) == ("personal-data", "$.stacks.s1.environment.X")


def test_published_files_may_name_people_their_sources_name(published, problems):
    published["results"][0]["notes"] = ["jane@example.org"]
    assert codes(problems(published)) == []


def test_a_file_name_is_judged_only_below_the_submissions(document, problems):
    assert codes(problems(document, "build/submissions/local/x.json")) == []
    assert codes(problems(document, "/srv/data/submissions/jane/x.json")) == ["file-name"]


def test_an_older_version_of_a_workload_is_not_judged_by_the_newer_facts(document, vocabulary):
    newer = vocabulary.workloads["cifar10-cnn"].model_copy(update={"version": 2, "parameters": (1,)})

    words = replace(vocabulary, workloads={**vocabulary.workloads, "cifar10-cnn": newer})
    submission = read(json.dumps(document).encode() + b"\n", "f.json").submission
    assert check(submission, "f.json", words) == ()


def test_without_a_day_no_date_is_too_late(document, vocabulary):
    for run in result(document)["runs"]:
        run["started_at"] = "9999-12-31T23:59:59-23:59"
    submission = read(json.dumps(document).encode() + b"\n", "f.json").submission
    assert check(submission, "f.json", vocabulary) == ()


def test_zeros_of_short_runs_are_not_taken_for_copies(document, problems):
    runs = result(document)["runs"]
    for run in runs:
        run |= {"step_seconds": [0.00002] * 100, "window_seconds": 0.002}
    assert "duplicate-run" not in codes(problems(document))


def test_results_that_differ_in_one_setting_are_no_duplicates(document, problems):
    other = copy.deepcopy(result(document))
    other.update(seed=1, runs=[], outcome="not_run", reason="No time was left.")
    document["results"].append(other)
    assert codes(problems(document)) == []


@pytest.mark.parametrize("unit", ["images/s", "sequences/s", "samples/s"])
def test_units_that_convert_to_the_metric_are_fine(published, problems, unit):
    figure = published["results"][0]["reported"][0]
    figure.update(metric="throughput", unit=unit, value=123.4)
    assert codes(problems(published)) == []


def test_problems_stand_in_the_order_of_their_places(document, problems):
    first = result(document)
    document["results"] = [
        dict(first, seed=seed, workload="vgg19", runs=[], outcome="not_run", reason="-") for seed in range(12)
    ]
    paths = [problem.path for problem in problems(document)]
    assert paths == [f"$.results[{position}].workload" for position in range(12)]


NUMBERS = st.sampled_from([0, 1, 2, 64, 2**53 - 1, -1, 0.5, 5e-324, -1e308, 1e308, None])
VALUES = NUMBERS | st.booleans() | st.sampled_from(["", "x", "m1", "ok", "failed", "gpu", "epochs", "fp32", "8x H200"])


@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_no_rule_crashes_on_whatever_has_the_right_shape(data, samples, vocabulary, today):
    name = data.draw(st.sampled_from(["several-machines-and-stacks", "multi-device", "real-epochs", "imported-log"]))
    document = json.loads((samples / "valid" / f"{name}.json").read_text("utf-8"))
    for _change in range(data.draw(st.integers(1, 4))):
        parent, steps = document, data.draw(st.sampled_from(leaves(document)))
        for step in steps[:-1]:
            parent = parent[step]
        before, parent[steps[-1]] = parent[steps[-1]], data.draw(VALUES)
        if read(json.dumps(document).encode() + b"\n", "f.json").submission is None:
            parent[steps[-1]] = before
    reading = read(json.dumps(document).encode() + b"\n", "f.json")
    found = check(reading.submission, "f.json", vocabulary, today)
    found += across(
        [claims(Entry(file, reading.id, False, reading.submission), vocabulary) for file in ("f.json", "g.json")]
    )
    assert [problem.code for problem in found if problem.file == "g.json"] == ["duplicate-submission"]


def leaves(value, steps=()):
    """Return the path of every value that is neither object nor list."""
    if not isinstance(value, (dict, list)):
        return [steps]
    children = value.items() if isinstance(value, dict) else enumerate(value)
    return [leaf for step, child in children for leaf in leaves(child, (*steps, step))]
