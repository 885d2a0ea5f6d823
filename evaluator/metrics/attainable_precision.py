"""Precision at a cutoff as a share of the hits that were possible."""

import numpy as np
from numpy.typing import NDArray

from evaluator.metrics.cutoff import hits_within


def attainable_precision_at_k(hits: NDArray[np.bool_], n_positives: NDArray[np.int64], k: int) -> NDArray[np.float64]:
    """Score each query by the hits in the first k ranks, dividing by min(positives, k).

    Unlike precision it can reach 1 where a query has fewer than k positives. An empty list scores 0. Ties do not
    arise: the order of the list is the truth.

    Args:
        hits: (Q, D) bool, True where a rank holds a positive.
        n_positives: (Q,) int, every entry >= 1.
        k: Cutoff, at least 1.

    Returns:
        (Q,) float64; in [0, 1] for lists without repeats.

    Raises:
        ValueError: If k is below 1 or a query has no positive.

    Source:
        The FreeDom reference scorer, there named P@k.

    Example:
        >>> attainable_precision_at_k(np.array([[1, 0, 1, 0]], bool), np.array([2]), k=4)
        array([1.])
    """
    return np.asarray(hits_within(hits, n_positives, k).sum(axis=1) / np.minimum(n_positives, k))
