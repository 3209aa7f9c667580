"""The contract's checks through the real worker: toy always, others where they have an environment."""

from __future__ import annotations

import ast
import json
import subprocess
import tomllib
from pathlib import Path

import pytest

from collector import schema
from runners.worker import checks

ROOT = Path(__file__).resolve().parents[2]
FRAMEWORKS = ROOT / "runners" / "frameworks"


def specification(workload):
    return {"id": workload, **tomllib.loads((ROOT / f"data/workloads/{workload}.toml").read_text("utf-8"))}


def manifest(path):
    return tomllib.loads(path.read_text("utf-8"))


def pairs():
    """Every framework with every workload that its manifest declares."""
    for path in sorted(FRAMEWORKS.glob("*/framework.toml")):
        for support in manifest(path)["supports"]:
            yield path.parent.name, support["workload"]


def variations():
    """Every other precision and synthetic data kind of a framework, on the smallest workload that declares it."""
    for path in sorted(FRAMEWORKS.glob("*/framework.toml")):
        found = {}
        for support in sorted(manifest(path)["supports"], key=lambda s: specification(s["workload"])["multiply_adds"]):
            settings = [(precision, "synthetic-device") for precision in support["precisions"] if precision != "fp32"]
            for setting in [*settings, ("fp32", "synthetic-host")]:
                found.setdefault(setting, support["workload"])
        yield from ((path.parent.name, workload, *setting) for setting, workload in found.items())


def must_prove(framework, workload):
    """Tell whether an adapter has no excuse for a missing proof: its `logits` nowhere returns None."""
    tree = ast.parse((FRAMEWORKS / framework / "adapter.py").read_text("utf-8"))
    methods = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == "logits"]
    returns = [node.value for method in methods for node in ast.walk(method) if isinstance(node, ast.Return)]
    wanted = specification(workload).get("logits", False)
    return bool(wanted and methods and all(not isinstance(value, ast.Constant) for value in returns))


@pytest.mark.framework
@pytest.mark.parametrize(("framework", "workload"), list(pairs()))
def test_a_declared_workload_trains_the_specified_network(framework, workload, environment_of, trained):
    result = trained(environment_of(framework), framework, workload)
    assert (result["outcome"], result["reason"]) == ("ok", None)
    equality, specified = result["equality"], specification(workload)
    assert checks.parameter_count(equality["parameters"], specified) is None
    assert checks.probe_loss(equality["probe_loss"], specified) is None
    assert checks.finite_losses(result["run"]["loss"]) is None
    if must_prove(framework, workload):
        assert equality["logits_error"] <= checks.LOGITS_TOLERANCE


@pytest.mark.framework
@pytest.mark.parametrize(("framework", "workload", "precision", "kind"), list(variations()))
def test_another_precision_or_data_kind_trains_the_same_network_or_says_why_it_never_can(
    framework, workload, precision, kind, environment_of, work
):
    data = {"kind": kind, "directory": None}
    result = work(environment_of(framework), framework, workload, precision=precision, data=data)
    if result["outcome"] == "unsupported":
        assert result["limit"] == "never", result["reason"]
        return
    assert (result["outcome"], result["reason"]) == ("ok", None)
    assert checks.probe_loss(result["equality"]["probe_loss"], specification(workload)) is None


@pytest.mark.framework
def test_pytorch_sees_that_full_precision_keeps_the_last_bits_of_products_and_convolutions(environment_of):
    code = "import torch, runners.frameworks.pytorch.adapter as a; print(a.rounds_to_tf32(torch.device('cpu')))"
    answer = subprocess.run([environment_of("pytorch").python, "-c", code], cwd=ROOT, capture_output=True, check=True)
    assert answer.stdout.strip() == b"[]"


def cifar(folder, samples):
    """Write a tiny data set in CIFAR-10's official format: each class is a shade of grey."""
    for name in [f"data_batch_{number}.bin" for number in range(1, 6)] + ["test_batch.bin"]:
        labels = [number % 10 for number in range(samples)]
        (folder / name).write_bytes(b"".join(bytes([label]) + bytes([25 * label]) * 3072 for label in labels))


def real_cifar(work, environment, framework, folder, **changes):
    small = {"epochs": 10, "train_samples": 5 * 10, "test_samples": 10}
    return work(
        environment,
        framework,
        "cifar10-cnn",
        workload={**specification("cifar10-cnn"), "real": small},
        data={"kind": "real", "directory": str(folder)},
        batch_per_device=16,
        **{"epochs": 3, "warmup_steps": 0, "measured_steps": None, **changes},
    )


with_real_cifar = pytest.mark.parametrize(
    "framework",
    [
        path.parent.name
        for path in sorted(FRAMEWORKS.glob("*/framework.toml"))
        for support in manifest(path)["supports"]
        if support["workload"] == "cifar10-cnn" and "real" in support["data"]
    ],
)


@pytest.mark.framework
@with_real_cifar
def test_whole_epochs_of_real_data_are_full_batches_and_end_with_the_test_accuracy(
    framework, environment_of, work, tmp_path
):
    cifar(tmp_path, samples=10)
    result = real_cifar(work, environment_of(framework), framework, tmp_path)
    assert (result["outcome"], result["reason"]) == ("ok", None)
    run = result["run"]
    assert (run["measured_steps"], len(run["loss"]), len(run["epoch_seconds"])) == (9, 9, 3)
    assert sum(run["epoch_seconds"]) == pytest.approx(run["window_seconds"])
    assert run["quality"]["metric"] == "accuracy"
    assert run["quality"]["value"] * 10 == pytest.approx(round(run["quality"]["value"] * 10)), "of 10 test images"


@pytest.mark.framework
@with_real_cifar
def test_an_accuracy_below_its_window_after_all_epochs_is_invalid(framework, environment_of, work, tmp_path):
    cifar(tmp_path, samples=10)
    result = real_cifar(work, environment_of(framework), framework, tmp_path, epochs=10)
    assert result["outcome"] == "invalid"
    assert "at least 0.7425 is expected" in result["reason"]


@pytest.mark.framework
@with_real_cifar
def test_real_data_also_feed_a_steady_window_beyond_one_epoch(framework, environment_of, work, tmp_path):
    cifar(tmp_path, samples=10)
    result = real_cifar(
        work, environment_of(framework), framework, tmp_path, epochs=None, warmup_steps=1, measured_steps=4
    )
    assert result["outcome"] == "ok"
    assert result["run"]["epoch_seconds"] is None
    assert len(result["run"]["step_seconds"]) == 4


@pytest.mark.framework
@with_real_cifar
def test_a_missing_data_file_is_a_failure_that_names_it(framework, environment_of, work, tmp_path):
    result = real_cifar(work, environment_of(framework), framework, tmp_path)
    assert result["outcome"] == "failed"
    assert "data_batch_1.bin can't be read" in result["reason"]


@pytest.mark.framework
@pytest.mark.parametrize(("framework", "workload"), list(pairs()))
def test_what_a_worker_says_fits_into_a_submission(framework, workload, environment_of, trained):
    result = trained(environment_of(framework), framework, workload)
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
