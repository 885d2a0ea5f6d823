"""Recall of the one target image at a cutoff."""

import numpy as np
from numpy.typing import NDArray

from evaluator.metrics.cutoff import hits_within


def target_recall_at_k(target_hits: NDArray[np.bool_], k: int) -> NDArray[np.float64]:
    """Score each query by whether its target is among the first k ranks.

    Other positives do not count: the target is the image for which the modification was written. There is nothing
    to divide by, and an empty list scores 0. A target that the list repeats counts each time, as in the official scorer.
    Ties do not arise: the order of the list is the truth.

    Args:
        target_hits: (Q, D) bool, True where a rank holds the query's target.
        k: Cutoff, at least 1.

    Returns:
        (Q,) float64, 0 or 1 for lists without repeats.

    Raises:
        ValueError: If k is below 1.

    Source:
        The CIRCO reference scorer, there named Recall@k.

    Example:
        >>> target_recall_at_k(np.array([[0, 0, 1], [0, 0, 0]], bool), k=3)
        array([1., 0.])
    """
    return np.asarray(hits_within(target_hits, None, k).sum(axis=1, dtype=np.float64))
