"""The inverse of the rank of the first hit."""

import numpy as np
from numpy.typing import NDArray

from evaluator.metrics.found import each_hit


def reciprocal_rank(hits: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Score each query by 1 / rank of its first positive, 0 if the list holds none.

    Ties do not arise: the order of the list is the truth.

    Args:
        hits: (Q, D) bool, True where a rank holds a positive.

    Returns:
        (Q,) float64 in [0, 1].

    Source:
        trec_eval's recip_rank.

    Example:
        >>> reciprocal_rank(np.array([[0, 1, 1], [0, 0, 0]], bool))
        array([0.5, 0. ])
    """
    queries, ranks, nth = each_hit(hits)
    is_first = nth == 0
    scores = np.zeros(len(hits))
    scores[queries[is_first]] = 1 / (ranks[is_first] + 1)
    return scores
