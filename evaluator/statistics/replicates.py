"""Bootstrap replicates: how often each unit is drawn, the same for every submission to a benchmark."""

import hashlib
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

N_REPLICATES: Final = 10_000
SEED: Final = 1
_DRAWN_AT_ONCE: Final = 2_000_000


@lru_cache(maxsize=6)
def stratified_counts(benchmark: str, axis: str, strata: tuple[int, ...]) -> NDArray[np.uint8]:
    """Draw units within strata, so that every replicate holds as many units of a stratum as there are.

    Args:
        benchmark: Name and version.
        axis: Name of the resampling unit.
        strata: (U,) number of the stratum of each unit.

    Returns:
        (U, B) uint8, read-only.

    Example:
        >>> counts = stratified_counts("example 1", "query", (0, 1, 0))
        >>> (counts[[0, 2]].sum(axis=0) == 2).all(), (counts[1] == 1).all()
        (np.True_, np.True_)
    """
    numbers = np.array(strata)
    counts = np.empty((len(strata), N_REPLICATES), np.uint8)
    for stratum in np.unique(numbers).tolist():
        units = np.flatnonzero(numbers == stratum)
        counts[units] = replicate_counts(benchmark, f"{axis} {stratum}", len(units))
    counts.flags.writeable = False
    return counts


@lru_cache(maxsize=6)
def replicate_counts(
    benchmark: str, axis: str, n_units: int, *, seed: int = SEED, n_replicates: int = N_REPLICATES
) -> NDArray[np.uint8]:
    """Draw, for each replicate, as many units as there are, with replacement.

    The draws come from raw words of PCG64, whose stream numpy guarantees, and depend on nothing but the arguments, so
    that rows scored years apart can be compared replicate by replicate. A unit drawn more than 255 times would wrap:
    with fewer than 256 units it cannot happen, with more its probability is below 1e-400.

    Args:
        benchmark: Name and version.
        axis: Name of the resampling unit.
        n_units: U, at least 1.
        seed: Of the report.
        n_replicates: B.

    Returns:
        (U, B) uint8, read-only, every column summing to U.

    Example:
        >>> replicate_counts("example 1", "query", 3, n_replicates=4).sum(axis=0)
        array([3, 3, 3, 3], dtype=uint64)
    """
    entropy = hashlib.sha256("\0".join([benchmark, axis, str(n_units), str(seed)]).encode()).digest()
    words = np.random.PCG64(int.from_bytes(entropy, "big"))
    counts = np.empty((n_units, n_replicates), np.uint8)
    step = max(1, _DRAWN_AT_ONCE // n_units)
    for start in range(0, n_replicates, step):
        width = min(step, n_replicates - start)
        high_halves = words.random_raw(width * n_units) >> np.uint64(32)
        drawn = (high_halves * np.uint64(n_units) >> np.uint64(32)).astype(np.int64)
        drawn += np.repeat(np.arange(width) * n_units, n_units)
        block = np.bincount(drawn, minlength=width * n_units).reshape(width, n_units)
        counts[:, start : start + width] = block.T
    counts.flags.writeable = False
    return counts
