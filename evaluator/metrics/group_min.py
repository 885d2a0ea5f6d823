"""The smallest value among the queries of a group."""

import numpy as np
from numpy.typing import NDArray


def group_min(values: NDArray[np.float64], groups: NDArray[np.int64], n_groups: int) -> NDArray[np.float64]:
    """Score each group of queries by the smallest of its values: how the method does where it does worst.

    Args:
        values: (Q,) float64, a metric's value per query.
        groups: (Q,) int in 0..n_groups - 1, the group of each query.
        n_groups: Number of groups.

    Returns:
        (n_groups,) float64, NaN for a group without queries.

    Source:
        The i-CIR reference scorer (minmAP), over instances.

    Example:
        >>> group_min(np.array([0.25, 0.75, 0.5]), np.array([0, 0, 1]), 3)
        array([0.25, 0.5 ,  nan])
    """
    smallest = np.full(n_groups, np.inf)
    np.minimum.at(smallest, groups, values)
    smallest[np.isinf(smallest)] = np.nan
    return smallest
