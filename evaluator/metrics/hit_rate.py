"""Whether any positive stands among the first k."""

import numpy as np
from numpy.typing import NDArray

from evaluator.metrics.cutoff import hits_within


def hit_rate_at_k(hits: NDArray[np.bool_], k: int) -> NDArray[np.float64]:
    """Score each query by 1 if any positive stands in the first k ranks, else 0.

    Many papers call this Recall@k. Where queries have one positive it equals the share of positives found. An empty
    list scores 0. Ties do not arise: the order of the list is the truth.

    Args:
        hits: (Q, D) bool, True where a rank holds a positive.
        k: Cutoff, at least 1.

    Returns:
        (Q,) float64, 0 or 1.

    Raises:
        ValueError: If k is below 1.

    Source:
        trec_eval's success.

    Example:
        >>> hit_rate_at_k(np.array([[0, 1, 1], [0, 0, 1]], bool), k=2)
        array([1., 0.])
    """
    return np.asarray(hits_within(hits, None, k).any(axis=1), np.float64)
