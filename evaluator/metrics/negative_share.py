"""The share of hard negatives among the first k: lower is better."""

import numpy as np
from numpy.typing import NDArray

from evaluator.metrics.cutoff import hits_within


def negative_share_at_k(negative_hits: NDArray[np.bool_], k: int) -> NDArray[np.float64]:
    """Score each query by the hard negatives in the first k ranks, dividing by k.

    Lower is better. Unlike recall of the negatives it says what a person sees: how much of the page is wrong in the
    way that the query rules out. An empty list scores 0. Ties do not arise: the order of the list is the truth.

    Args:
        negative_hits: (Q, D) bool, True where a rank holds a hard negative.
        k: Cutoff, at least 1.

    Returns:
        (Q,) float64; in [0, 1] for lists without repeats.

    Raises:
        ValueError: If k is below 1.

    Source:
        Precision at k, taken of the hard negatives.

    Example:
        >>> negative_share_at_k(np.array([[1, 0, 1, 0]], bool), k=4)
        array([0.5])
    """
    return np.asarray(hits_within(negative_hits, None, k).sum(axis=1) / k)
