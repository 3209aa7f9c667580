"""What figures say about raw facts: values, validity, steps, speedup, trust and keys."""

from __future__ import annotations

from dataclasses import replace

import pytest

from collector.canonical import identity
from collector.derive import derive
from collector.normalise import Entry, normalise

H200 = {"device": "NVIDIA H200", "kind": "gpu"}


def scale(devices, nodes=1):
    return {"scale": {"nodes": nodes, "devices": devices, "launcher": None}}


def only(figures):
    (figure,) = figures
    return figure


def test_throughput_is_samples_over_the_window_and_the_cell_is_the_median_of_runs(figures, measured, result):
    figure = only(figures(measured(result((10.0, 8.0, 12.5)))))
    assert figure.runs == (640.0, 800.0, 512.0)
    assert (figure.metric, figure.estimate.value, figure.estimate.n) == ("throughput", 640.0, 3)


def test_two_runs_have_no_interval(figures, measured, result):
    assert only(figures(measured(result((10.0, 8.0))))).estimate.low is None


def test_feature_extraction_gives_seconds_for_1000_images(figures, measured, result):
    features = result((12.8,), workload="resnet50-features", mode="inference", equality=None)
    figure = only(figures(measured(features)))
    assert (figure.metric, figure.estimate.value) == ("seconds-per-1000-images", 2.0)


def real(result, run, accuracy, epochs=10):
    quality = {"metric": "accuracy", "value": accuracy}
    runs = [
        run(window, measured_steps=7810, epoch_seconds=[window / 10] * epochs, quality=quality)
        for window in (90.0, 80.0)
    ]
    data = {"kind": "real", "loader": None, "workers": None, "cache": None}
    return result(runs=runs, window="epochs", data=data)


def test_whole_epochs_give_their_time_and_the_quality_reached(figures, measured, result, run):
    time, accuracy = figures(measured(real(result, run, 0.77)))
    assert (time.metric, time.estimate.value) == ("fixed-epochs-seconds", 85.0)
    assert (accuracy.metric, accuracy.estimate.value) == ("accuracy", 0.77)
    assert time.steps.short is None


def test_quality_just_inside_the_slack_counts_and_just_below_does_not(figures, measured, result, run):
    assert figures(measured(real(result, run, 0.7426)))[0].outcome == "ok"
    too_low = figures(measured(real(result, run, 0.74)))[0]
    assert (too_low.outcome, too_low.estimate) == ("invalid", None)
    assert "accuracy of run 0 is 0.74" in too_low.reason


def test_other_than_the_specified_epochs_have_no_fixed_time(figures, measured, result, run):
    figure = figures(measured(real(result, run, 0.77, epochs=2)))[0]
    assert (figure.outcome, figure.runs) == ("invalid", ())
    assert "2 epochs instead of 10" in figure.reason


@pytest.mark.parametrize(
    ("equality", "words"),
    [
        (
            {"parameters": 3441593, "probe_loss": 2.303, "logits_error": None},
            "3,441,593 parameters instead of 3,441,592",
        ),
        ({"parameters": 3441592, "probe_loss": 2.6, "logits_error": None}, "probe loss is 2.6 instead of 2.303"),
        ({"parameters": 3441592, "probe_loss": 2.303, "logits_error": 2e-4}, "logits differ"),
    ],
    ids=["parameters", "probe loss", "logits"],
)
def test_another_network_is_invalid_whatever_it_claims(figures, measured, result, equality, words):
    figure = only(figures(measured(result(equality=equality))))
    assert (figure.outcome, figure.estimate, figure.proof) == ("invalid", None, "failed")
    assert words in figure.reason


@pytest.mark.parametrize(
    ("equality", "proof"),
    [
        (None, "unproved"),
        ({"parameters": 3441592, "probe_loss": 2.303, "logits_error": None}, "unproved"),
        ({"parameters": 3441592, "probe_loss": 2.303, "logits_error": 1e-4}, "proved"),
    ],
    ids=["nothing", "no logits", "everything"],
)
def test_equality_is_proved_only_by_all_that_the_workload_asks_for(figures, measured, result, equality, proof):
    figure = only(figures(measured(result(equality=equality))))
    assert (figure.outcome, figure.proof) == ("ok", proof)


def test_a_result_is_judged_by_the_version_of_the_workload_that_it_measured(vocabulary, measured, result):
    newer = vocabulary.workloads["cifar10-cnn"].model_copy(update={"version": 2, "parameters": (4,)})
    words = replace(vocabulary, workloads={**vocabulary.workloads, "cifar10-cnn": newer})
    submission = measured(result())
    entry = Entry("data/submissions/a.json", identity(submission), yours=False, submission=submission)
    figure = only(derive(normalise(entry, words), words))
    assert (figure.outcome, figure.proof) == ("ok", "unproved")


def test_a_failure_keeps_its_reason_and_has_no_value(figures, measured, result, run):
    failed = result(outcome="oom", reason="The device has 16 GB.", runs=[run(10.0)])
    figure = only(figures(measured(failed)))
    assert (figure.outcome, figure.reason, figure.estimate, figure.runs) == ("oom", "The device has 16 GB.", None, ())


def test_a_run_without_window_has_no_value(figures, measured, result, run):
    figure = only(figures(measured(result(runs=[{**run(1.0), "window_seconds": None}]))))
    assert (figure.outcome, figure.estimate) == ("invalid", None)


def test_steps_show_quantiles_stalls_and_whether_they_settled(figures, measured, result, run):
    seconds = [0.10] * 50 + [0.25] + [0.11] * 49
    figure = only(figures(measured(result(runs=[run(10.0, step_seconds=seconds)]))))
    steps = figure.steps
    assert (steps.stalls, steps.longest, steps.settled) == (1, 0.25, False)
    assert steps.median == pytest.approx(0.105)
    assert (steps.p10, steps.first, steps.short) == (0.10, 0.4, False)


@pytest.mark.parametrize(("end", "settled"), [(1.0299, True), (1.0301, False), (0.9701, True), (0.9699, False)])
def test_ends_that_agree_within_3_percent_have_settled(figures, measured, result, run, end, settled):
    seconds = [1.0] * 50 + [end] * 50
    assert only(figures(measured(result(runs=[run(100.0, step_seconds=seconds)])))).steps.settled is settled


def test_a_step_of_exactly_twice_the_median_is_no_stall(figures, measured, result, run):
    seconds = [0.1] * 99 + [0.2]
    assert only(figures(measured(result(runs=[run(10.0, step_seconds=seconds)])))).steps.stalls == 0


def test_fewer_steps_than_the_two_ends_need_say_nothing_about_settling(figures, measured, result, run):
    short = run(2.0, measured_steps=39)
    steps = only(figures(measured(result(runs=[short])))).steps
    assert (steps.settled, steps.short) == (None, True)


def test_speedup_refers_to_the_one_device_cell_of_the_same_submission(figures, measured, result, run):
    four = result(runs=[run(12.5, samples_per_step=256)], **scale(4))
    one, scaled = figures(measured(result((10.0,)), four, **H200))
    assert (one.speedup, scaled.speedup) == (1.0, 3.2)


@pytest.mark.parametrize(("seconds", "flagged"), [(10.0, False), (9.9, False), (9.7, True)])
def test_a_speedup_of_more_than_102_percent_of_the_devices_is_marked_superlinear(
    figures, measured, result, run, seconds, flagged
):
    four = result(runs=[run(seconds, samples_per_step=256)], **scale(4))
    one, scaled = figures(measured(result((10.0,)), four, **H200))
    assert ("superlinear" in scaled.flags, "superlinear" in one.flags) == (flagged, False)


def test_speedup_of_a_duration_turns_the_ratio_round(figures, measured, result):
    features = {"workload": "resnet50-features", "mode": "inference", "equality": None}
    _one, two = figures(measured(result((12.8,), **features), result((6.4,), **features, **scale(2)), **H200))
    assert two.speedup == 2.0


@pytest.mark.parametrize(
    "change",
    [{"precision": "tf32"}, {"variant": "NGC build"}, {"threads_per_process": 4}, {"outcome": "failed", "reason": "?"}],
    ids=["precision", "variant", "threads", "failed baseline"],
)
def test_without_a_baseline_of_the_same_key_there_is_no_speedup(figures, measured, result, change):
    _one, four = figures(measured(result(**change), result(**scale(4)), **H200))
    assert four.speedup is None


def test_a_baseline_in_another_submission_does_not_count(figures, measured, result):
    _one, four = figures(measured(result(), **H200), measured(result(**scale(4)), **H200))
    assert four.speedup is None


def test_utilisation_is_the_share_of_the_dense_peak_of_all_devices(figures, measured, result, vocabulary):
    figure = only(figures(measured(result(**scale(2)), **H200)))
    peak = vocabulary.hardware["NVIDIA H200 SXM 141GB"].peak["fp32"]
    assert figure.utilisation == pytest.approx(640 * 62_300_000 * 2 * 3 / (2 * peak))


def test_a_value_beyond_the_peak_is_invalid(figures, measured, result):
    figure = only(figures(measured(result((1e-6,)), **H200)))
    assert (figure.outcome, figure.estimate) == ("invalid", None)
    assert "% of what the device can do" in figure.reason


def test_a_device_without_known_peak_has_no_utilisation(figures, measured, result):
    assert only(figures(measured(result()))).utilisation is None


def test_the_key_names_every_setting_in_readable_form(figures, measured, result):
    assert only(figures(measured(result()))).key == (
        'workload="cifar10-cnn" version=1 mode="training" metric="throughput" precision="fp32" data="synthetic-device" '
        'batch=64 accumulation=1 nodes=1 devices=1 device="AMD EPYC 9B14" threads=2 window="steady" class="plain" '
        "visible_threads=2"
    )


UNSTATED = {
    "version": {"workload_version": None},
    "mode": {"mode": None},
    "precision": {"precision": None},
    "data": {"data": {"kind": None, "loader": None, "workers": None, "cache": None}},
    "batch": {"batch": {"level": None, "per_device": None, "accumulation": 1, "global": 64, "search": None}},
    "accumulation": {"batch": {"level": None, "per_device": 64, "accumulation": None, "global": 64, "search": None}},
    "nodes": scale(1, nodes=None),
    "devices": scale(None),
    "threads": {"threads_per_process": None},
    "window": {"window": None},
    "class": {"class": None},
}


@pytest.mark.parametrize("change", UNSTATED.values(), ids=UNSTATED)
def test_a_setting_that_is_not_stated_leaves_no_key(figures, measured, result, change):
    assert only(figures(measured(result(**change)))).key is None


def test_a_device_whose_variant_is_not_stated_leaves_no_key(figures, measured, result):
    figure = only(figures(measured(result(), device="Tesla V100", kind="gpu")))
    assert (figure.cell.device, figure.key) == ("NVIDIA V100, variant not stated", None)


def test_options_are_part_of_the_key_of_tuned_results_only(figures, measured, result):
    options = {"options": {"compile": True}}
    plain, tuned, other = figures(
        measured(
            result(), result(**options, **{"class": "tuned"}), result(**{"class": "tuned"}, options={"compile": False})
        )
    )
    assert "options" not in plain.key
    assert len({plain.key, tuned.key, other.key}) == 3


def test_another_spelling_of_a_device_makes_the_same_key_and_is_kept(figures, measured, result):
    one = only(figures(measured(result(), device="nvidia h200", kind="gpu")))
    two = only(figures(measured(result(), device="H200 SXM", kind="gpu")))
    assert one.key == two.key
    assert one.cell.device_as_submitted.name == "nvidia h200"


def test_raw_samples_raise_the_trust_above_a_bare_figure(figures, measured, result, run):
    bare = result(runs=[run(10.0, step_seconds=[])])
    assert [figure.trust for figure in figures(measured(bare, result()))] == ["self-reported", "raw-samples"]


def test_another_submitter_within_5_percent_reproduces_a_result(figures, measured, result):
    mine, theirs = measured(result((10.0,))), measured(result((10.5,)), submitter="John Doe")
    assert {figure.trust for figure in figures(mine, theirs)} == {"reproduced"}


@pytest.mark.parametrize(
    ("window", "other"),
    [
        (10.51, {"submitter": "John Doe"}),
        (10.0, {"submitter": "jane roe"}),
        (10.0, {"submitter": "John Doe", "version": "2.12.0"}),
        (10.0, {"submitter": "John Doe", "framework": "jax"}),
        (10.0, {"submitter": "John Doe", "device": "AMD EPYC 9654"}),
        (10.0, {"submitter": "John Doe", "withdrawn": {"on": "2026-11-30", "reason": "Wrong driver."}}),
    ],
    ids=["5.1 % away", "same submitter", "other release", "other framework", "other device", "withdrawn"],
)
def test_a_result_is_not_reproduced_by_what_differs(figures, measured, result, window, other):
    found = figures(measured(result((10.0,))), measured(result((window,)), **other))
    assert {figure.trust for figure in found} == {"raw-samples"}


def test_local_results_neither_reproduce_nor_are_reproduced(figures, measured, result):
    found = figures(measured(result()), measured(result(), submitter="local"), yours=True)
    assert {figure.trust for figure in found} == {"raw-samples"}


def test_only_the_submitter_supersedes_a_submission(figures, measured, result):
    old = measured(result())
    (first,) = figures(old)
    own = measured(result((9.0,)), supersedes=first.cell.entry.id)
    strange = measured(result((9.0,)), supersedes=first.cell.entry.id, submitter="John Doe")
    assert [figure.standing for figure in figures(old, own)] == ["superseded", "current"]
    assert [figure.standing for figure in figures(old, strange)] == ["current", "current"]


def test_the_date_is_the_utc_day_of_the_newest_run(figures, measured, result, run):
    late = run(10.0, started_at="2026-11-30T23:30:00-02:00")
    assert only(figures(measured(result(runs=[run(10.0), late])))).date == "2026-12-01"


def test_a_result_that_never_ran_has_the_date_of_its_submission(figures, measured, result):
    missing = result(outcome="not_run", reason="No time.", runs=[])
    assert [figure.date for figure in figures(measured(missing, result()))] == ["2026-11-30", "2026-11-30"]
