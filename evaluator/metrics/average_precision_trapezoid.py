"""Average precision over the whole list as the area under trapezoids: i-CIR's and domain conversion's number."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from evaluator.metrics.cutoff import hits_within
from evaluator.metrics.found import each_hit

SOFTENED: Final = 1e-5
"""Added to the number of positives by the official code, so that a perfect ranking scores a little below 1."""


def average_precision_trapezoid(hits: NDArray[np.bool_], n_positives: NDArray[np.int64]) -> NDArray[np.float64]:
    """Score each query by trapezoids between the precisions just before and at each hit.

    The j-th hit (from 0) at rank r (from 0) adds (p0 + p1) / 2 / (n + 1e-5), where p1 = (j + 1) / (r + 1), and
    p0 = j / r, or 1 where r is 0. Positives that the list does not hold count as never found. An empty list scores 0.
    Ties do not arise: the order of the list is the truth.

    Args:
        hits: (Q, D) bool, True where a rank holds a positive.
        n_positives: (Q,) int n, every entry >= 1, from the ground truth and not from what was found.

    Returns:
        (Q,) float64; in [0, 1) for lists without repeats.

    Raises:
        ValueError: If a query has no positive.

    Source:
        The i-CIR and FreeDom reference scorers.

    Example:
        >>> average_precision_trapezoid(np.array([[1, 0, 1, 0]], bool), np.array([2])).round(4)
        array([0.7917])
    """
    queries, ranks, nth = each_hit(hits_within(hits, n_positives, max(1, hits.shape[1])))
    before = np.divide(nth, ranks, out=np.ones(len(ranks)), where=ranks > 0)
    at = (nth + 1) / (ranks + 1)
    return np.asarray(np.bincount(queries, (before + at) / 2, len(hits)) / (n_positives + SOFTENED))
