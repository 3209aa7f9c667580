"""Estimates against hand-computed cases, their edges, and what must hold for any samples."""

from __future__ import annotations

import hashlib
import random
from statistics import fmean, stdev

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collector.estimate import Estimate, compare, estimate, median, percentiles, ratio, spread, verdict

seconds = st.floats(min_value=1e-6, max_value=1e6, allow_nan=False)
runs = st.lists(seconds, min_size=3, max_size=9)
few = settings(max_examples=25, deadline=None)


def test_percentiles_interpolate_between_order_statistics():
    assert percentiles([40, 10, 30, 20], (0.5, 0.25)) == {0.5: 25, 0.25: 17.5}
    assert percentiles([1, 2, 3, 4, 5], (0.9,))[0.9] == pytest.approx(4.6)
    assert percentiles([7], (0.99,))[0.99] == 7


def test_a_single_run_has_a_value_and_no_interval():
    assert estimate([[640.0]], "k") == Estimate(640.0, None, None, 1)


def test_a_pair_of_runs_has_no_interval():
    assert estimate([[1.0, 3.0]], "k") == Estimate(2.0, None, None, 2)


def test_equal_runs_have_an_interval_of_no_width():
    assert estimate([[5.0, 5.0, 5.0]], "k") == Estimate(5.0, 5.0, 5.0, 3)


def test_the_interval_of_three_runs_spans_all_of_them():
    # A resample of three is thrice the lowest or twice the lowest with probability 7/27, far above 2.5 %.
    assert estimate([[9.0, 10.0, 12.0]], "k") == Estimate(10.0, 9.0, 12.0, 3)


def test_the_interval_of_many_runs_is_near_the_exact_one():
    # For n = 101 the binomial interval of the median lies between the 41st and the 61st of the ordered runs.
    found = estimate([[float(value) for value in range(1, 102)]], "k")
    assert found.value == 51
    assert found.low == pytest.approx(41, abs=2)
    assert found.high == pytest.approx(61, abs=2)


def test_a_value_over_submissions_is_the_median_of_their_medians():
    found = estimate([[1.0, 2.0, 3.0], [10.0, 11.0, 12.0], [4.0, 5.0, 6.0]], "k")
    assert (found.value, found.n) == (5.0, 9)
    assert found.low is not None


def test_a_submission_of_two_runs_takes_the_interval_from_the_whole():
    assert estimate([[1.0, 2.0, 3.0], [1.0, 2.0]], "k").low is None


def test_the_same_key_gives_the_same_interval_whatever_else_was_drawn():
    samples = [[1.0, 2.0, 4.0, 8.0, 16.0]]
    first = estimate(samples, "a")
    estimate(samples, "b")
    assert estimate(samples, "a") == first


def test_intervals_are_frozen_across_platforms_and_releases():
    found = estimate([[10.3, 10.1, 10.2, 10.9, 10.0, 10.4, 10.25]], "frozen")
    assert found == Estimate(10.25, 10.1, 10.4, 7)


@few
@given(st.permutations([10.3, 10.1, 10.2, 10.9, 10.0]))
def test_the_order_of_runs_never_matters(samples):
    assert estimate([samples], "k") == estimate([[10.0, 10.1, 10.2, 10.3, 10.9]], "k")


@few
@given(st.permutations([(1.0, 2.0, 3.0), (4.0, 5.0, 6.0), (2.0, 2.5, 9.0)]))
def test_the_order_of_submissions_never_matters(samples):
    assert estimate(samples, "k") == estimate([(1.0, 2.0, 3.0), (2.0, 2.5, 9.0), (4.0, 5.0, 6.0)], "k")


@few
@given(runs)
def test_the_interval_contains_the_value_and_stays_within_the_runs(samples):
    found = estimate([samples], "k")
    assert min(samples) <= found.low <= found.value <= found.high <= max(samples)


@few
@given(runs)
def test_another_unit_scales_value_and_interval_alike(samples):
    # A factor of two is exact in binary, so nothing may differ but the factor.
    found, scaled = estimate([samples], "k"), estimate([[2 * sample for sample in samples]], "k")
    assert (scaled.value, scaled.low, scaled.high) == (2 * found.value, 2 * found.low, 2 * found.high)


@few
@given(runs, runs)
def test_a_verdict_and_its_inverse_never_contradict(one, two):
    there, back = verdict(ratio([one], [two], "k"), "higher"), verdict(ratio([two], [one], "k"), "higher")
    assert (there, back) not in {("better", "better"), ("worse", "worse")}


@few
@given(runs)
def test_nothing_differs_clearly_from_itself(samples):
    assert verdict(ratio([samples], [samples], "k"), "higher") == "no-clear-difference"


def test_the_ratio_of_medians_by_hand():
    found = ratio([[20.0, 22.0, 24.0]], [[10.0, 11.0, 12.0]], "k")
    assert found == Estimate(2.0, pytest.approx(20 / 12), pytest.approx(24 / 10), 3)


@pytest.mark.parametrize(
    ("found", "higher", "lower"),
    [
        (Estimate(1.05, 1.03, 1.07, 5), "better", "worse"),
        (Estimate(0.95, 0.93, 0.97, 5), "worse", "better"),
        (Estimate(1.015, 1.01, 1.02, 5), "no-clear-difference", "no-clear-difference"),
        (Estimate(1.02, 1.01, 1.03, 5), "no-clear-difference", "no-clear-difference"),
        (Estimate(1.30, 1.0, 1.6, 5), "no-clear-difference", "no-clear-difference"),
        (Estimate(0.70, 0.4, 1.0, 5), "no-clear-difference", "no-clear-difference"),
        (Estimate(2.0, None, None, 2), "none", "none"),
    ],
    ids=["above", "below", "within 2 %", "exactly 2 %", "interval touches 1", "touches 1 below", "too few runs"],
)
def test_a_verdict_needs_an_interval_without_1_and_more_than_2_percent(found, higher, lower):
    assert verdict(found, "higher") == higher
    assert verdict(found, "lower") == lower


def test_the_spread_is_the_coefficient_of_variation():
    assert spread([9.0, 10.0, 11.0]) == pytest.approx(0.1)
    assert spread([10.0]) is None
    assert spread([]) is None


@few
@given(runs, runs, st.sampled_from(["higher", "lower"]))
def test_a_comparison_says_what_the_verdict_on_the_ratio_says(one, other, better):
    assert compare([one], [other], better, "k") == verdict(ratio([one], [other], "k"), better)


@few
@given(st.lists(seconds, min_size=1, max_size=3), runs)
def test_fewer_than_three_runs_compare_to_nothing_as_their_ratio_says(one, other):
    assert compare([one], [other], "higher", "k") == verdict(ratio([one], [other], "k"), "higher")


@few
@given(runs, st.text())
def test_the_interval_of_one_submission_is_the_plain_percentile_bootstrap(one, key):
    """The same draws as Python's own generator gives, one by one, and no short cut."""
    draw = random.Random(int.from_bytes(hashlib.sha256(key.encode()).digest(), "big")).random
    ordered = sorted(one)
    drawn = sorted(median([ordered[int(draw() * len(one))] for _ in one]) for _resample in range(2000))
    low, high = (percentiles(drawn, (part,))[part] for part in (0.025, 0.975))
    found = estimate([one], key)
    assert (found.low, found.high) == (pytest.approx(low, rel=1e-12), pytest.approx(high, rel=1e-12))


@few
@given(st.lists(seconds, min_size=2, max_size=9))
def test_the_spread_is_the_standard_deviation_over_the_mean(one):
    assert spread(one) == pytest.approx(stdev(one) / fmean(one), rel=1e-9, abs=1e-12)
