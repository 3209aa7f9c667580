"""Logs written by hand in the formats of the importers, and a way to import them with the command."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

import rosetta
from collector import files, store
from collector.check import judge
from collector.problems import Severity

CITED = {
    "title": "someone/results",
    "url": "https://example.org/someone/results",
    "commit": "0123456789" * 4,
    "path": "logs/train.log",
    "licence": "MIT",
    "retrieved-on": "2026-11-30",
}
V100 = {"device": "Tesla V100-SXM2-16GB"}
RESNET = {"workload": "resnet50", "precision": "fp32"} | V100


NEEDED = tuple((RESNET | CITED).items())


def _dll_stamp(seconds):
    return f"2023-07-31 06:{24 + int(seconds) // 60:02d}:{seconds % 60:09.6f}"


def _dllogger(step=0.5, every=1, last=150, summary=200.0):
    """100 images every `step` seconds."""
    text = [f"DLL {_dll_stamp(0)} - PARAMETER optimizer_batch_size : -1  batch_size : 100  world_size : 1  seed : 7 "]
    text += [
        f"DLL {_dll_stamp(10 + i * step)} - Epoch: 0 Iteration: {i}  train.loss : 6.9  train.total_ips : {100 / step:.2f} img/s"
        for i in range(every, last + 1, every)
    ]
    return "\n".join(
        [*text, f"DLL {_dll_stamp(200)} - Summary: train.loss : 6.9  train.total_ips : {summary} img/s", ""]
    )


def _dllogger_json():
    rows = [{"type": "LOG", "step": "PARAMETER", "data": {"mode": "train"}, "datetime": _dll_stamp(0)}]
    rows += [
        {
            "type": "LOG",
            "datetime": _dll_stamp(10 + i / 2),
            "step": [0, i],
            "data": {"train.loss": 6.9, "train.ips": 200.0},
        }
        for i in range(150)
    ]
    rows.append({"type": "LOG", "datetime": _dll_stamp(99), "step": [0], "data": {"train.ips": 1.0}})
    rows.append({"type": "LOG", "datetime": _dll_stamp(99), "step": [], "data": {"train.ips": 200.5}})
    return "\n".join(f"DLLL {json.dumps(row)}" for row in rows)


def _tf_cnn():
    steps = "\n".join(f"{i}\timages/sec: 320.0 +/- 0.1 (jitter = 0.5)\t7.9" for i in (1, *range(10, 101, 10)))
    return (
        "physical GPU (device: 0, name: Tesla V100-SXM2-16GB, pci bus id: 0000:06:00.0, compute capability: 7.0)\n"
        "I0203 10:00:08.002193 1398 tf_logging.py:116] Starting real work at step 10 at time Sat Feb  3 10:00:07 2018\n"
        "TensorFlow:  1.6\nDataset:     imagenet (synthetic)\nMode:        training\nBatch size:  128 global\n"
        "             64 per device\nVariables:   parameter_server\n"
        + steps
        + f"\n{'-' * 64}\ntotal images/sec: 321.00\n"
    )


def _paddleclas():
    head = "LAUNCH INFO 2023-08-02 20:53:48,881 devices: 0,1,2,3\nLAUNCH INFO 2023-08-02 20:53:48,882 ips: None\n"
    head += "LAUNCH INFO 2023-08-02 20:53:48,882 nnodes: 1\n[2023/08/02 20:53:52] ppcls INFO:    batch_size : 64\n"
    lines = [
        f"[2023/08/02 20:54:{i // 10:02d}] ppcls INFO: epoch:0   train step:{i:<4} lr: 0.1, loss:  6.9 top1: -0.0078"
        f" batch_cost: 0.20000 s, reader_cost: 0.01 s, ips: 320.00000 samples/sec."
        for i in range(10, 200, 10)
    ]
    end = "[2023/08/02 20:55:30] ppcls INFO: END epoch:0   train  loss:  6.4 batch_cost: 0.20000 s, batch_cost_sum: 40 s,\n"
    return head + "\n".join(lines) + "\n" + end


def _paddlenlp():
    return "\n".join(
        f"[2022-05-29 14:55:{i // 10:02d},123] [    INFO] - global step {i}, epoch: 0, batch: {i - 1}, loss: 9.1,"
        f" avg_reader_cost: 0.001 sec, avg_batch_cost: 0.25000 sec, avg_samples: 96.00000, ips: 384.00000 sequences/sec"
        for i in range(10, 200, 10)
    )


def _speedometer():
    return "\n".join(
        f"2019-06-18 18:15:{10 + i * 0.1:06.3f} Node[0] Epoch[0] Batch [{i}-{i + 20}]\tSpeed: 2560.00 samples/sec\taccuracy=0.001".replace(
            ".", ",", 1
        )
        for i in range(0, 300, 20)
    )


def _rates():
    return (
        "\n".join(f"step {i} loss 6.9 512.0 images/s" for i in range(1, 151)) + "\nAverage throughput: 511 images/s\n"
    )


def _mllog(stop="success"):
    entry = "{'nodes': \"{'num_accelerators': '8', 'num_nodes': '1', 'accelerator': 'Tesla V100-SXM2-16GB'}\", 'framework': 'MXNet NVIDIA Release 19.05'}"
    events = [
        (0, "submission_poc_email", {"value": "jane.roe@example.org"}),
        (0, "submission_entry", {"value": entry}),
        (10, "run_start", {"value": None}),
        (11, "global_batch_size", {"value": 1664}),
        (12, "epoch_start", {"value": None, "metadata": {"epoch_num": 1}}),
        (72, "epoch_stop", {"value": None, "metadata": {"epoch_num": 1}}),
        (80, "eval_accuracy", {"value": 0.76}),
        (130, "run_stop", {"value": None, "metadata": {"status": stop}}),
    ]
    return "\n".join(f":::MLL {1560881700 + at}.000 {key}: {json.dumps(value)}" for at, key, value in events)


LOGS = {
    "dllogger": (_dllogger(), {"utc-offset": "+00:00"}),
    "dllogger-json": (_dllogger_json(), {"framework": "pytorch", "devices": 1, "batch": 100, "utc-offset": "+00:00"}),
    "tf_cnn_benchmarks": (_tf_cnn(), {"utc-offset": "-08:00"}),
    "paddleclas": (_paddleclas(), {"utc-offset": "+08:00"}),
    "paddlenlp": (_paddlenlp(), {"devices": 2, "batch": 96, "workload": "bert-base", "utc-offset": "not-stated"}),
    "speedometer": (_speedometer(), {"devices": 4, "batch": 64, "utc-offset": "+00:00"}),
    "rates": (_rates(), {"framework": "pytorch", "mode": "training", "devices": 2, "batch": 64, "accumulation": 1, "rates": "global"}),
    "mllog": (_mllog(), {"batch": 208}),
}  # fmt: skip


@pytest.fixture(scope="session")
def logs():
    """Return log and options by format."""
    return LOGS


@pytest.fixture(scope="session")
def written():
    """Write the logs of a format with other figures."""
    return {"dllogger": _dllogger, "mllog": _mllog, "paddleclas": _paddleclas}


@pytest.fixture(scope="session")
def vocabulary():
    return store.load_vocabulary()


@pytest.fixture
def imported(tmp_path):
    """Import a log with the command; returns click's result and the file that it may have written."""

    def run(content, *flags, needed=NEEDED, **told):
        file, output = tmp_path / "train.log", tmp_path / "out.json"
        output.unlink(missing_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)
        options = dict(needed) | {name.replace("_", "-"): value for name, value in told.items()}
        arguments = [f"--{name}={value}" for name, value in options.items() if value is not None]
        result = CliRunner().invoke(rosetta.main, ["import", "log", str(file), "-o", str(output), *flags, *arguments])
        return result, output

    return run


@pytest.fixture
def submission(imported):
    """Import a log that must be accepted; returns the submission."""

    def run(content, *flags, **told):
        result, output = imported(content, *flags, **told)
        assert result.exit_code == 0, result.output
        return files.reading(output, "out.json").submission

    return run


@pytest.fixture
def problems(vocabulary):
    """Check a file as `rosetta check` does; returns (code, severity) of each problem."""

    def run(file):
        found = judge(files.reading(file, "out.json"), "out.json", vocabulary)
        return [(problem.code, problem.severity is Severity.ERROR) for problem in found]

    return run
