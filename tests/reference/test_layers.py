"""Layers of the reference against loops, and against cases small enough for pencil and paper."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from runners.reference import bert, gru, layers


def by_loop(images, kernel, stride, padding):
    """Return a convolution computed number by number."""
    samples, channels, height, width = images.shape
    outputs, _, size, _ = kernel.shape
    rows, columns = ((side + 2 * padding - size) // stride + 1 for side in (height, width))
    found = np.zeros((samples, outputs, rows, columns))
    for sample, output, row, column in np.ndindex(found.shape):
        for channel, i, j in itertools.product(range(channels), range(size), range(size)):
            y, x = row * stride + i - padding, column * stride + j - padding
            if 0 <= y < height and 0 <= x < width:
                found[sample, output, row, column] += kernel[output, channel, i, j] * images[sample, channel, y, x]
    return found


@pytest.mark.parametrize(("size", "stride", "padding"), [(1, 1, 0), (1, 2, 0), (3, 1, 1), (3, 2, 1), (7, 2, 3)])
def test_a_convolution_is_the_sum_that_its_definition_says(size, stride, padding):
    chance = np.random.default_rng(size + stride)
    images, kernel = chance.normal(size=(2, 3, 8, 9)), chance.normal(size=(4, 3, size, size))
    found = layers.convolution(images, {"c.weight": kernel}, "c", stride, padding)
    assert found == pytest.approx(by_loop(images, kernel, stride, padding))
    biased = layers.convolution(images, {"c.weight": kernel, "c.bias": np.arange(4.0)}, "c", stride, padding)
    assert biased - found == pytest.approx(np.broadcast_to(np.arange(4.0)[:, None, None], found.shape))


def test_a_dense_layer_multiplies_by_rows_of_out_times_in():
    weights = {"d.weight": np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]), "d.bias": np.array([0.5, -0.5])}
    assert layers.dense(np.array([[1.0, 0.0, -1.0]]), weights, "d").tolist() == [[-1.5, -2.5]]


def test_padding_never_wins_a_maximum():
    images = -np.arange(1.0, 10.0).reshape(1, 1, 3, 3)
    assert layers.max_pool(images, size=3, stride=2, padding=1).tolist() == [[[[-1.0, -2.0], [-4.0, -5.0]]]]


def test_a_mean_pool_averages_windows_that_do_not_overlap():
    images = np.arange(16.0).reshape(1, 1, 4, 4)
    assert layers.mean_pool(images, size=2).tolist() == [[[[2.5, 4.5], [10.5, 12.5]]]]


def test_batch_normalisation_divides_by_the_root_of_one_plus_epsilon():
    weights = {"n.weight": np.array([2.0]), "n.bias": np.array([1.0])}
    assert layers.batch_normalisation(np.full((1, 1, 1, 1), 3.0), weights, "n", epsilon=3.0).item() == 4.0


def test_layer_normalisation_takes_mean_and_deviation_of_the_last_axis():
    weights = {"n.weight": np.array([1.0, 2.0]), "n.bias": np.array([0.0, 10.0])}
    assert layers.layer_normalisation(np.array([[3.0, 7.0]]), weights, "n", epsilon=0.0).tolist() == [[-1.0, 12.0]]


def test_gelu_is_exact():
    expected = [0.0, 0.5 * (1 + math.erf(1 / math.sqrt(2))), -0.5 * (1 - math.erf(1 / math.sqrt(2)))]
    assert layers.gelu(np.array([0.0, 1.0, -1.0])) == pytest.approx(expected, rel=1e-15)


def test_shares_sum_to_one_and_large_numbers_do_not_overflow():
    shares = layers.softmax(np.array([[1000.0, 1000.0], [0.0, math.log(3)]]))
    assert shares == pytest.approx(np.array([[0.5, 0.5], [0.25, 0.75]]))


def test_one_step_of_a_gru_by_hand():
    weights = {
        "gru.weight_input": np.array([[1.0], [2.0], [3.0]]),
        "gru.weight_hidden": np.array([[0.5], [-1.0], [2.0]]),
        "gru.bias_input": np.array([0.1, 0.2, 0.3]),
        "gru.bias_hidden": np.array([-0.1, 0.4, 0.6]),
    }
    x, h = 0.5, 0.8
    reset = 1 / (1 + math.exp(-(1 * x + 0.1 + 0.5 * h - 0.1)))
    update = 1 / (1 + math.exp(-(2 * x + 0.2 - 1 * h + 0.4)))
    new = math.tanh(3 * x + 0.3 + reset * (2 * h + 0.6))
    found = gru.step(weights, np.array([[x]]), np.array([[h]])).item()
    assert found == pytest.approx((1 - update) * new + update * h, rel=1e-14)


def test_attention_by_hand_sees_nothing_behind_the_mask():
    weights = {f"l.{name}.{part}": value for name, factor in (("query", 1.0), ("key", 2.0), ("value", 3.0))
               for part, value in (("weight", np.array([[factor]])), ("bias", np.zeros(1)))}  # fmt: skip
    values = np.array([[[1.0], [-1.0], [5.0]]])
    found = bert._attention(weights, {"heads": 1}, values, np.array([[1, 1, 0]]), "l")
    share = math.exp(2) / (math.exp(2) + math.exp(-2))  # of the first word, in what the first word sees
    assert found[0, 0, 0] == pytest.approx(3 * share - 3 * (1 - share))
    assert found[0, 1, 0] == pytest.approx(-(3 * share - 3 * (1 - share)))
