"""Recall of the hard negatives at a cutoff: lower is better."""

import numpy as np
from numpy.typing import NDArray

from evaluator.metrics.cutoff import hits_within


def negative_recall_at_k(
    negative_hits: NDArray[np.bool_], n_negatives: NDArray[np.int64], k: int
) -> NDArray[np.float64]:
    """Score each query by the hard negatives in the first k ranks, dividing by min(negatives, k).

    Lower is better. A query without hard negatives scores 0, as an empty list does. Ties do not arise: the order of
    the list is the truth.

    Args:
        negative_hits: (Q, D) bool, True where a rank holds a hard negative.
        n_negatives: (Q,) int, may be 0.
        k: Cutoff, at least 1.

    Returns:
        (Q,) float64; in [0, 1] for lists without repeats.

    Raises:
        ValueError: If k is below 1.

    Source:
        The PinPoint reference scorer, there named NegRecall@k.

    Example:
        >>> negative_recall_at_k(np.array([[1, 0, 1, 0], [0, 0, 0, 0]], bool), np.array([9, 0]), k=4)
        array([0.5, 0. ])
    """
    found = hits_within(negative_hits, None, k).sum(axis=1)
    return np.asarray(found / np.maximum(np.minimum(n_negatives, k), 1))
