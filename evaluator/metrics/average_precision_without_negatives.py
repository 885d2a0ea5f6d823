"""Average precision of the list from which the query's hard negatives are deleted."""

import numpy as np
from numpy.typing import NDArray

from evaluator.metrics.average_precision import average_precision_at_k
from evaluator.metrics.found import each_hit


def average_precision_at_k_without_negatives(
    hits: NDArray[np.bool_], negative_hits: NDArray[np.bool_], n_positives: NDArray[np.int64], k: int
) -> NDArray[np.float64]:
    """Score each query by AP@k after its hard negatives left the list and what stood below them moved up.

    Needs the whole list, not its first k ranks. An image that is both a positive and a hard negative is deleted, so
    the value can be lower than AP@k. Divides by min(positives, k), the positives counted as before the deletion. A
    list of hard negatives alone scores 0. Ties do not arise: the order of the list is the truth.

    Args:
        hits: (Q, D) bool, True where a rank holds a positive.
        negative_hits: (Q, D) bool, True where a rank holds a hard negative.
        n_positives: (Q,) int, every entry >= 1.
        k: Cutoff, at least 1.

    Returns:
        (Q,) float64.

    Raises:
        ValueError: If k is below 1 or a query has no positive.

    Source:
        The PinPoint reference scorer, there named mAP@k_noNeg.

    Example:
        >>> hits, negatives = np.array([[0, 1, 0]], bool), np.array([[1, 0, 0]], bool)
        >>> average_precision_at_k_without_negatives(hits, negatives, np.array([1]), k=1)
        array([1.])
    """
    queries, ranks, _ = each_hit(hits & ~negative_hits)
    depth = hits.shape[1]
    deleted = np.flatnonzero(negative_hits)
    n_deleted = np.searchsorted(deleted, queries * depth + ranks) - np.searchsorted(deleted, queries * depth)
    moved_up = np.zeros_like(hits)
    moved_up[queries, ranks - n_deleted] = True
    return average_precision_at_k(moved_up, n_positives, k)
