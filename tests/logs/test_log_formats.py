"""Every format of log: recognised, its window and figures as computed by hand, accepted by check and build."""

from __future__ import annotations

import json
import pkgutil
import shutil

import pytest
from click.testing import CliRunner

import rosetta
from collector import store
from collector.importers import logs as formats

FORMATS = ("dllogger", "dllogger-json", "tf_cnn_benchmarks", "paddleclas", "paddlenlp", "speedometer", "rates", "mllog")
# Warm-up, measured steps, their seconds, samples of a step.
WINDOWS = {
    "dllogger": (20, 100, 50.0, 100),
    "dllogger-json": (20, 100, 50.0, 100),
    "tf_cnn_benchmarks": (20, 90, 36.0, 128),
    "paddleclas": (20, 100, 20.0, 256),
    "paddlenlp": (20, 100, 25.0, 192),
    "speedometer": (21, 100, 10.0, 256),
    "rates": (20, 100, 25.0, 128),
}


@pytest.fixture
def made(logs, submission):
    def run(name):
        content, told = logs[name]
        return submission(content, **told)

    return run


def test_every_format_has_a_log_here(logs):
    modules = {module.name for module in pkgutil.iter_modules(formats.__path__)}
    assert {
        name.partition("-")[0].replace("paddleclas", "paddle").replace("paddlenlp", "paddle") for name in logs
    } == modules


@pytest.mark.parametrize("name", WINDOWS)
def test_the_window_is_that_of_the_log_by_hand(name, made):
    (result,) = made(name).results
    (run,) = result.runs
    found = (run.warmup_steps, run.measured_steps, run.window_seconds, run.samples_per_step)
    assert found == (*WINDOWS[name][:2], pytest.approx(WINDOWS[name][2], rel=1e-6), WINDOWS[name][3])
    assert result.batch.global_ == run.samples_per_step
    assert result.window == "steady"


@pytest.mark.parametrize("name", FORMATS)
def test_what_is_imported_passes_check_and_enters_the_data_set(name, logs, imported, problems, tmp_path):
    content, told = logs[name]
    result, file = imported(content, **told)
    assert result.exit_code == 0, result.output
    assert [code for code, error in problems(file) if error] == []
    data = tmp_path / "data"
    for folder in ("vocabulary", "workloads"):
        shutil.copytree(store.DATA / folder, data / folder)
    place = data / "submissions" / "published" / "someone-results" / "train-log.json"
    place.parent.mkdir(parents=True)
    place.write_bytes(file.read_bytes())
    dataset = store.load(data, tmp_path / "none")
    assert set(dataset.table["origin"]) == {"imported-log"}
    assert set(dataset.table["outcome"]) == {"ok"}


@pytest.mark.parametrize("line", [
    "Epoch [1/90], Step [{}/5004], Loss: 6.9, 512.0 images/s",
    "Epoch: [0][{}/5005]  Time 0.25 (0.25)  Speed 512.0 img/s  Loss 7.0 (7.1)",
    "batch=64 step={} throughput: 512.0 samples/sec",
    "iteration {}: images per second = 512.0",
    "[rank0] batch {} | 512 seqs/s | 65536 tokens/s",
])  # fmt: skip
def test_lines_of_steps_and_rates_in_many_forms(line, submission, logs):
    content = "\n".join(line.format(step) for step in range(150))
    (run,) = submission(content, **logs["rates"][1]).results[0].runs
    assert (run.warmup_steps, run.measured_steps, run.window_seconds) == (20, 100, pytest.approx(25.0))


def test_rates_of_each_gpu_with_their_total(submission, logs):
    content = "Iter #{}: 256.0 img/sec per GPU\n" * 6
    content = content.format(*range(6)) + "Img/sec per GPU: 256.0 +-2.1\nTotal img/sec on 2 GPU(s): 512.0 +-4.2\n"
    result = submission(content, **logs["rates"][1] | {"rates": None}).results[0]
    assert result.runs[0].samples_per_step * result.runs[0].measured_steps / result.runs[0].window_seconds == 512
    assert [(reported.value, reported.raw_text) for reported in result.reported] == [(512.0, "512.0 images/s")]


def test_steps_are_raw_samples_where_every_one_is_printed(made):
    (run,) = made("dllogger").results[0].runs
    assert len(run.step_seconds) == 100
    assert set(run.step_seconds) == {0.5}
    (run,) = made("paddleclas").results[0].runs
    assert run.step_seconds == []


def test_steps_counted_from_0_are_counted_from_1(submission, written, logs):
    lines = written["dllogger"](every=20, last=160).replace("Iteration: ", "Iteration: 0")
    for step in range(160, 0, -20):
        lines = lines.replace(f"Iteration: 0{step} ", f"Iteration: {step - 1} ")
    (run,) = submission(lines, **logs["dllogger"][1]).results[0].runs
    assert (run.warmup_steps, run.measured_steps, run.window_seconds) == (20, 100, 50.0)


def test_what_the_log_states_stands_in_the_submission(made):
    made_of = made("tf_cnn_benchmarks")
    (result,), stack, machine = made_of.results, made_of.stacks["s1"], made_of.machines["m1"]
    assert (stack.framework, stack.framework_version) == ("tensorflow", "1.6")
    assert (machine.devices[0].name, machine.devices[0].kind) == ("Tesla V100-SXM2-16GB", "gpu")
    assert (result.batch.per_device, result.scale.devices, result.batch.accumulation) == (64, 2, 1)
    assert (result.data.kind, result.options) == ("synthetic-device", {"variable_update": "parameter_server"})
    assert made("dllogger").results[0].seed == 7
    assert made_of.origin == "imported-log"
    assert made_of.source.licence == "MIT"


def test_one_card_s_rate_is_counted_for_every_card(made):
    result = made("paddleclas").results[0]
    assert result.runs[0].samples_per_step == 4 * 64
    assert [(reported.metric, reported.unit) for reported in result.reported] == [("milliseconds-per-step", "s")]


def test_the_log_s_own_summary_stands_beside_the_run(made):
    (reported,) = made("dllogger").results[0].reported
    assert (reported.value, reported.unit, reported.run_index) == (200.0, "images/s", 0)
    assert reported.raw_text == "train.total_ips : 200.0"
    assert made("rates").results[0].reported[0].value == 511


@pytest.mark.parametrize(("summary", "differs"), [(200.9, False), (201.1, True), (240.0, True)])
def test_a_summary_more_than_half_a_per_cent_off_is_a_problem(summary, differs, imported, written, logs, problems):
    _result, file = imported(written["dllogger"](summary=summary), **logs["dllogger"][1])
    assert (("summary-differs", False) in problems(file)) is differs


def test_the_date_is_that_of_the_run_where_its_zone_is_known(made):
    (clas,), (nlp,) = made("paddleclas").results[0].runs, made("paddlenlp").results[0].runs
    assert clas.started_at.isoformat() == "2023-08-02T12:53:48.881000+00:00"
    assert made("tf_cnn_benchmarks").results[0].runs[0].started_at.isoformat() == "2018-02-03T18:00:07+00:00"
    assert nlp.started_at is None
    assert any("time zone" in note for note in made("paddlenlp").results[0].notes)


def test_sustained_takes_all_steps_after_the_warm_up(submission, logs):
    content, told = logs["dllogger"]
    result = submission(content, window="sustained", **told).results[0]
    assert (result.window, result.runs[0].measured_steps) == ("sustained", 130)


def test_mlperf_gives_minutes_to_target_epochs_and_accuracy(made):
    submission = made("mllog")
    result = submission.results[0]
    values = {reported.metric: reported.value for reported in result.reported}
    assert values == {"minutes-to-target": 2.0, "accuracy": 0.76}
    assert result.runs[0].epoch_seconds == [60.0]
    assert (result.scale.devices, result.batch.accumulation, result.variant) == (8, 1, "MXNet NVIDIA Release 19.05")
    assert result.runs[0].started_at.isoformat() == "2019-06-18T18:15:10+00:00"
    assert submission.stacks["s1"].framework == "mxnet"


def test_an_mlperf_run_without_its_end_or_target_has_no_value(submission, written, logs):
    aborted = submission(written["mllog"](stop="aborted"), **logs["mllog"][1]).results[0]
    assert aborted.outcome == "failed"
    assert "2.00 minutes" in aborted.reason
    cut = submission(written["mllog"]().rpartition("\n")[0], **logs["mllog"][1]).results[0]
    assert (cut.outcome, [reported.value for reported in cut.reported]) == ("failed", [None])


def test_the_newer_mlperf_form_with_its_system_file(submission, tmp_path):
    events = [("run_start", 0), ("global_batch_size", 1), ("run_stop", 90_000)]
    content = "\n".join(
        f"0: :::MLLOG {json.dumps({'time_ms': 1700000000000 + at, 'key': key, 'value': 512, 'metadata': {'status': 'success'}})}"
        for key, at in events
    )
    system = tmp_path / "system.json"
    description = {
        "number_of_nodes": "2",
        "accelerators_per_node": 4,
        "accelerator_model_name": "NVIDIA H200",
        "framework": "PyTorch NVIDIA 23.09",
    }
    system.write_text(json.dumps(description), "utf-8")
    made = submission(content, f"--system={system}", batch=64, device=None, device_kind="gpu")
    assert made.machines["m1"].devices[0].name == "NVIDIA H200"
    assert made.results[0].scale.devices == 8
    assert made.results[0].reported[0].value == 1.5


def test_progress_bars_show_the_micro_batches_of_a_step(submission):
    content = ""
    for step in range(1, 5):
        for bar in range(8):
            content += f"\rIteration:  1%|▏ | {(step - 1) * 8 + bar + 1}/1147 [00:00<16:37,  1.15it/s]"
        content += f"Sun May 29 14:57:11 2022[1,0]<stdout>:DLL 2022-05-29 14:57:{step * 10}.5 - Training Epoch: 0 Training Iteration: {step}  step_loss : 8.1 \n"
    told = {"framework": "pytorch", "mode": "training", "devices": 4, "batch": 16, "utc_offset": "+00:00"}
    result = submission(content, **told).results[0]
    assert (result.batch.accumulation, result.batch.global_) == (8, 512)
    assert any("8 micro-batches" in note for note in submission(content, accumulation=2, **told).results[0].notes)


def test_help_shows_every_format_and_option():
    shown = CliRunner().invoke(rosetta.main, ["import", "log", "--help"]).output
    for word in ("dllogger", "mllog", "--utc-offset", "--licence", "--system"):
        assert word in shown
