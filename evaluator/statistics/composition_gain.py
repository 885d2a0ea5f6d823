"""Composition gain: what a method wins by using image and text together rather than the better of the two alone."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluator.statistics.difference import Interval, interval_of


@dataclass(frozen=True)
class Scored:
    """One row's score on the primary metric.

    Attributes:
        value: The score.
        replicates: (B,) float64 in the benchmark's shared draws.
    """

    value: float
    replicates: NDArray[np.float64]


def composition_gain(score: Scored, text_only: Scored | None, image_only: Scored | None) -> Interval | None:
    """Subtract the better of the text-only and the image-only row.

    gain = score - max(text, image). The maximum is taken again in each replicate, since which of the two is better is
    itself uncertain; fixed at the observed one, it would make the interval too narrow. The two rows must be of the
    same backbone and features, on the same benchmark version and protocol, which the caller has to see to. The i-CIR
    page's gain over a sweep of weights is another quantity.

    Args:
        score: The composed method.
        text_only: The row that looks at the modification alone, None where there is none.
        image_only: The row that looks at the reference image alone, None where there is none.

    Returns:
        The gain in the metric's own unit with a 95 % percentile interval; None without both rows.

    Example:
        >>> rows = [Scored(value, np.array([value, value + 0.25])) for value in (0.75, 0.25, 0.5)]
        >>> composition_gain(*rows)
        Interval(value=0.25, low=None, high=None)
        >>> composition_gain(rows[0], rows[1], None) is None
        True
    """
    if text_only is None or image_only is None:
        return None
    better = max(text_only.value, image_only.value)
    return interval_of(score.value - better, score.replicates - np.maximum(text_only.replicates, image_only.replicates))
