"""The Pareto front of a trade-off: points that no other point beats on one side without losing on the other."""

import numpy as np
from numpy.typing import NDArray


def pareto_front(gains: NDArray[np.float64], costs: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Mark the points that no other dominates, such as methods by their mAP and their recall of hard negatives.

    A point dominates another if its gain is at least as large, its cost at most as large, and one of the two differs.
    Points that are equal on both do not dominate each other: both are on the front, or neither is. A point with a NaN
    is not on it and dominates none. Cost: one sort.

    Args:
        gains: (n,) float64, larger is better.
        costs: (n,) float64, smaller is better.

    Returns:
        (n,) bool.

    Example:
        >>> pareto_front(np.array([0.5, 0.4, 0.4, 0.5]), np.array([0.2, 0.1, 0.3, 0.2])).tolist()
        [True, True, False, True]
    """
    known = np.flatnonzero(~(np.isnan(gains) | np.isnan(costs)))
    # The largest gain first, and among equal gains the smallest cost.
    order = known[np.lexsort((costs[known], -gains[known]))]
    front = np.zeros(len(gains), np.bool_)
    last: tuple[float, float] | None = None
    for place in order.tolist():
        point = float(gains[place]), float(costs[place])
        if last is None or point[1] < last[1] or point == last:
            front[place] = True
            last = point
    return front
