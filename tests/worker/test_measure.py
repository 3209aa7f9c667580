"""The loop and the clock, with an adapter that only takes notes and a clock that it turns itself."""

from __future__ import annotations

import pytest

from runners.worker import measure, progress


class Notes:
    """An adapter and a clock: a step queues 1 s of work after 0.1 s on the host, synchronising waits for all of it."""

    def __init__(self, step_seconds=0.1):
        self.now, self.pending, self.step_seconds, self.log = 0.0, 0.0, step_seconds, []

    def clock(self):
        self.log.append("clock")
        return self.now

    def step(self):
        self.log.append("step")
        self.now += self.step_seconds
        self.pending += 1.0

    def synchronise(self):
        self.log.append("synchronise")
        self.now, self.pending = self.now + self.pending, 0.0

    def barrier(self):
        self.log.append("barrier")


def run(notes, **changes):
    request = {
        "warmup_steps": 2,
        "measured_steps": 3,
        "epochs": None,
        "batch_per_device": 10,
        "scale": {"devices": 1},
        "workload": {"real": {"train_samples": 25}},
        **changes,
    }
    reports = []
    times = measure.measure(notes, request, lambda *report: reports.append(report), notes.clock)
    return times, reports


def test_the_device_is_idle_when_the_window_opens_and_again_when_it_closes():
    notes = Notes()
    run(notes)
    assert notes.log[-12:] == [
        *["synchronise", "barrier"],
        *["clock", "step"] * 3,
        *["clock", "synchronise", "barrier", "clock"],
    ]


def test_nothing_is_synchronised_inside_the_window():
    notes = Notes()
    run(notes, measured_steps=50)
    inside = notes.log[-104:-3]
    assert inside.count("step") == 50
    assert "synchronise" not in inside


def test_the_window_has_the_work_of_its_own_steps_and_no_other():
    times, _ = run(Notes())
    assert times["window_seconds"] == pytest.approx(3 * 0.1 + 3 * 1.0)
    assert times["step_seconds"] == pytest.approx([0.1] * 3)
    assert times["measured_steps"] == 3


def test_warm_up_is_kept_apart_and_its_first_step_is_waited_for():
    times, _ = run(Notes(), warmup_steps=4)
    assert times["warmup_step_seconds"] == pytest.approx([1.1, 0.1, 0.1, 0.1])
    assert times["warmup_steps"] == 4
    assert times["first_step_seconds"] == times["warmup_step_seconds"][0]


def test_without_warm_up_the_first_step_is_the_first_of_the_window():
    times, _ = run(Notes(), warmup_steps=0)
    assert times["warmup_step_seconds"] == []
    assert times["first_step_seconds"] == times["step_seconds"][0]


def test_whole_epochs_are_full_batches_and_each_ends_with_the_device():
    times, _ = run(Notes(), warmup_steps=0, measured_steps=None, epochs=3)
    assert times["measured_steps"] == 6
    assert times["epoch_seconds"] == pytest.approx([0.2 + 2.0] * 3)
    assert sum(times["epoch_seconds"]) == pytest.approx(times["window_seconds"])


def test_each_step_is_reported_with_its_phase():
    _, reports = run(Notes())
    warm_up = [(progress.WARM_UP, 1), (progress.WARM_UP, 2)]
    assert reports == [*warm_up, *((progress.MEASURING, done) for done in (3, 4, 5))]


def test_a_workload_without_a_training_set_is_measured_by_steps():
    times, _ = run(Notes(), workload={})
    assert (times["measured_steps"], times["epoch_seconds"]) == (3, None)


def test_a_workload_without_a_training_set_has_no_epochs():
    assert measure.steps_per_epoch({"workload": {}, "batch_per_device": 8}) is None
