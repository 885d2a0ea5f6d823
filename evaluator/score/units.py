"""What the bootstrap draws for each metric: the benchmark's units, or groups where these do not lie within units."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluator.public.bundle import Benchmark, BundleError
from evaluator.sealed.ground_truth import GroundTruth
from evaluator.sealed.slices import read_units
from evaluator.statistics.replicates import replicate_counts, stratified_counts

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Units:
    """What the bootstrap draws.

    Attributes:
        axis: The axis whose values are the units.
        of_query: (Q,) int, the unit of each query that counts.
        counts: (U, B) uint8, how often each replicate draws each unit.
    """

    axis: str
    of_query: Ints
    counts: NDArray[np.uint8]


@dataclass(frozen=True)
class Groups:
    """Queries in groups, and the unit of each group.

    Attributes:
        of_query: (Q,) int, the group of each query that counts.
        n_groups: Number of groups.
        units: What is drawn; ``units.of_query`` belongs to the queries.
        of_group: (n_groups,) int, the unit of each group.
    """

    of_query: Ints
    n_groups: int
    units: Units
    of_group: Ints


def resampling_units(benchmark: Benchmark, truth: GroundTruth, queries: Ints) -> Units:
    """The benchmark's resampling units for the given queries.

    Raises:
        BundleError: If the axis of the units, or that of their strata, has not exactly one value per query.
    """
    rule = benchmark.manifest.resampling
    every = read_units(benchmark, truth, rule.axis)
    name = _name(benchmark)
    if rule.strata is None:
        return Units(rule.axis, every.codes[queries], replicate_counts(name, rule.axis, len(every.values)))
    strata = _value_of_group(every.codes, read_units(benchmark, truth, rule.strata).codes, len(every.values))
    if strata is None:
        raise BundleError(f"a unit of the axis {rule.axis!r} lies in several strata {rule.strata!r}; import it again")
    return Units(rule.axis, every.codes[queries], stratified_counts(name, rule.axis, tuple(strata.tolist())))


def groups_on(benchmark: Benchmark, truth: GroundTruth, queries: Ints, axis: str, units: Units) -> Groups:
    """Queries grouped by an axis. Whole units are drawn where each group lies in one; else the groups themselves.

    Raises:
        BundleError: If the axis has not exactly one value per query.
    """
    every = read_units(benchmark, truth, axis)
    n_groups = len(every.values)
    all_units = read_units(benchmark, truth, units.axis)
    of_group = _value_of_group(every.codes, all_units.codes, n_groups)
    if of_group is None:
        units = Units(axis, every.codes[queries], replicate_counts(_name(benchmark), axis, n_groups))
        of_group = np.arange(n_groups)
    return Groups(every.codes[queries], n_groups, units, of_group)


def _name(benchmark: Benchmark) -> str:
    return f"{benchmark.manifest.name} {benchmark.manifest.version}"


def _value_of_group(groups: Ints, values: Ints, n_groups: int) -> Ints | None:
    """(n_groups,) the value that all members of a group share, or None if the members of some group differ."""
    of_group = np.zeros(n_groups, np.int64)
    of_group[groups] = values
    return of_group if np.array_equal(of_group[groups], values) else None
