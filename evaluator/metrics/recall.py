"""Recall at a cutoff as the share of the positives."""

import numpy as np
from numpy.typing import NDArray

from evaluator.metrics.cutoff import hits_within


def recall_at_k(hits: NDArray[np.bool_], n_positives: NDArray[np.int64], k: int) -> NDArray[np.float64]:
    """Score each query by the hits in the first k ranks, dividing by all its positives.

    The share of positives found, not whether any was found. With more than k positives it cannot reach 1. An empty
    list scores 0. Ties do not arise: the order of the list is the truth.

    Args:
        hits: (Q, D) bool, True where a rank holds a positive.
        n_positives: (Q,) int, every entry >= 1.
        k: Cutoff, at least 1.

    Returns:
        (Q,) float64; in [0, 1] for lists without repeats.

    Raises:
        ValueError: If k is below 1 or a query has no positive.

    Source:
        The PinPoint reference scorer.

    Example:
        >>> recall_at_k(np.array([[1, 0, 1, 0]], bool), np.array([8]), k=4)
        array([0.25])
    """
    return np.asarray(hits_within(hits, n_positives, k).sum(axis=1) / n_positives)
