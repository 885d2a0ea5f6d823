"""Average precision at a cutoff, divided by min(positives, k)."""

import numpy as np
from numpy.typing import NDArray

from evaluator.metrics.cutoff import hits_within
from evaluator.metrics.found import each_hit


def average_precision_at_k(hits: NDArray[np.bool_], n_positives: NDArray[np.int64], k: int) -> NDArray[np.float64]:
    """Score each query by AP@k, dividing by min(positives, k).

    The precision at every rank that holds a positive is summed over the first k ranks. Ties do not arise: the order
    of the list is the truth. A list that is empty or holds no positive scores 0. A positive that the list repeats
    counts each time, as in the official scorers; a validator has to refuse such lists.

    Args:
        hits: (Q, D) bool. ``hits[q, r]``: the item at rank r + 1 of query q is a positive; False beyond the list.
        n_positives: (Q,) int, every entry >= 1.
        k: Cutoff, at least 1; ranks beyond D count as empty.

    Returns:
        (Q,) float64, one value per query, not averaged.

    Raises:
        ValueError: If k is below 1 or a query has no positive.

    Source:
        The CIRCO and PinPoint reference scorers. trec_eval divides by the positives, torchmetrics by the hits.

    Example:
        >>> average_precision_at_k(np.array([[1, 0, 1, 0, 0]], bool), np.array([10]), k=5)
        array([0.33333333])
    """
    queries, ranks, nth = each_hit(hits_within(hits, n_positives, k))
    precisions = (nth + 1) / (ranks + 1)
    return np.asarray(np.bincount(queries, precisions, len(hits)) / np.minimum(n_positives, k))
