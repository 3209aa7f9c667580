"""The mean area under the ROC curve, against areas that can be counted by hand."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runners.worker.contract import Unusable
from runners.worker.quality import mean_auc


def one_class(scores, truths):
    return mean_auc([[score] for score in scores], [[truth] for truth in truths])


@pytest.mark.parametrize(
    ("scores", "truths", "area"),
    [
        ([0.1, 0.2, 0.8, 0.9], [0, 0, 1, 1], 1.0),
        ([0.9, 0.8, 0.2, 0.1], [0, 0, 1, 1], 0.0),
        ([0.1, 0.4, 0.35, 0.8], [0, 0, 1, 1], 0.75),  # 3 of 4 pairs in order
        ([0.5, 0.5, 0.5], [0, 1, 1], 0.5),
        ([0.3, 0.5, 0.5, 0.7], [0, 0, 1, 1], 3.5 / 4),  # one pair is a tie
        ([float("nan"), 0.5, 0.7], [1, 0, 1], 0.5),
    ],
)
def test_the_area_is_the_share_of_pairs_in_order(scores, truths, area):
    assert one_class(scores, truths) == area


def test_the_mean_is_over_the_classes_that_have_both_kinds_of_samples():
    scores = [[0.1, 0.9, 0.5, 0.5], [0.9, 0.1, 0.6, 0.4]]
    truths = [[0, 0, 1, 0], [1, 1, 1, 0]]
    assert mean_auc(scores, truths) == (1.0 + 0.0) / 2


@pytest.mark.parametrize("truths", [[0, 0], [1, 1]])
def test_without_any_such_class_there_is_no_mean(truths):
    with pytest.raises(Unusable, match="no class with both positive and negative samples"):
        one_class([0.1, 0.2], truths)


def test_arrays_will_do():
    numpy = pytest.importorskip("numpy")
    scores = numpy.array([[0.1], [0.4], [0.35], [0.8]], "float32")
    assert mean_auc(scores, numpy.array([[0.0], [0.0], [1.0], [1.0]], "float32")) == 0.75


@given(st.lists(st.tuples(st.integers(0, 5), st.booleans()), min_size=2, max_size=20))
def test_ranks_and_pairs_agree(samples):
    positive = [score for score, truth in samples if truth]
    negative = [score for score, truth in samples if not truth]
    if not (positive and negative):
        return
    pairs = [(p > n) + (p == n) / 2 for p, n in itertools.product(positive, negative)]
    assert one_class(*zip(*samples, strict=True)) == pytest.approx(sum(pairs) / len(pairs))
