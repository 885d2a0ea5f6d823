"""Paired sign-flip test: could the difference between two runs be chance?

If two methods were equally good, the difference of each unit would be as likely to have come out with the other sign.
The test flips the signs of whole units, never of single queries, for queries of a unit go together.
"""

import hashlib
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evaluator.statistics.intervals import GRID
from evaluator.statistics.replicates import SEED

N_FLIPS: Final = 10_000
_WORD_BITS: Final = 64
_BLOCK: Final = 1024


def sums_by_unit(
    differences: NDArray[np.float64],
    units: NDArray[np.int64],
    n_units: int,
    weights: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    """Sum the weighted differences of each unit, on a grid of 2**-30 so that whatever is added later is exact.

    The sum over units is proportional to the difference of the two means. So units of different size weigh as they do
    in the means, and the divisor, which no flip changes, is not needed.

    Args:
        differences: (N, M) float64, one row per observation, one column per test; finite.
        units: (N,) int in 0..U - 1, the unit of each observation.
        n_units: U.
        weights: (N,) float64, the weight of each observation in the mean; None where all weigh the same. Only their
            ratios matter; near 1 on average they lose least to the grid.

    Returns:
        (U, M) float64.

    Example:
        >>> sums_by_unit(np.array([[0.5], [0.25], [-1.0]]), np.array([0, 0, 1]), 2)
        array([[ 0.75],
               [-1.  ]])
    """
    weighted = differences if weights is None else differences * weights[:, None]
    on_grid = np.rint(weighted * GRID) / GRID
    sums = np.zeros((n_units, differences.shape[1]))
    np.add.at(sums, units, on_grid)
    return sums


@lru_cache(maxsize=6)
def flip_words(
    benchmark: str, axis: str, n_units: int, *, seed: int = SEED, n_flips: int = N_FLIPS
) -> NDArray[np.uint64]:
    """Draw the signs: one bit per unit and flip, raw words of PCG64, whose stream numpy guarantees.

    They depend on nothing but the arguments, so that all pairs of runs of a benchmark are flipped alike.

    Args:
        benchmark: Name and version.
        axis: Name of the unit.
        n_units: U, at least 1.
        seed: Of the report.
        n_flips: B.

    Returns:
        (U, ceil(B / 64)) uint64, read-only. Bit b % 64 of word b // 64 is 1 where flip b turns the unit's sign.

    Example:
        >>> flip_words("example 1", "query", 3, n_flips=100).shape
        (3, 2)
    """
    entropy = hashlib.sha256("\0".join(["sign-flip", benchmark, axis, str(n_units), str(seed)]).encode()).digest()
    n_words = -(-n_flips // _WORD_BITS)
    words = np.random.PCG64(int.from_bytes(entropy, "big")).random_raw(n_units * n_words).reshape(n_units, n_words)
    words.flags.writeable = False
    return words


def sign_flip_p_values(
    sums: NDArray[np.float64], words: NDArray[np.uint64], n_flips: int = N_FLIPS
) -> NDArray[np.float64]:
    """Two-sided p-values of paired sign-flip tests.

    The statistic is ``|sum over units|``. With B random flips, of which c give a statistic at least as large as the
    observed one, p = (c + 1) / (B + 1). Where all 2**U assignments of signs number at most B, all are looked at and
    p is the share that reaches the observed statistic, itself among them; U counts the units whose difference is not
    zero, for the others change nothing. Two runs that agree everywhere have p = 1. Sums on the grid are added exactly
    and compared without a tolerance, so that the number of threads changes no bit.

    Args:
        sums: (U, M) float64 from `sums_by_unit`; absolute values of a column add up to less than 2**23.
        words: (U, ceil(B / 64)) uint64 from `flip_words`.
        n_flips: B.

    Returns:
        (M,) float64 in (0, 1].

    Source:
        Phipson and Smyth 2010, "Permutation p-values should never be zero"; for retrieval: Smucker, Allan and
        Carterette 2007, "A comparison of statistical significance tests for information retrieval evaluation".

    Example:
        >>> sums = np.array([[1.0], [2.0], [3.0]])
        >>> sign_flip_p_values(sums, flip_words("example 1", "query", 3)).tolist()
        [0.25]
    """
    p_values = np.empty(sums.shape[1])
    n_moving = np.count_nonzero(sums, axis=0)
    is_small = n_moving < _WORD_BITS - 1
    is_exact = is_small & (2.0 ** np.minimum(n_moving, _WORD_BITS) <= n_flips)
    for column in np.flatnonzero(is_exact).tolist():
        p_values[column] = _exact_p(sums[sums[:, column] != 0, column])
    sampled = np.flatnonzero(~is_exact)
    if len(sampled):
        p_values[sampled] = (_count_as_extreme(sums[:, sampled], words, n_flips) + 1) / (n_flips + 1)
    return p_values


def _exact_p(sums: NDArray[np.float64]) -> float:
    """The share of all assignments of signs that reach the observed statistic."""
    assignments = np.arange(2 ** len(sums))
    totals = np.zeros(len(assignments))
    for unit, value in enumerate(sums.tolist()):
        totals += np.where(assignments >> unit & 1, -value, value)
    return float(np.mean(np.abs(totals) >= abs(totals[0])))


def _count_as_extreme(sums: NDArray[np.float64], words: NDArray[np.uint64], n_flips: int) -> NDArray[np.int64]:
    observed = np.abs(sums.sum(axis=0))
    count = np.zeros(sums.shape[1], np.int64)
    for start in range(0, n_flips, _BLOCK):
        bits = _bits(words, start, min(start + _BLOCK, n_flips))
        count += (np.abs(sums.sum(axis=0) - 2 * (bits.T @ sums)) >= observed).sum(axis=0)
    return count


def _bits(words: NDArray[np.uint64], start: int, stop: int) -> NDArray[np.float64]:
    """(U, stop - start) 1.0 where a flip turns a unit's sign; ``start`` is a multiple of the word's length."""
    block = np.ascontiguousarray(words[:, start // _WORD_BITS : -(-stop // _WORD_BITS)]).astype("<u8")
    bits = np.unpackbits(block.view(np.uint8), axis=1, bitorder="little")
    return bits[:, : stop - start].astype(np.float64)
