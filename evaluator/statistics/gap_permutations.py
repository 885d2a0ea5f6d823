"""How large a gap between groups chance makes: labels permuted over whole units, within cells of strata."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evaluator.statistics.intervals import GRID
from evaluator.statistics.replicates import SEED

N_PERMUTATIONS: Final = 10_000
_BLOCK: Final = 512
_CELL_SHIFT: Final = np.uint64(40)
_WORD_SHIFT: Final = np.uint64(24)

Ints = NDArray[np.int64]
Values = NDArray[np.float64]


@dataclass(frozen=True)
class Pieces:
    """Sums over the queries of a unit that lie in one group and one cell, sorted by cell. P counts them.

    Attributes:
        sums: (P,) float64 on a grid of 2**-30, so that they are added exactly in any order.
        sizes: (P,) float64, number of queries.
        cells: (P,) int, not decreasing.
        groups: (P,) int in 0..n_groups - 1, the true labels.
        n_groups: Number of groups.
    """

    sums: Values
    sizes: Values
    cells: Ints
    groups: Ints
    n_groups: int

    @classmethod
    def of(cls, values: Values, place: Ints, *, cells: Ints, groups: Ints, n_groups: int) -> "Pieces":
        """Sum values per query over pieces.

        Args:
            values: (Q,) float64.
            place: (Q,) int, the piece of each query.
            cells: (P,) int, the cell of each piece, not decreasing.
            groups: (P,) int, the label of each piece.
            n_groups: Number of groups.
        """
        on_grid = np.rint(values * GRID) / GRID
        sums, sizes = np.zeros(len(cells)), np.zeros(len(cells))
        np.add.at(sums, place, on_grid)
        np.add.at(sizes, place, 1.0)
        return cls(sums, sizes, cells, groups, n_groups)

    def only(self, chosen: NDArray[np.bool_]) -> "Pieces":
        """Some of the pieces."""
        return Pieces(self.sums[chosen], self.sizes[chosen], self.cells[chosen], self.groups[chosen], self.n_groups)

    def in_cells(self, cells: Ints) -> "Pieces":
        """The same pieces in other cells, which must not decrease."""
        return Pieces(self.sums, self.sizes, cells, self.groups, self.n_groups)

    def means(self, labels: Ints) -> Values:
        """Means of the groups, each given the pooled mix of cells.

        Args:
            labels: (b, P) int, labellings in which every group has a piece in every cell.

        Returns:
            (n_groups, b) float64.

        Example:
            >>> pieces = Pieces(np.array([1.0, 0.5]), np.array([1.0, 2.0]), np.zeros(2, int), np.array([0, 1]), 2)
            >>> pieces.means(np.array([[0, 1], [1, 0]])).tolist()
            [[1.0, 0.25], [0.25, 1.0]]
        """
        starts = np.flatnonzero(np.diff(self.cells, prepend=-1))
        of_cell = np.add.reduceat(self.sizes, starts)
        shares = of_cell / of_cell.sum()
        means = np.empty((self.n_groups, len(labels)))
        for group in range(self.n_groups):
            is_member = labels == group
            sums = np.add.reduceat(is_member * self.sums, starts, axis=1)
            sizes = np.add.reduceat(is_member * self.sizes, starts, axis=1)
            means[group] = (sums / sizes * shares).sum(axis=1)
        return means


def gap_p_value(pieces: Pieces, benchmark: str, purpose: str, n_permutations: int = N_PERMUTATIONS) -> float:
    """p-value of the largest difference between group means, if labels meant nothing.

    Labels are permuted within cells. Draws are raw words of PCG64, which depend on benchmark, purpose and number of
    pieces alone. Two gaps that differ by less than 2**-30 count as equal, for a mean is rounded.

    Args:
        pieces: What is compared; at least two groups.
        benchmark: Name and version.
        purpose: Which gap it is.
        n_permutations: B.

    Returns:
        (c + 1) / (B + 1), where c counts the permutations whose gap is at least the observed one.

    Example:
        >>> sums = np.array([1.0, 1.0, 1.0, 0.0, 0.0, 0.0])
        >>> pieces = Pieces(sums, np.ones(6), np.zeros(6, int), np.array([0, 0, 0, 1, 1, 1]), 2)
        >>> round(gap_p_value(pieces, "example 1", "gap"), 1)
        0.1
    """
    observed = np.ptp(pieces.means(pieces.groups[None]), axis=0)[0]
    n_as_large = sum(
        int((np.ptp(pieces.means(labels), axis=0) >= observed - 1 / GRID).sum())
        for labels in _permuted(pieces, benchmark, purpose, n_permutations)
    )
    return (n_as_large + 1) / (n_permutations + 1)


def _permuted(pieces: Pieces, benchmark: str, purpose: str, n_permutations: int) -> Iterator[Ints]:
    """Blocks of (b, P) labellings."""
    n_pieces = len(pieces.cells)
    text = "\0".join([purpose, benchmark, str(n_pieces), str(SEED)])
    words = np.random.PCG64(int.from_bytes(hashlib.sha256(text.encode()).digest(), "big"))
    cells = np.unique(pieces.cells, return_inverse=True)[1].astype(np.uint64) << _CELL_SHIFT
    for start in range(0, n_permutations, _BLOCK):
        n_drawn = min(_BLOCK, n_permutations - start)
        drawn = words.random_raw(n_drawn * n_pieces).reshape(n_drawn, n_pieces) >> _WORD_SHIFT
        # The cell stands above the random bits, so that sorting shuffles pieces within their cells only.
        yield pieces.groups[np.argsort(cells | drawn, axis=1, kind="stable")]
