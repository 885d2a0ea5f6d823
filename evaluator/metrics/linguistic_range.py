"""How far the wordings of one need lie apart: largest minus smallest value."""

import numpy as np
from numpy.typing import NDArray


def linguistic_range(values: NDArray[np.float64], groups: NDArray[np.int64], n_groups: int) -> NDArray[np.float64]:
    """Score each group of queries by the largest minus the smallest of its values.

    Lower is better. One value per group, not per query. A group with fewer than two queries has none.

    Args:
        values: (Q,) float64, a metric's value per query.
        groups: (Q,) int in 0..n_groups - 1, the group of each query.
        n_groups: Number of groups.

    Returns:
        (n_groups,) float64, NaN where a group has fewer than two queries.

    Source:
        The PinPoint reference scorer, there ling_sens_range, over groups of the same image pair and precision@10.

    Example:
        >>> linguistic_range(np.array([0.25, 0.75, 0.5]), np.array([0, 0, 1]), 2)
        array([0.5, nan])
    """
    largest = np.full(n_groups, -np.inf)
    smallest = np.full(n_groups, np.inf)
    np.maximum.at(largest, groups, values)
    np.minimum.at(smallest, groups, values)
    compared = np.bincount(groups, minlength=n_groups) >= 2
    return np.asarray(np.where(compared, largest - smallest, np.nan))
