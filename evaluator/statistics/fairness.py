"""Fairness: scores of groups, the largest gap between them, and the gap that remains when like is compared with like."""

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaluator.statistics.gap_permutations import Pieces, gap_p_value
from evaluator.statistics.intervals import percentile_ends, ratio_replicates

Ints = NDArray[np.int64]
Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class GroupScore:
    """One group's row.

    Attributes:
        group: Its name.
        value: Mean over its queries, None where it has none.
        low: Lower end of the 95 % interval, None where there is none.
        high: Upper end.
        standardised: Mean after reweighting to the pooled mix of strata; None where the group is not compared.
        n: Number of queries.
        n_units: Number of resampling units that these lie in.
        is_unknown: Whether the value says that the group is not known: a row of its own, in no gap.
        is_too_small: Whether it has fewer units than declared: shown, in no gap.
    """

    group: str
    value: float | None
    low: float | None
    high: float | None
    standardised: float | None
    n: int
    n_units: int
    is_unknown: bool
    is_too_small: bool

    @property
    def is_compared(self) -> bool:
        """Whether the group takes part in gaps."""
        return not (self.is_unknown or self.is_too_small)


@dataclass(frozen=True, slots=True)
class Gap:
    """The largest difference between two groups.

    Attributes:
        value: Highest less lowest score. Biased upwards: it is above zero even where all groups are equal.
        highest: The group with the highest score.
        lowest: The group with the lowest score.
        p: Share of permuted labellings with a gap at least as large.
    """

    value: float
    highest: str
    lowest: str
    p: float


@dataclass(frozen=True, slots=True)
class FairnessResult:
    """What is known of the differences between groups.

    Attributes:
        groups: In the order given.
        gap: Between the means; None with fewer than two groups to compare.
        standardised_gap: Between the standardised means; None also without strata, or where no cell of strata holds
            every group.
        covered: Share of the compared groups' queries that lie in cells with every group, on which alone the
            standardised means rest; None without strata.
        fewest_units: Groups with fewer units are too small.
    """

    groups: tuple[GroupScore, ...]
    gap: Gap | None
    standardised_gap: Gap | None
    covered: float | None
    fewest_units: int

    def to_json(self) -> dict[str, Any]:
        """The result as JSON values at full precision."""
        return asdict(self)


def fairness(
    values: Values,
    groups: Ints,
    units: Ints,
    strata: Ints | None,
    *,
    names: Sequence[str],
    counts: NDArray[np.uint8],
    benchmark: str,
    unknown: Collection[str] = (),
    fewest_units: int = 20,
) -> FairnessResult:
    """Compare a metric between groups of queries.

    **Gap.** The largest less the smallest mean of the compared groups. A maximum of noisy numbers, it is above zero
    even if the groups are equal; so it comes with a p-value: labels are permuted over whole units, 10,000 times, and
    p = (c + 1) / (B + 1), where c counts the permutations with a gap at least as large.

    **Standardised gap.** Groups differ in what is asked of them. By direct standardisation each group's mean becomes
    sum over cells s of w_s * mean_gs, where w_s is the share of cell s among all queries of the compared groups: every
    group is given the pooled mix. A cell in which some compared group has no query gives no mean for it and is left
    out for all groups; w is taken over the rest, and ``covered`` says how much that is. For the p-value labels are
    permuted within cells, so that every permutation has the same mix.

    A unit whose queries lie in several groups or cells counts as a unit of each, and is permuted in as many pieces.

    Args:
        values: (Q,) float64, the metric of each query.
        groups: (Q,) int, position of each query's group in ``names``; -1 for a query without one, which is left out.
        units: (Q,) int, the resampling unit of each query.
        strata: (Q,) int, the cell of each query (such as interest x number of reference images); None for no
            standardisation.
        names: Names of the groups.
        counts: (U, B) uint8, how often each bootstrap replicate draws each unit.
        benchmark: Name and version, from which the permutations are drawn.
        unknown: Names that say that the group is not known.
        fewest_units: Groups with fewer units are too small to compare.

    Returns:
        Scores and gaps.

    Example:
        >>> from evaluator.statistics.replicates import replicate_counts
        >>> result = fairness(
        ...     np.array([1.0, 1.0, 0.0, 0.0, 0.5]), np.array([0, 0, 1, 1, 2]), np.arange(5), None,
        ...     names=["light", "dark", "UNKNOWN"], counts=replicate_counts("example 1", "query", 5),
        ...     benchmark="example 1", unknown=["UNKNOWN"], fewest_units=2,
        ... )
        >>> result.gap.value, result.gap.highest, [group.is_compared for group in result.groups]
        (1.0, 'light', [True, True, False])
    """
    rows = [_score_of(values, np.flatnonzero(groups == g), units, counts) for g in range(len(names))]
    of_unknown = [name in unknown for name in names]
    is_small = [row.n_units < fewest_units for row in rows]
    compared = np.flatnonzero(~(np.array(of_unknown, bool) | np.array(is_small, bool)))
    chosen = [names[group] for group in compared.tolist()]
    table = _table(values, groups, units, strata, compared)
    standard, covered = _standardised(table) if strata is not None and len(compared) > 1 else (None, None)
    standard_of = {} if standard is None else dict(zip(chosen, _means(standard).tolist(), strict=True))
    return FairnessResult(
        groups=tuple(
            GroupScore(name, row.value, row.low, row.high, standard_of.get(name), row.n, row.n_units, is_un, small)
            for name, row, is_un, small in zip(names, rows, of_unknown, is_small, strict=True)
        ),
        gap=_gap(_pooled(table), chosen, benchmark, "gap"),
        standardised_gap=None if standard is None else _gap(standard, chosen, benchmark, "standardised gap"),
        covered=covered,
        fewest_units=fewest_units,
    )


@dataclass(frozen=True)
class _Score:
    value: float | None
    low: float | None
    high: float | None
    n: int
    n_units: int


def _score_of(values: Values, rows: Ints, units: Ints, counts: NDArray[np.uint8]) -> _Score:
    if len(rows) == 0:
        return _Score(None, None, None, 0, 0)
    observations = np.stack([np.ones(len(rows)), values[rows]], axis=1)
    low, high = percentile_ends(ratio_replicates(observations, units[rows], np.array([[1, 0]]), counts))[0].tolist()
    has_interval = not np.isnan(low)
    return _Score(
        float(values[rows].mean()),
        low if has_interval else None,
        high if has_interval else None,
        len(rows),
        len(np.unique(units[rows])),
    )


def _table(values: Values, groups: Ints, units: Ints, strata: Ints | None, compared: Ints) -> Pieces:
    """The compared groups' queries, summed over those of a unit that lie in one group and one cell."""
    rows = np.flatnonzero(np.isin(groups, compared))
    cells = np.zeros(len(rows), np.int64) if strata is None else strata[rows]
    keys = np.stack([cells, units[rows], np.searchsorted(compared, groups[rows])], axis=1)
    pieces, place = np.unique(keys.reshape(-1, 3), axis=0, return_inverse=True)
    return Pieces.of(values[rows], place.ravel(), cells=pieces[:, 0], groups=pieces[:, 2], n_groups=len(compared))


def _pooled(pieces: Pieces) -> Pieces:
    """The same with all cells as one. A unit that lies in several cells of one group stays in as many pieces."""
    return pieces.in_cells(np.zeros(len(pieces.cells), np.int64))


def _standardised(pieces: Pieces) -> tuple[Pieces | None, float]:
    """The pieces in cells that hold every group, and the share of queries that these are."""
    present = np.zeros((pieces.n_groups, int(pieces.cells.max()) + 1), bool)
    present[pieces.groups, pieces.cells] = True
    is_common = np.asarray(present.all(axis=0), np.bool_)[pieces.cells]
    covered = float(pieces.sizes[is_common].sum() / pieces.sizes.sum())
    return (pieces.only(is_common) if is_common.any() else None), covered


def _means(pieces: Pieces) -> Values:
    return pieces.means(pieces.groups[None])[:, 0]


def _gap(pieces: Pieces, names: Sequence[str], benchmark: str, purpose: str) -> Gap | None:
    if len(names) < 2:
        return None
    means = _means(pieces)
    highest, lowest = int(np.argmax(means)), int(np.argmin(means))
    p = gap_p_value(pieces, benchmark, purpose)
    return Gap(float(means[highest] - means[lowest]), names[highest], names[lowest], p)
