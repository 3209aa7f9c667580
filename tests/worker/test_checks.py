"""The contract's checks as plain functions."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runners.worker import checks
from runners.worker.contract import Adapter, Unsupported

WORKLOAD = {
    "id": "small",
    "parameters": [9, 10],
    "expected_loss": 2.0,
    "accuracy": {"metric": "accuracy", "low": 0.75, "high": 0.79},
    "real": {"epochs": 10, "train_samples": 100},
}


class Small(Adapter):
    supports = {"small": {"precisions": ("fp32",), "data": ("real",)}}  # noqa: RUF012 - as adapters write it
    options = ("fuse",)


def ask(**changes):
    plain = {"workload": WORKLOAD, "precision": "fp32", "options": {}, "epochs": None, "batch_per_device": 10}
    plain["scale"] = {"devices": 1, "launcher": None}
    return {**plain, "data": {"kind": "real", "directory": None}, **changes}


@pytest.mark.parametrize(("found", "fine"), [(8, False), (9, True), (10, True), (11, False)])
def test_the_parameter_count_is_exact(found, fine):
    assert (checks.parameter_count(found, WORKLOAD) is None) is fine


def test_a_wrong_parameter_count_is_said_with_the_numbers():
    assert checks.parameter_count(8, WORKLOAD) == "The network has 8 trainable parameters; small has 9 or 10."


@pytest.mark.parametrize(
    ("found", "fine"), [(1.79, False), (1.81, True), (2.0, True), (2.19, True), (2.21, False), (math.nan, False)]
)
def test_the_probe_loss_may_differ_by_a_tenth(found, fine):
    assert (checks.probe_loss(found, WORKLOAD) is None) is fine


def test_a_workload_without_a_loss_has_no_probe_to_fail():
    assert checks.probe_loss(7.0, {"id": "inference"}) is None


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False)), st.sampled_from([math.nan, math.inf, -math.inf]))
def test_the_first_loss_that_is_not_finite_is_found_wherever_it_is(finite, bad):
    assert checks.finite_losses(finite) is None
    assert checks.first_not_finite([*finite, bad, *finite]) == len(finite)
    assert f"step {len(finite) + 1} of {len(finite) + 1} is {bad}" in checks.finite_losses([*finite, bad])


@pytest.mark.parametrize(
    ("found", "epochs", "fine"),
    [(0.741, 10, True), (0.739, 10, False), (0.99, 10, True), (0.1, 2, True), (None, None, True)],
    ids=["in the slack", "below", "above is the collector's warning", "other epochs", "not measured"],
)
def test_the_quality_after_all_epochs_has_a_floor(found, epochs, fine):
    assert (checks.final_quality(found, ask(epochs=epochs)) is None) is fine


def test_a_declared_request_is_not_refused():
    checks.refuse_unsupported(Small, ask(options={"fuse": True}, epochs=10))


@pytest.mark.parametrize(
    ("changes", "limit"),
    [
        ({"workload": {"id": "large"}}, "ours"),
        ({"precision": "fp16"}, "ours"),
        ({"data": {"kind": "synthetic-host", "directory": None}}, "ours"),
        ({"options": {"fused": True}}, "ours"),
        ({"scale": {"devices": 2, "launcher": "mpiexec"}}, "ours"),
        ({"epochs": 1, "batch_per_device": 101}, "never"),
        ({"epochs": 1, "workload": {"id": "small"}}, "never"),
    ],
    ids=["workload", "precision", "data", "option", "launcher", "batch", "no training set"],
)
def test_what_is_not_declared_is_refused_with_whose_limit_it_is(changes, limit):
    with pytest.raises(Unsupported) as refusal:
        checks.refuse_unsupported(Small, ask(**changes))
    assert refusal.value.limit == limit


def test_a_limit_is_one_of_three_words():
    with pytest.raises(ValueError, match="ours, upstream, never"):
        Unsupported("It can't.", "theirs")


def test_an_adapter_that_lacks_a_part_of_the_contract_can_not_be_made():
    with pytest.raises(TypeError, match="abstract"):
        Small(ask())
