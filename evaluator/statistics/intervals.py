"""Percentile intervals of ratios of sums, from bootstrap replicates of whole units."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

GRID: Final = 2.0**30
"""Values are rounded to multiples of 1 / GRID, so that their float64 sums are exact in whatever order they are added."""

TAIL: Final = 0.025
_BLOCK: Final = 1024


def percentile_intervals(
    values: NDArray[np.float64],
    units: NDArray[np.int64],
    ratios: NDArray[np.int64],
    counts: NDArray[np.uint8],
) -> NDArray[np.float64]:
    """Give 95 % intervals of sums divided by sums.

    A mean is the ratio of a column of values and a column of ones; other ratios work the same way. A replicate in
    which the denominator is zero says nothing and is left out. Since values lie on a grid, results are the same bit
    for bit whatever the number of threads.

    Args:
        values: (N, C) float64, one row per observation, one column per summand; |sums| below 2**23.
        units: (N,) int, the unit of each observation.
        ratios: (M, 2) int, columns of numerator and denominator of each estimate.
        counts: (U, B) uint8, how often each replicate draws each unit.

    Returns:
        (M, 2) float64: lower and upper end. NaN where all replicates agree, which says nothing about the spread.

    Example:
        >>> values = np.array([[1.0, 0.25], [1.0, 0.75]])
        >>> counts = np.array([[0, 1, 2], [2, 1, 0]], np.uint8)
        >>> percentile_intervals(values, np.array([0, 1]), np.array([[1, 0]]), counts)
        array([[0.25, 0.75]])
    """
    touched, sums = _sum_by_unit(values, units)
    n_replicates = counts.shape[1]
    replicates = np.empty((len(ratios), n_replicates))
    for start in range(0, n_replicates, _BLOCK):
        block = slice(start, start + _BLOCK)
        totals = sums @ counts[touched, block].astype(np.float64)
        with np.errstate(invalid="ignore", divide="ignore"):
            np.divide(totals[ratios[:, 0]], totals[ratios[:, 1]], out=replicates[:, block])
    replicates[~np.isfinite(replicates)] = np.nan
    replicates.sort(axis=1)
    return _ends(replicates)


def _sum_by_unit(
    values: NDArray[np.float64], units: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """(u,) the units that have observations, and (C, u) sums of their values on the grid."""
    order = np.argsort(units, kind="stable")
    touched, starts = np.unique(units[order], return_index=True)
    on_grid = np.rint(values[order] * GRID) / GRID
    return touched, np.ascontiguousarray(np.add.reduceat(on_grid, starts, axis=0).T)


def _ends(replicates: NDArray[np.float64]) -> NDArray[np.float64]:
    """Ends of intervals from (M, B) sorted replicates, NaN last: order statistics at equal distance from both ends."""
    n_valid = replicates.shape[1] - np.isnan(replicates).sum(axis=1)
    last = np.maximum(n_valid - 1, 0)
    cut = np.minimum((TAIL * n_valid).astype(np.int64), last)
    rows = np.arange(len(replicates))
    ends = np.stack([replicates[rows, cut], replicates[rows, last - cut]], axis=1)
    ends[replicates[:, 0] == replicates[rows, last]] = np.nan
    return ends
