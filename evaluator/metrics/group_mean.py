"""The mean over the queries of a group: what macro averages are taken of."""

import numpy as np
from numpy.typing import NDArray


def group_mean(values: NDArray[np.float64], groups: NDArray[np.int64], n_groups: int) -> NDArray[np.float64]:
    """Score each group of queries by the mean of its values.

    A macro average is the mean of these, so that every group weighs the same however many queries it has.

    Args:
        values: (Q,) float64, a metric's value per query.
        groups: (Q,) int in 0..n_groups - 1, the group of each query.
        n_groups: Number of groups.

    Returns:
        (n_groups,) float64, NaN for a group without queries.

    Source:
        The i-CIR reference scorer (mmAP), over instances.

    Example:
        >>> group_mean(np.array([0.25, 0.75, 0.5]), np.array([0, 0, 1]), 3)
        array([0.5, 0.5, nan])
    """
    sizes = np.bincount(groups, minlength=n_groups)
    totals = np.bincount(groups, values, n_groups)
    return np.asarray(np.divide(totals, sizes, out=np.full(n_groups, np.nan), where=sizes > 0))
