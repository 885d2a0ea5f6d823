"""Values per query to estimates over all queries or a slice of them, with their bootstrap replicates."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from evaluator.metrics.registry import GROUP_METRICS
from evaluator.public.metric_names import parse_metric
from evaluator.score.units import Groups, Units
from evaluator.statistics.intervals import ratio_replicates

Ints = NDArray[np.int64]
Values = NDArray[np.float64]
PerQuery = Mapping[str, Values]


@dataclass(frozen=True)
class Found:
    """What is known of some metrics over some queries.

    Attributes:
        names: (M,) metrics.
        values: (M,) float64, NaN where a metric cannot be given.
        replicates: (M, B) float64, NaN where a replicate says nothing.
        n: Number of values averaged.
        n_units: Number of units that these lie in.
    """

    names: tuple[str, ...]
    values: Values
    replicates: Values
    n: int
    n_units: int


@dataclass(frozen=True)
class Sample:
    """Observations whose sums are divided by sums.

    Attributes:
        names: (M,) metrics.
        values: (N, C) float64 summands; column 0 is ones.
        ratios: (M, 2) int, columns of each metric's numerator and denominator.
        empty: (M,) float64, a metric's value where its denominator is zero; NaN for none.
        of_observation: (N,) int, the unit of each observation.
        counts: (U, B) uint8, how often each replicate draws each unit.
        extra: Observations of value zero that belong to no unit.
    """

    names: tuple[str, ...]
    values: Values
    ratios: Ints
    empty: Values
    of_observation: Ints
    counts: NDArray[np.uint8]
    extra: int = 0


def query_sample(per_query: PerQuery, names: Sequence[str], units: Units, extra: int = 0) -> Sample:
    """Means over queries of metrics with a value per query, and ratios of such means.

    Args:
        per_query: Metric -> (Q,) float64, all that the named ones rest on.
        names: Metrics of the kinds "query", "micro", "rounded" (without its rounding) and "relative_delta".
        units: Unit of every query.
        extra: Queries that count although nothing answers them.
    """
    columns = {name: position for position, name in enumerate(per_query, start=1)}
    ratios, empty = [], []
    for name in names:
        metric = parse_metric(name)
        is_relative = metric.kind == "relative_delta"
        denominator = columns[metric.base.removeprefix("delta_")] if is_relative else 0
        ratios.append((columns[metric.base], denominator))
        empty.append(0.0 if is_relative else np.nan)
    ones = np.ones(len(units.of_query))
    table = np.stack([ones, *per_query.values()], axis=1)
    return Sample(tuple(names), table, _pairs(ratios), np.array(empty), units.of_query, units.counts, extra)


def part_of(sample: Sample, rows: Ints) -> Sample:
    """The sample of some observations only."""
    return replace(sample, values=sample.values[rows], of_observation=sample.of_observation[rows])


def group_sample(values: Values, rows: Ints, names: Sequence[str], groups: Groups) -> Sample:
    """Means over groups, of which only the queries in ``rows`` are looked at.

    Args:
        values: (Q,) float64, the values per query that are compared or averaged within groups.
        rows: (R,) int positions of queries.
        names: Metrics of one of the kinds "spread" and "relative_spread", or "macro" and "min".
        groups: Group of every query, and unit of every group.
    """
    within, group_of = values[rows], groups.of_query[rows]

    def column(name: str) -> Values:
        return GROUP_METRICS[name](within, group_of, groups.n_groups)

    table, ratios = [np.ones(groups.n_groups)], []
    for name in names:
        kind = parse_metric(name).kind
        if kind == "relative_spread":
            table += [column("linguistic_range"), column("macro")]
            ratios.append((len(table) - 2, len(table) - 1))
        else:
            table.append(column(name if kind == "spread" else kind))
            ratios.append((len(table) - 1, 0))
    observations = np.stack(table, axis=1)
    compared = np.flatnonzero(~np.isnan(observations).any(axis=1))
    empty = np.full(len(names), np.nan)
    of_observation = groups.of_group[compared]
    return Sample(tuple(names), observations[compared], _pairs(ratios), empty, of_observation, groups.units.counts)


def found_in(sample: Sample) -> Found:
    """Values and replicates of a sample."""
    n, n_replicates = len(sample.values), sample.counts.shape[1]
    if n == 0:
        nothing = np.full(len(sample.names), np.nan)
        return Found(sample.names, nothing, np.full((len(sample.names), n_replicates), np.nan), 0, 0)
    totals = sample.values.sum(axis=0)
    numerators, denominators = totals[sample.ratios[:, 0]], totals[sample.ratios[:, 1]] + sample.extra
    values = np.divide(numerators, denominators, out=sample.empty.copy(), where=denominators != 0)
    replicates = ratio_replicates(
        sample.values, sample.of_observation, sample.ratios, sample.counts, float(sample.extra)
    )
    n_units = int(np.count_nonzero(np.bincount(sample.of_observation)))
    return Found(sample.names, values, replicates, n + sample.extra, n_units)


def mean_of(parts: Sequence[Found]) -> Found:
    """Metrics averaged over parts of equal weight, such as categories."""
    first = parts[0]
    values = np.mean([part.values for part in parts], axis=0)
    replicates = np.mean([part.replicates for part in parts], axis=0)
    return Found(first.names, values, replicates, sum(p.n for p in parts), sum(p.n_units for p in parts))


def rounded(parts: Sequence[Found]) -> Found:
    """The same for numbers printed in per cent with two decimals, of which the mean is printed so again.

    Rounds as NumPy does, which makes 2.84 of 2.835.
    """
    each = [
        replace(part, values=np.round(100 * part.values, 2), replicates=np.round(100 * part.replicates, 2))
        for part in parts
    ]
    mean = mean_of(each)
    # Four decimals of a fraction are two of a per cent; a division alone would leave 0.028399999999999998 of 2.84.
    values, replicates = (np.round(np.round(found, 2) / 100, 4) for found in (mean.values, mean.replicates))
    return replace(mean, values=values, replicates=replicates)


def quotient(numerator: Found, denominator: Found, names: Sequence[str]) -> Found:
    """One estimate divided by another, replicate by replicate."""
    with np.errstate(invalid="ignore", divide="ignore"):
        values = numerator.values / denominator.values
        replicates = numerator.replicates / denominator.replicates
    values[~np.isfinite(values)] = np.nan
    replicates[~np.isfinite(replicates)] = np.nan
    n_units = min(numerator.n_units, denominator.n_units)
    return Found(tuple(names), values, replicates, numerator.n + denominator.n, n_units)


def _pairs(ratios: Sequence[tuple[int, int]]) -> Ints:
    return np.array(ratios, np.int64).reshape(-1, 2)
