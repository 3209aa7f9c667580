"""Quality of predictions, computed alike for every framework."""

from runners.worker.contract import Unusable


def mean_auc(scores, truths):
    """Return the mean over the classes of the area under the ROC curve.

    Both are rows of one number a class: any score that rises with the likelihood, and 0 or 1. A class that all samples
    have, or none, has no such area and is left out. The area is the share of pairs of a positive and a negative sample in
    which the positive one scores higher, equal scores counting half (Mann and Whitney's statistic).
    """
    areas = [_area(column, truth) for column, truth in zip(zip(*scores), zip(*truths))]
    known = [area for area in areas if area is not None]
    if not known:
        raise Unusable(
            "The test set has no class with both positive and negative samples: no ROC curve. Use all of it."
        )
    return sum(known) / len(known)


def _area(scores, truths):
    # A NaN, which no order holds, scores lowest: the check of the losses says what happened.
    ranked = sorted((score if score == score else -float("inf"), bool(truth)) for score, truth in zip(scores, truths))  # noqa: PLR0124 - NaN alone differs from itself
    positives = sum(truth for _, truth in ranked)
    negatives = len(ranked) - positives
    if not positives or not negatives:
        return None
    return (_rank_sum(ranked) - positives * (positives + 1) / 2) / (positives * negatives)


def _rank_sum(ranked):
    """Return the sum of the positives' ranks, from 1; equal scores share the mean of theirs."""
    total, start = 0.0, 0
    for end in range(1, len(ranked) + 1):
        if end == len(ranked) or ranked[end][0] != ranked[start][0]:
            total += (start + 1 + end) / 2 * sum(truth for _, truth in ranked[start:end])
            start = end
    return total
