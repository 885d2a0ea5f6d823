"""Hits of ranked lists one by one: which query, which rank, and the how-manieth of its query."""

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]


def each_hit(hits: NDArray[np.bool_]) -> tuple[Ints, Ints, Ints]:
    """List the hits. Few ranks hold one, so that looking at these alone is what makes metrics fast.

    Args:
        hits: (Q, D) bool.

    Returns:
        (H,) query, (H,) 0-based rank, and (H,) 0-based number among the query's hits; queries do not decrease, and
        ranks rise within a query.

    Example:
        >>> each_hit(np.array([[1, 0, 1], [0, 1, 0]], bool))
        (array([0, 0, 1]), array([0, 2, 1]), array([0, 1, 0]))
    """
    queries, ranks = np.nonzero(hits)
    n_hits = np.bincount(queries, minlength=len(hits))
    firsts = np.cumsum(n_hits) - n_hits
    return queries, ranks, np.arange(len(queries)) - firsts[queries]
