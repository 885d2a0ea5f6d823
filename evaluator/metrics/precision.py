"""Precision at a cutoff."""

import numpy as np
from numpy.typing import NDArray

from evaluator.metrics.cutoff import hits_within


def precision_at_k(hits: NDArray[np.bool_], k: int) -> NDArray[np.float64]:
    """Score each query by the share of the first k ranks that hold a positive, dividing by k.

    A list shorter than k is divided by k all the same; an empty one scores 0. Ties do not arise: the order of the
    list is the truth.

    Args:
        hits: (Q, D) bool, True where a rank holds a positive.
        k: Cutoff, at least 1.

    Returns:
        (Q,) float64 in [0, 1].

    Raises:
        ValueError: If k is below 1.

    Source:
        The PinPoint reference scorer; the same as trec_eval's P_k.

    Example:
        >>> precision_at_k(np.array([[1, 0, 1, 0]], bool), k=4)
        array([0.5])
    """
    return np.asarray(hits_within(hits, None, k).sum(axis=1) / k)
