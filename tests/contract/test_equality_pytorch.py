"""Networks that are wrong on purpose, in PyTorch through the real worker: the proofs of equality catch each of them."""

from __future__ import annotations

import dataclasses
import os
import textwrap
from pathlib import Path

import pytest

from runners import references, workloads

ROOT = Path(__file__).resolve().parents[2]

# Python imports this module before the worker begins: the worker itself runs unchanged.
SITECUSTOMIZE = """
from runners.frameworks.pytorch import {module} as job
from torch import nn

right = job.network

def network(workload):
    layers = right(workload)
{fault}
    return layers

job.network = network
"""

NOTHING = "pass"
NO_BIAS = "layers[0].bias = None"
SOFTMAX = "layers.append(nn.Softmax(dim=1))"
VERSION_1 = """
for stage in (layers.layer2, layers.layer3, layers.layer4):
    stage[0].conv1.stride, stage[0].conv2.stride = (2, 2), (1, 1)
"""


@pytest.fixture
def spoilt(environment_of, work, tmp_path):
    """Return `spoilt(workload, fault, proved=True)`: run the worker on a network with a fault, give its result."""

    def run(workload, fault, *, proved=True):
        code = SITECUSTOMIZE.format(module=workload.replace("-", "_"), fault=textwrap.indent(fault, "    "))
        (tmp_path / "sitecustomize.py").write_text(code, "utf-8")
        made = environment_of("pytorch")
        path = os.pathsep.join([str(tmp_path), str(ROOT)])
        job = workloads.load()[workload]
        reference = str(references.made(references.marker(job, "fp32"), job)) if proved else None
        return work(
            dataclasses.replace(made, environ={**made.environ, "PYTHONPATH": path}),
            "pytorch",
            workload,
            reference=reference,
            batch_per_device=2,
        )

    return run


@pytest.mark.framework
def test_a_network_without_a_fault_passes(spoilt):
    assert spoilt("cifar10-cnn", NOTHING)["outcome"] == "ok"


@pytest.mark.framework
def test_a_missing_bias_shows_in_the_number_of_parameters(spoilt):
    result = spoilt("cifar10-cnn", NO_BIAS, proved=False)
    assert result["outcome"] == "invalid"
    assert result["reason"] == "The network has 3441542 trainable parameters; cifar10-cnn has 3441592."


@pytest.mark.framework
@pytest.mark.parametrize(
    ("workload", "fault"),
    [("cifar10-cnn", SOFTMAX), ("resnet50-features", VERSION_1)],
    ids=["softmax-twice", "stride-in-the-first-convolution"],
)
def test_a_fault_that_neither_parameters_nor_probe_show_is_caught_by_the_outputs(spoilt, workload, fault):
    result = spoilt(workload, fault)
    assert result["outcome"] == "invalid"
    assert result["reason"].startswith("With the reference's weights the outputs differ by")
    assert "trainable parameters" not in result["reason"]
    assert "probe loss" not in result["reason"]
