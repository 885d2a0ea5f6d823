"""Recall at a cutoff where images are graded: the best grade found."""

import numpy as np
from numpy.typing import NDArray


def graded_recall_at_k(grades: NDArray[np.float64], k: int) -> NDArray[np.float64]:
    """Score each query by the largest grade in the first k ranks, or 0 if none is above 0.

    An image without a grade has grade 0. An empty list scores 0. Ties do not arise: the order of the list is the truth.

    Args:
        grades: (Q, D) float64, the grade of the image at each rank, 0 beyond the list.
        k: Cutoff, at least 1.

    Returns:
        (Q,) float64, from 0 to the largest grade.

    Raises:
        ValueError: If k is below 1.

    Source:
        CIRR's soft labels as the CIRPLANT reference code scores them.

    Example:
        >>> graded_recall_at_k(np.array([[-1.0, 0.5, 1.0], [-1.0, 0.0, 0.0]]), k=2)
        array([0.5, 0. ])
    """
    if k < 1:
        raise ValueError(f"the cutoff must be at least 1, not {k}")
    return np.asarray(grades[:, :k].max(axis=1, initial=0.0), np.float64)
