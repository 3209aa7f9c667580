"""Estimates from samples: the only statistics of the project. Pure; knows nothing of submissions.

Quantiles interpolate linearly between order statistics: h = (n - 1)p (type 7 of Hyndman and Fan, 1996).
Intervals are percentile bootstrap intervals of the median (Efron and Tibshirani, 1993, chapter 13) over runs. Where a value
is the median over several submissions, runs are drawn within each submission, so that the statistic stays the same.
"""

from __future__ import annotations

import hashlib
import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

RESAMPLES = 2000
LOW, HIGH = 0.025, 0.975
MINIMUM_RUNS = 3  # two runs say nothing about their spread
CLEAR = 0.02  # single public runs differ by up to 2 % from each other for no reason

Better = Literal["higher", "lower"]
Verdict = Literal["better", "worse", "no-clear-difference", "none"]
Samples = Sequence[Sequence[float]]  # runs by submission


@dataclass(frozen=True)
class Estimate:
    """A value with its 95 % interval over `n` runs; `low` and `high` are None for fewer than three runs."""

    value: float
    low: float | None
    high: float | None
    n: int


def percentiles(samples: Sequence[float], ps: Sequence[float]) -> dict[float, float]:
    """Return the quantiles `ps` (each 0 to 1) of at least one sample; formula in the module's docstring."""
    ordered = sorted(samples)
    return {p: _quantile(ordered, p) for p in ps}


def median(samples: Sequence[float]) -> float:
    """Return the median of at least one sample."""
    return _quantile(sorted(samples), 0.5)


def spread(samples: Sequence[float]) -> float | None:
    """Return the coefficient of variation, sample standard deviation over mean; None for fewer than two samples."""
    mean = fmean(samples) if samples else 0.0
    if len(samples) < 2 or not mean:  # noqa: PLR2004 - one sample has no spread
        return None
    squares = math.fsum((sample - mean) ** 2 for sample in samples)
    return math.sqrt(squares / (len(samples) - 1)) / abs(mean)


def estimate(samples: Samples, key: str) -> Estimate:
    """Estimate the median over submissions of their median runs; `key` seeds the bootstrap."""
    groups = _ordered(samples)
    value, runs = _centre(groups), sum(map(len, groups))
    if _fewest(groups) < MINIMUM_RUNS:
        return Estimate(value, None, None, runs)
    if len(groups) == 1 and runs == MINIMUM_RUNS:
        # A resample's median is the lowest of three with probability 7/27; the interval ends there unless fewer than 51 of
        # 2,000 are, which happens once in 1e150 times.
        return Estimate(value, groups[0][0], groups[0][-1], runs)
    return _with_interval(value, _resampled_centres(groups, _draws(key)), runs)


def ratio(numerator: Samples, denominator: Samples, key: str) -> Estimate:
    """Estimate the ratio of two medians of positive samples, runs drawn independently; `n` is the smaller number."""
    above, below = _ordered(numerator), _ordered(denominator)
    value = _centre(above) / _centre(below)
    runs = min(sum(map(len, above)), sum(map(len, below)))
    if min(_fewest(above), _fewest(below)) < MINIMUM_RUNS:
        return Estimate(value, None, None, runs)
    draw = _draws(key)
    return _with_interval(value, _resampled_centres(above, draw) / _resampled_centres(below, draw), runs)


def compare(of: Samples, to: Samples, better: Better, key: str) -> Verdict:
    """Return the verdict on the ratio of two medians of positive samples.

    Nothing is drawn where the outcome is certain: medians within 2 %, or runs that don't overlap, whose every draw lies on
    one side of 1.
    """
    if min(_fewest(of), _fewest(to)) < MINIMUM_RUNS:
        return "none"
    value = _centre(_ordered(of)) / _centre(_ordered(to))
    apart = min(map(min, of)) > max(map(max, to)) or max(map(max, of)) < min(map(min, to))
    if apart or 1 / (1 + CLEAR) <= value <= 1 + CLEAR:
        return verdict(Estimate(value, value, value, 0), better)
    return verdict(ratio(of, to, key), better)


def verdict(of: Estimate, better: Better) -> Verdict:
    """Say whether a ratio differs clearly from 1: its interval excludes 1 and it is beyond 2 % either way."""
    if of.low is None or of.high is None:
        return "none"
    # A ratio and its inverse get the same verdict: the lower limit is 1/1.02.
    if of.low > 1 and of.value > 1 + CLEAR:
        return "better" if better == "higher" else "worse"
    if of.high < 1 and of.value < 1 / (1 + CLEAR):
        return "worse" if better == "higher" else "better"
    return "no-clear-difference"


def _with_interval(value: float, drawn: Floats, runs: int) -> Estimate:
    drawn.sort()
    ordered = drawn.tolist()
    # Rounding in the interpolation may push an end past the value by one unit in the last place.
    return Estimate(value, min(_quantile(ordered, LOW), value), max(_quantile(ordered, HIGH), value), runs)


def _draws(key: str) -> Callable[[int], Floats]:
    """Return a source of numbers in [0, 1), so many at a time.

    They are those of Python's `random.random`, the one method that it promises never to change; numpy's frozen generator
    continues from the same state, and is ten times as fast.
    """
    import numpy as np

    seeded = random.Random(int.from_bytes(hashlib.sha256(key.encode()).digest(), "big"))  # noqa: S311 - no secret
    _version, state, _gauss = seeded.getstate()
    generator = np.random.RandomState(0)
    generator.set_state(("MT19937", np.array(state[:-1], dtype=np.uint32), state[-1], 0, 0.0))
    return lambda number: np.asarray(generator.random_sample(number))


def _ordered(samples: Samples) -> list[list[float]]:
    """Sort runs within submissions, and submissions: no order of runs or files may matter."""
    return sorted(sorted(group) for group in samples)


def _centre(groups: Samples) -> float:
    return _quantile(sorted(_quantile(group, 0.5) for group in groups), 0.5)


def _resampled_centres(groups: Samples, draw: Callable[[int], Floats]) -> Floats:
    """Return `_centre` of each resample: numpy indexes and sorts ten times faster than lists do."""
    import numpy as np

    return _row_medians(np.stack([_resampled_medians(group, draw) for group in groups], axis=1))


def _resampled_medians(group: Sequence[float], draw: Callable[[int], Floats]) -> Floats:
    import numpy as np

    drawn = draw(RESAMPLES * len(group)).reshape(RESAMPLES, len(group))
    return _row_medians(np.array(group)[(drawn * len(group)).astype(np.int64)])


def _row_medians(rows: Floats) -> Floats:
    import numpy as np

    ordered, columns = np.sort(rows, axis=1), rows.shape[1]
    below, above = ordered[:, (columns - 1) // 2], ordered[:, columns // 2]
    return np.asarray(below + (above - below) * 0.5)


def _fewest(groups: Samples) -> int:
    return min(map(len, groups))


def _quantile(ordered: Sequence[float], p: float) -> float:
    position = (len(ordered) - 1) * p
    below = int(position)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (position - below)
