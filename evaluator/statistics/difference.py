"""The difference of two runs in shared replicates, with its interval."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluator.statistics.intervals import GRID, percentile_ends


@dataclass(frozen=True, slots=True)
class Interval:
    """A value and its 95 % interval.

    Attributes:
        value: As computed on all units.
        low: Lower end, None where the replicates say nothing about the spread.
        high: Upper end.
    """

    value: float
    low: float | None
    high: float | None


def difference(
    value: float,
    other: float,
    replicates: NDArray[np.float64],
    others: NDArray[np.float64],
) -> Interval:
    """Subtract one run's estimate from another's.

    Replicate b of both runs draws the same units, so what makes these units hard for both cancels and the interval is
    narrower than those of the two runs suggest. That is why two intervals that overlap are no test. Works for every
    estimate that has replicates, ratios and spreads included.

    Args:
        value: Of the first run.
        other: Of the second run.
        replicates: (B,) float64 of the first run, NaN where one says nothing.
        others: (B,) float64 of the second run, of the same draws.

    Returns:
        ``value - other`` with a percentile interval; the ends are None where the two differ alike in all replicates.

    Example:
        >>> difference(0.5, 0.25, np.array([0.5, 0.75, 0.25]), np.array([0.25, 0.25, 0.25]))
        Interval(value=0.25, low=0.0, high=0.5)
    """
    return interval_of(value - other, replicates - others)


def interval_of(value: float, replicates: NDArray[np.float64]) -> Interval:
    """A value with the 95 % percentile interval of its replicates.

    Args:
        value: The estimate.
        replicates: (B,) float64, NaN where one says nothing. They are laid on a grid of 2**-30 first, so that the
            rounding of a subtraction is not taken for a spread.

    Example:
        >>> interval_of(0.5, np.array([0.5, 0.5]))
        Interval(value=0.5, low=None, high=None)
    """
    low, high = percentile_ends(np.rint(replicates[None] * GRID) / GRID)[0].tolist()
    if np.isnan(low):
        return Interval(float(value), None, None)
    return Interval(float(value), low, high)
