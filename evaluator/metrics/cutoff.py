"""The part of ranked lists that a cutoff leaves, with the checks that all metrics at a cutoff share."""

import numpy as np
from numpy.typing import NDArray


def hits_within(hits: NDArray[np.bool_], n_judged: NDArray[np.int64] | None, k: int) -> NDArray[np.bool_]:
    """Cut hits at rank k.

    Args:
        hits: (Q, D) bool.
        n_judged: (Q,) int that the metric divides by, or None where it divides by the cutoff alone.
        k: Cutoff, at least 1.

    Returns:
        (Q, min(D, k)) bool view.

    Raises:
        ValueError: If k is below 1, or an entry of ``n_judged`` is.

    Example:
        >>> hits_within(np.array([[True, False, True]]), None, k=2)
        array([[ True, False]])
    """
    if k < 1:
        raise ValueError(f"the cutoff must be at least 1, not {k}")
    if n_judged is not None and (n_judged < 1).any():
        raise ValueError(f"query at position {int(np.argmax(n_judged < 1))} has nothing to divide by")
    return hits[:, :k]
