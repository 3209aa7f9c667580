"""The reference networks: what stands in their files, and that every mistake which frameworks invite shows in the outputs."""

from __future__ import annotations

import functools
import re

import numpy as np
import pytest

from runners import workloads
from runners.reference import gru, layers, plain, write
from runners.worker import checks, reference, synthetic

SPECIFIED = {name: {"id": name, **workload.document} for name, workload in workloads.load().items()}
PROVED = [name for name, workload in SPECIFIED.items() if workload.get("logits")]
# Small relatives of the large networks: the same code, a second instead of ten.
SMALLER = {
    "resnet50": {"input": [3, 32, 32], "blocks": [1, 1, 1, 1], "classes": 10},
    "resnet50-features": {"input": [3, 32, 32], "blocks": [1, 1, 1, 1]},
    "vgg16": {"input": [3, 32, 32], "convolutions": [[8, 8], [8]], "hidden": 16, "classes": 10},
    "densenet121-chestxray": {"input": [3, 32, 32], "blocks": [2, 2, 2, 2]},
    "bert-base": {"layers": 2, "hidden": 48, "intermediate": 96, "vocabulary": 2000, "length": 16, "predictions": 4},
    "gru-imdb": {"vocabulary": 2000},
    "cifar10-cnn": {},
}


def smaller(name, **changes):
    workload = SPECIFIED[name]
    return {**workload, "network": {**workload["network"], **SMALLER[name], **changes}}


@functools.cache
def parts(name):
    """Return weights, inputs and outputs of the smaller network, each by name."""
    found = {"weights": {}, "inputs": {}, "outputs": {}}
    for key, array in write.arrays(smaller(name)).items():
        part, _, array_name = key.partition("/")
        found[part][array_name] = array
    return found


def outputs(workload, change=lambda _name, array: array):
    """Return the outputs under the same weights, each changed by a function of name and array."""
    given = parts(workload["id"])
    weights = {name: change(name, array) for name, array in given["weights"].items()}
    return write.FAMILIES[workload["id"]].forward(weights, workload["network"], **given["inputs"])


def error(found, expected):
    return max(abs(found[name] - expected[name]).max() / abs(expected[name]).max() for name in expected)


def test_every_workload_that_wants_a_proof_has_a_reference_and_no_other_has():
    assert set(PROVED) == set(write.FAMILIES)


@pytest.mark.parametrize("name", PROVED)
def test_the_weights_are_as_many_as_the_specification_says(name):
    drawn = write.FAMILIES[name].drawn(SPECIFIED[name]["network"])
    count = sum(int(np.prod(weight.shape)) for weight in drawn.values())
    assert checks.parameter_count(count, SPECIFIED[name]) is None


@pytest.mark.parametrize("name", PROVED)
def test_inputs_are_the_synthetic_ones_and_outputs_of_a_useful_size(name):
    workload = smaller(name)
    arrays = write.arrays(workload)
    parts = [key.partition("/")[0] for key in arrays]
    assert parts == sorted(parts, key=["weights", "inputs", "outputs"].index)
    drawn = synthetic.batch(np.random.RandomState(0), 16 if name in ("cifar10-cnn", "gru-imdb") else 2, workload)
    inputs = [array for key, array in arrays.items() if key.startswith("inputs/")]
    for found, expected in zip(inputs, drawn, strict=False):
        assert np.array_equal(found, expected)
    for key, array in arrays.items():
        assert array.dtype == {"w": "float32", "o": "float64", "i": array.dtype}[key[0]]
        if key.startswith("outputs/"):
            assert 0.05 < abs(array).max() < 100, f"{key}: activations keep their size"


@pytest.mark.parametrize("name", [name for name in PROVED if name != "resnet50-features"])  # it is part of resnet50
def test_every_single_weight_matters(name):
    workload = smaller(name)
    expected = outputs(workload)
    for left_out in write.FAMILIES[name].drawn(workload["network"]):
        if name == "bert-base" and re.search(r"key\.bias", left_out):
            continue  # adds the same to every score of a word: the shares can't show it
        found = outputs(workload, lambda name, array, out=left_out: array * (name != out))
        assert error(found, expected) > checks.LOGITS_TOLERANCE, f"{left_out} could be left out unseen"


@pytest.mark.parametrize(("name", "part"), [("gru-imdb", r"gru\.weight_hidden"), ("vgg16", r"dense2\.weight"),
                                            ("bert-base", r"layer1\.query\.weight")])  # fmt: skip
def test_a_transposed_matrix_shows(name, part):
    workload = smaller(name)

    def turned(name, array):
        return array.T.reshape(array.shape) if re.fullmatch(part, name) else array

    assert error(outputs(workload, turned), outputs(workload)) > checks.LOGITS_TOLERANCE


@pytest.mark.parametrize("name", ["resnet50", "resnet50-features"])
def test_the_stride_in_the_first_1x1_shows(name):
    found = outputs(smaller(name, stride_in="1x1"))
    assert error(found, outputs(smaller(name))) > checks.LOGITS_TOLERANCE


def test_channels_last_before_the_first_dense_layer_shows(monkeypatch):
    workload = smaller("cifar10-cnn")
    expected = outputs(workload)
    pool = layers.max_pool
    monkeypatch.setattr(
        layers, "max_pool", lambda images, size, stride: turned_at_the_end(pool(images, size=size, stride=stride))
    )
    assert error(outputs(workload), expected) > checks.LOGITS_TOLERANCE


def turned_at_the_end(images):
    at_the_end = images.shape[2:] == (8, 8)
    return images.transpose(0, 2, 3, 1).reshape(images.shape) if at_the_end else images


@pytest.mark.parametrize("name", ["resnet50", "densenet121-chestxray"])
def test_padding_at_the_end_alone_shows(name, monkeypatch):
    """Some frameworks' SAME puts the odd row of padding at the end when the stride is 2."""
    workload = smaller(name)
    expected = outputs(workload)
    convolution = layers.convolution

    def at_the_end(images, weights, name, stride=1, padding=0):
        if stride == 2 and padding:
            images = np.pad(images, ((0, 0), (0, 0), (padding - 1, padding), (padding - 1, padding)))
            padding = 0
        return convolution(images, weights, name, stride, padding)

    monkeypatch.setattr(layers, "convolution", at_the_end)
    assert error(outputs(workload), expected) > checks.LOGITS_TOLERANCE


def test_a_reset_gate_before_the_product_shows(monkeypatch):
    workload = smaller("gru-imdb")
    expected = outputs(workload)

    def before(given, features, state):
        from_input = features @ given["gru.weight_input"].T + given["gru.bias_input"]
        matrices, biases = np.split(given["gru.weight_hidden"], 3), np.split(given["gru.bias_hidden"], 3)
        parts = np.split(from_input, 3, axis=-1)
        reset, update = (layers.sigmoid(parts[i] + state @ matrices[i].T + biases[i]) for i in (0, 1))
        new = np.tanh(parts[2] + (reset * state) @ matrices[2].T + biases[2])
        return (1 - update) * new + update * state

    monkeypatch.setattr(gru, "step", before)
    assert error(outputs(workload), expected) > checks.LOGITS_TOLERANCE


def test_the_other_gelu_shows(monkeypatch):
    workload = smaller("bert-base")
    expected = outputs(workload)
    monkeypatch.setattr(layers, "gelu", lambda x: x / 2 * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))))
    assert error(outputs(workload), expected) > checks.LOGITS_TOLERANCE


@pytest.mark.parametrize("name", [name for name in PROVED if name != "resnet50-features"])
def test_a_softmax_that_the_loss_will_take_again_shows(name):
    expected = outputs(smaller(name))
    found = {key: layers.softmax(value) for key, value in expected.items()}
    assert error(found, expected) > checks.LOGITS_TOLERANCE


def test_the_worker_finds_no_error_in_the_reference_itself_and_one_in_a_missing_bias(tmp_path):
    workload = smaller("cifar10-cnn")
    write.write(tmp_path / "reference.npz", workload)
    assert [path.name for path in tmp_path.iterdir()] == ["reference.npz"]

    class Honest:
        def logits(self, weights, inputs):
            return list(plain.forward(weights, workload["network"], *inputs).values())

    class Careless:
        def logits(self, weights, inputs):
            return Honest().logits({**weights, "dense2.bias": weights["dense2.bias"] * 0}, inputs)

    assert reference.logits_error(Honest(), tmp_path / "reference.npz") == 0
    assert reference.logits_error(Careless(), tmp_path / "reference.npz") > checks.LOGITS_TOLERANCE
