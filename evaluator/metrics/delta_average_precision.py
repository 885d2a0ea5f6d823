"""What deleting the hard negatives would add to average precision."""

import numpy as np
from numpy.typing import NDArray

from evaluator.metrics.average_precision import average_precision_at_k
from evaluator.metrics.average_precision_without_negatives import average_precision_at_k_without_negatives


def delta_average_precision_at_k(
    hits: NDArray[np.bool_], negative_hits: NDArray[np.bool_], n_positives: NDArray[np.int64], k: int
) -> NDArray[np.float64]:
    """Score each query by AP@k without hard negatives minus AP@k: how much the hard negatives cost it.

    Lower is better. Negative where an image is both positive and hard negative. Both terms divide by
    min(positives, k); an empty list scores 0. Ties do not arise: the order of the list is the truth.

    Args:
        hits: (Q, D) bool, True where a rank holds a positive.
        negative_hits: (Q, D) bool, True where a rank holds a hard negative.
        n_positives: (Q,) int, every entry >= 1.
        k: Cutoff, at least 1.

    Returns:
        (Q,) float64.

    Raises:
        ValueError: If k is below 1 or a query has no positive.

    Source:
        The PinPoint reference scorer, there named delta_mAP@k_noNeg.

    Example:
        >>> hits, negatives = np.array([[0, 1, 0]], bool), np.array([[1, 0, 0]], bool)
        >>> delta_average_precision_at_k(hits, negatives, np.array([1]), k=2)
        array([0.5])
    """
    without = average_precision_at_k_without_negatives(hits, negative_hits, n_positives, k)
    return np.asarray(without - average_precision_at_k(hits, n_positives, k))
