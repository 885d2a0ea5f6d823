"""Discounted cumulative gain at a cutoff, divided by that of a perfect list."""

import numpy as np
from numpy.typing import NDArray

from evaluator.metrics.cutoff import hits_within
from evaluator.metrics.found import each_hit


def ndcg_at_k(hits: NDArray[np.bool_], n_positives: NDArray[np.int64], k: int) -> NDArray[np.float64]:
    """Score each query by the sum of 1 / log2(rank + 1) over its hits, divided by that of min(positives, k) first ranks.

    Every positive gains 1. An empty list scores 0. Ties do not arise: the order of the list is the truth.

    Args:
        hits: (Q, D) bool, True where a rank holds a positive.
        n_positives: (Q,) int, every entry >= 1.
        k: Cutoff, at least 1; ranks beyond D count as empty.

    Returns:
        (Q,) float64; in [0, 1] for lists without repeats.

    Raises:
        ValueError: If k is below 1 or a query has no positive.

    Source:
        trec_eval's ndcg_cut for binary judgements.

    Example:
        >>> ndcg_at_k(np.array([[0, 1, 0]], bool), np.array([1]), k=3).round(4)
        array([0.6309])
    """
    queries, ranks, _ = each_hit(hits_within(hits, n_positives, k))
    n_ideal = np.minimum(n_positives, k)
    ideal = np.cumsum(1 / np.log2(np.arange(2, n_ideal.max(initial=1) + 2)))
    return np.asarray(np.bincount(queries, 1 / np.log2(ranks + 2), len(hits)) / ideal[n_ideal - 1])
