"""How far the wordings of one need scatter: population standard deviation."""

import numpy as np
from numpy.typing import NDArray


def linguistic_std(values: NDArray[np.float64], groups: NDArray[np.int64], n_groups: int) -> NDArray[np.float64]:
    """Score each group of queries by the population standard deviation of its values.

    Lower is better. One value per group, not per query. Divides by the size of the group, not by one less. A group
    with fewer than two queries has none.

    Args:
        values: (Q,) float64, a metric's value per query.
        groups: (Q,) int in 0..n_groups - 1, the group of each query.
        n_groups: Number of groups.

    Returns:
        (n_groups,) float64, NaN where a group has fewer than two queries.

    Source:
        The PinPoint reference scorer, there ling_sens_std, over groups of the same image pair and precision@10.

    Example:
        >>> linguistic_std(np.array([0.25, 0.75, 0.5]), np.array([0, 0, 1]), 2)
        array([0.25,  nan])
    """
    sizes = np.bincount(groups, minlength=n_groups)
    at_least_one = np.maximum(sizes, 1)
    means = np.bincount(groups, values, n_groups) / at_least_one
    squares = np.bincount(groups, (values - means[groups]) ** 2, n_groups)
    return np.asarray(np.where(sizes >= 2, np.sqrt(squares / at_least_one), np.nan))
