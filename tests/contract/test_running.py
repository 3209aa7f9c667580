"""The contract's checks through the real worker: toy always, others where they have an environment."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from collector import schema
from runners import environments, machine, manifests
from runners.worker import checks

ROOT = Path(__file__).resolve().parents[2]
FRAMEWORKS = ROOT / "runners" / "frameworks"


def cells():
    """Every framework, workload, precision and synthetic data kind that a manifest declares."""
    for path in sorted(FRAMEWORKS.glob("*/framework.toml")):
        for support in tomllib.loads(path.read_text("utf-8"))["supports"]:
            for precision in support["precisions"]:
                for kind in sorted(set(support["data"]) - {"real"}):
                    yield path.parent.name, support["workload"], precision, kind


def python_of(framework):
    """Find the environment of a framework: ours for the toy, else what ROSETTA_<ID>_PYTHON names or `rosetta setup` made."""
    if framework == "toy":
        return sys.executable
    if named := os.environ.get(f"ROSETTA_{framework.upper()}_PYTHON"):
        return named
    made = environments.find(manifests.load()[framework], machine.default_kind())
    if made is None and os.environ.get("CI"):
        pytest.fail(f"{framework} has no environment. CI must test every framework: rosetta setup {framework}")
    if made is None:
        pytest.skip(f"{framework.upper()} NOT RUN: it has no environment. Make one: rosetta setup {framework}")
    return str(made.python)


@pytest.mark.framework
@pytest.mark.parametrize(("framework", "workload", "precision", "kind"), list(cells()))
def test_a_declared_cell_trains_the_specified_network_or_says_why_it_never_can(
    framework, workload, precision, kind, work
):
    result = work(
        python_of(framework), framework, workload, precision=precision, data={"kind": kind, "directory": None}
    )
    if result["outcome"] == "unsupported":
        assert result["limit"] == "never", result["reason"]
        return
    assert (result["outcome"], result["reason"]) == ("ok", None)
    specification = tomllib.loads((ROOT / f"data/workloads/{workload}.toml").read_text("utf-8"))
    specification["id"] = workload
    assert checks.parameter_count(result["equality"]["parameters"], specification) is None
    assert checks.probe_loss(result["equality"]["probe_loss"], specification) is None
    assert checks.finite_losses(result["run"]["loss"]) is None


@pytest.mark.framework
def test_pytorch_sees_that_full_precision_keeps_the_last_bits_of_products_and_convolutions():
    code = "import torch, runners.frameworks.pytorch.devices as d; print(d.rounds_to_tf32(torch.device('cpu')))"
    answer = subprocess.run([python_of("pytorch"), "-c", code], cwd=ROOT, capture_output=True, check=True)
    assert answer.stdout.strip() == b"[]"


def cifar(folder, samples):
    """Write a tiny data set in CIFAR-10's official format: each class is a shade of grey."""
    for name in [f"data_batch_{number}.bin" for number in range(1, 6)] + ["test_batch.bin"]:
        labels = [number % 10 for number in range(samples)]
        (folder / name).write_bytes(b"".join(bytes([label]) + bytes([25 * label]) * 3072 for label in labels))


def real_cifar(work, framework, folder, **changes):
    document = tomllib.loads((ROOT / "data/workloads/cifar10-cnn.toml").read_text("utf-8"))
    document["real"] = {"epochs": 10, "train_samples": 5 * 10, "test_samples": 10}
    return work(
        python_of(framework),
        framework,
        "cifar10-cnn",
        workload={"id": "cifar10-cnn", **document},
        data={"kind": "real", "directory": str(folder)},
        batch_per_device=16,
        **{"epochs": 3, "warmup_steps": 0, "measured_steps": None, **changes},
    )


with_real_cifar = pytest.mark.parametrize(
    "framework",
    [
        path.parent.name
        for path in sorted(FRAMEWORKS.glob("*/framework.toml"))
        for support in tomllib.loads(path.read_text("utf-8"))["supports"]
        if support["workload"] == "cifar10-cnn" and "real" in support["data"]
    ],
)


@pytest.mark.framework
@with_real_cifar
def test_whole_epochs_of_real_data_are_full_batches_and_end_with_the_test_accuracy(framework, work, tmp_path):
    cifar(tmp_path, samples=10)
    result = real_cifar(work, framework, tmp_path)
    assert (result["outcome"], result["reason"]) == ("ok", None)
    run = result["run"]
    assert (run["measured_steps"], len(run["loss"]), len(run["epoch_seconds"])) == (9, 9, 3)
    assert sum(run["epoch_seconds"]) == pytest.approx(run["window_seconds"])
    assert run["quality"]["metric"] == "accuracy"
    assert run["quality"]["value"] * 10 == pytest.approx(round(run["quality"]["value"] * 10)), "of 10 test images"


@pytest.mark.framework
@with_real_cifar
def test_an_accuracy_below_its_window_after_all_epochs_is_invalid(framework, work, tmp_path):
    cifar(tmp_path, samples=10)
    result = real_cifar(work, framework, tmp_path, epochs=10)
    assert result["outcome"] == "invalid"
    assert "at least 0.7425 is expected" in result["reason"]


@pytest.mark.framework
@with_real_cifar
def test_real_data_also_feed_a_steady_window_beyond_one_epoch(framework, work, tmp_path):
    cifar(tmp_path, samples=10)
    result = real_cifar(work, framework, tmp_path, epochs=None, warmup_steps=1, measured_steps=4)
    assert result["outcome"] == "ok"
    assert result["run"]["epoch_seconds"] is None
    assert len(result["run"]["step_seconds"]) == 4


@pytest.mark.framework
@with_real_cifar
def test_a_missing_data_file_is_a_failure_that_names_it(framework, work, tmp_path):
    result = real_cifar(work, framework, tmp_path)
    assert result["outcome"] == "failed"
    assert "data_batch_1.bin can't be read" in result["reason"]


@pytest.mark.framework
@pytest.mark.parametrize(("framework", "workload"), sorted({cell[:2] for cell in cells()}))
def test_what_a_worker_says_fits_into_a_submission(framework, workload, work):
    result = work(python_of(framework), framework, workload)
    run = {**result["run"], "telemetry": {"start": {}, "end": {}}, "log_sha256": None}
    assert schema.Run.model_validate_json(json.dumps(run)).measured_steps == 2
    schema.Equality.model_validate(result["equality"])
    schema.Fingerprint.model_validate(result["fingerprint"])
    stack = {
        **result["stack"],
        "framework": framework,
        "environment": {},
        "install_seconds": None,
        "install_bytes": None,
    }
    schema.Stack.model_validate(stack)
