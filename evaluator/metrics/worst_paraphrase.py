"""How the worst wording of a need does."""

import numpy as np
from numpy.typing import NDArray

from evaluator.metrics.group_min import group_min


def worst_paraphrase(values: NDArray[np.float64], groups: NDArray[np.int64], n_groups: int) -> NDArray[np.float64]:
    """Score each group of wordings by the smallest of its values.

    A group with fewer than two queries has none, so that it is taken over the same groups as the range.

    Args:
        values: (Q,) float64, a metric's value per query.
        groups: (Q,) int in 0..n_groups - 1, the group of each query.
        n_groups: Number of groups.

    Returns:
        (n_groups,) float64, NaN where a group has fewer than two queries.

    Source:
        CIRBoard's own, beside PinPoint's range and standard deviation.

    Example:
        >>> worst_paraphrase(np.array([0.25, 0.75, 0.5]), np.array([0, 0, 1]), 2)
        array([0.25,  nan])
    """
    compared = np.bincount(groups, minlength=n_groups) >= 2
    return np.where(compared, group_min(values, groups, n_groups), np.nan)
