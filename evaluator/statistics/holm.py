"""Holm's correction: several tests of one family, and no more than 5 % of families with a false alarm."""

import numpy as np
from numpy.typing import NDArray


def holm_adjusted(p_values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Adjust the p-values of one family by Holm's step-down procedure.

    With p(1) <= ... <= p(m) sorted, the i-th adjusted value is max over j <= i of min(1, (m - j + 1) p(j)). A family
    is one metric column: the rows against the leader, or all pairs that are compared. Tests that were not made are
    NaN, stay NaN and do not count in m.

    Args:
        p_values: (m,) float64 in [0, 1], or NaN.

    Returns:
        (m,) float64, none below its own p-value, in the order of the arguments. Equal p-values stay equal.

    Raises:
        ValueError: If a p-value lies outside [0, 1].

    Source:
        Holm 1979, "A simple sequentially rejective multiple test procedure".

    Example:
        >>> holm_adjusted(np.array([0.25, 0.0625, 0.5])).tolist()
        [0.5, 0.1875, 0.5]
    """
    if ((p_values < 0) | (p_values > 1)).any():
        raise ValueError("p-values must lie between 0 and 1")
    made = np.flatnonzero(~np.isnan(p_values))
    order = made[np.argsort(p_values[made], kind="stable")]
    remaining = np.arange(len(order), 0, -1)
    adjusted = np.full(len(p_values), np.nan)
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(remaining * p_values[order]))
    return adjusted
