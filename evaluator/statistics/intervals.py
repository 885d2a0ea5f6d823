"""Percentile intervals of ratios of sums, from bootstrap replicates of whole units."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

GRID: Final = 2.0**30
"""Values are rounded to multiples of 1 / GRID, so that their float64 sums are exact in whatever order they are added."""

TAIL: Final = 0.025
_BLOCK: Final = 1024


def ratio_replicates(
    values: NDArray[np.float64],
    units: NDArray[np.int64],
    ratios: NDArray[np.int64],
    counts: NDArray[np.uint8],
    extra: float = 0.0,
) -> NDArray[np.float64]:
    """Take sums divided by sums in every replicate.

    A mean is the ratio of a column of values and a column of ones; other ratios work the same way. Since values lie on
    a grid, results are the same bit for bit whatever the number of threads.

    Args:
        values: (N, C) float64, one row per observation, one column per summand; |sums| below 2**23.
        units: (N,) int, the unit of each observation.
        ratios: (M, 2) int, columns of numerator and denominator of each ratio.
        counts: (U, B) uint8, how often each replicate draws each unit.
        extra: Observations without a unit that every replicate adds to the denominators, with zeros as values.

    Returns:
        (M, B) float64, NaN where the denominator is zero: such a replicate says nothing.

    Example:
        >>> values = np.array([[1.0, 0.25], [1.0, 0.75]])
        >>> counts = np.array([[0, 1, 2], [2, 1, 0]], np.uint8)
        >>> ratio_replicates(values, np.array([0, 1]), np.array([[1, 0]]), counts)
        array([[0.75, 0.5 , 0.25]])
    """
    touched, sums = _sum_by_unit(values, units)
    n_replicates = counts.shape[1]
    replicates = np.empty((len(ratios), n_replicates))
    for start in range(0, n_replicates, _BLOCK):
        block = slice(start, start + _BLOCK)
        totals = sums @ counts[touched, block].astype(np.float64)
        with np.errstate(invalid="ignore", divide="ignore"):
            np.divide(totals[ratios[:, 0]], totals[ratios[:, 1]] + extra, out=replicates[:, block])
    replicates[~np.isfinite(replicates)] = np.nan
    return replicates


def percentile_ends(replicates: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give 95 % intervals: order statistics at equal distance from both ends.

    Args:
        replicates: (M, B) float64, NaN where a replicate says nothing.

    Returns:
        (M, 2) float64: lower and upper end. NaN where all replicates agree, which says nothing about the spread.

    Example:
        >>> percentile_ends(np.array([[0.75, 0.5, 0.25], [0.5, 0.5, 0.5]]))
        array([[0.25, 0.75],
               [ nan,  nan]])
    """
    n_valid = replicates.shape[1] - np.isnan(replicates).sum(axis=1)
    ends = np.full((len(replicates), 2), np.nan)
    for n in np.unique(n_valid[n_valid > 0]).tolist():
        cut = min(int(TAIL * n), n - 1)
        rows = np.flatnonzero(n_valid == n)
        # NaN goes to the end, so that the first n are those that say something.
        placed = np.partition(replicates[rows], sorted({cut, n - 1 - cut}), axis=1)
        differs = np.fmin.reduce(placed, axis=1) != np.fmax.reduce(placed, axis=1)
        ends[rows[differs]] = placed[differs][:, [cut, n - 1 - cut]]
    return ends


def _sum_by_unit(
    values: NDArray[np.float64], units: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """(u,) the units that have observations, and (C, u) sums of their values on the grid."""
    order = np.argsort(units, kind="stable")
    touched, starts = np.unique(units[order], return_index=True)
    on_grid = np.rint(values[order] * GRID) / GRID
    return touched, np.ascontiguousarray(np.add.reduceat(on_grid, starts, axis=0).T)
