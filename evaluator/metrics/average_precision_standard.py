"""Average precision over the whole list, divided by the positives."""

import numpy as np
from numpy.typing import NDArray

from evaluator.metrics.cutoff import hits_within
from evaluator.metrics.found import each_hit


def average_precision_standard(hits: NDArray[np.bool_], n_positives: NDArray[np.int64]) -> NDArray[np.float64]:
    """Score each query by the sum of the precisions at its hits, divided by its positives.

    Non-interpolated average precision. Positives that the list does not hold count as never found. An empty list
    scores 0. Ties do not arise: the order of the list is the truth.

    Args:
        hits: (Q, D) bool, True where a rank holds a positive.
        n_positives: (Q,) int, every entry >= 1, from the ground truth and not from what was found.

    Returns:
        (Q,) float64; in [0, 1] for lists without repeats.

    Raises:
        ValueError: If a query has no positive.

    Source:
        trec_eval's map. The official code of i-CIR and of domain conversion takes trapezoids instead.

    Example:
        >>> average_precision_standard(np.array([[1, 0, 1, 0]], bool), np.array([2]))
        array([0.83333333])
    """
    queries, ranks, nth = each_hit(hits_within(hits, n_positives, max(1, hits.shape[1])))
    precisions = (nth + 1) / (ranks + 1)
    return np.asarray(np.bincount(queries, precisions, len(hits)) / n_positives)
