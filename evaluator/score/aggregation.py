"""Values per query to estimates over all queries or a slice of them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluator.metrics.registry import GROUP_METRICS, QUERY_METRICS, RATIO_METRICS, JudgedLists, split_name
from evaluator.public.manifest import LanguageRule
from evaluator.report import Estimate
from evaluator.statistics.intervals import percentile_intervals


@dataclass(frozen=True)
class Units:
    """What the bootstrap draws.

    Attributes:
        of_query: (Q,) int, the unit of each query that counts.
        counts: (U, B) uint8, how often each replicate draws each unit.
    """

    of_query: NDArray[np.int64]
    counts: NDArray[np.uint8]


@dataclass(frozen=True)
class Wordings:
    """How the paraphrase metrics group the queries: the groups are the units of their intervals."""

    rule: LanguageRule
    groups: Units


@dataclass(frozen=True)
class Sample:
    """Observations that are averaged.

    Attributes:
        names: (M,) metrics.
        values: (N, C) float64 summands; column 0 is ones.
        ratios: (M, 2) int, columns of each metric's numerator and denominator.
        empty: (M,) float64, a metric's value where its denominator is zero; NaN for none.
        units: (N,) int.
        counts: (U, B) uint8.
    """

    names: tuple[str, ...]
    values: NDArray[np.float64]
    ratios: NDArray[np.int64]
    empty: NDArray[np.float64]
    units: NDArray[np.int64]
    counts: NDArray[np.uint8]


def values_per_query(lists: JudgedLists, names: Sequence[str]) -> dict[str, NDArray[np.float64]]:
    """Compute every metric that the named ones need and that has a value per query.

    Args:
        lists: Hits and numbers of judged images.
        names: Metrics of any kind.

    Returns:
        Metric name -> (Q,) float64, in the order of the names, what ratios rest on last.

    Raises:
        MetricNameError: If a name is unknown.
    """
    wanted = [name for name in names if split_name(name)[0] in QUERY_METRICS]
    for name in names:
        family, k = split_name(name)
        if family in RATIO_METRICS:
            parts = RATIO_METRICS[family]
            wanted += [parts.numerator.format(k=k), parts.denominator.format(k=k)]
    values = {}
    for name in dict.fromkeys(wanted):
        family, k = split_name(name)
        if k is not None:
            values[name] = QUERY_METRICS[family].compute(lists, k)
    return values


def query_sample(per_query: dict[str, NDArray[np.float64]], names: Sequence[str], units: Units) -> Sample:
    """Means and ratios of means of the named metrics over all queries.

    Args:
        per_query: What `values_per_query` computed for these names.
        names: Query and ratio metrics.
        units: Unit of every query.
    """
    columns = {name: position for position, name in enumerate(per_query, start=1)}
    ratios, empty = [], []
    for name in names:
        family, k = split_name(name)
        if family in RATIO_METRICS:
            parts = RATIO_METRICS[family]
            ratios.append((columns[parts.numerator.format(k=k)], columns[parts.denominator.format(k=k)]))
            empty.append(parts.empty)
        else:
            ratios.append((columns[name], 0))
            empty.append(np.nan)
    ones = np.ones(len(units.of_query))
    return Sample(
        names=tuple(names),
        values=np.stack([ones, *per_query.values()], axis=1),
        ratios=np.array(ratios, np.int64).reshape(-1, 2),
        empty=np.array(empty, np.float64),
        units=units.of_query,
        counts=units.counts,
    )


def part_of(sample: Sample, rows: NDArray[np.int64]) -> Sample:
    """The sample of some queries only."""
    return Sample(sample.names, sample.values[rows], sample.ratios, sample.empty, sample.units[rows], sample.counts)


def group_sample(values: NDArray[np.float64], rows: NDArray[np.int64], names: Sequence[str], groups: Units) -> Sample:
    """Means of the named paraphrase metrics over groups, of which only the queries in ``rows`` are looked at.

    Args:
        values: (Q,) float64, the values whose spread is taken.
        rows: (R,) int positions of queries.
        names: Group metrics.
        groups: Group of every query.
    """
    n_groups = len(groups.counts)
    spreads = [GROUP_METRICS[name](values[rows], groups.of_query[rows], n_groups) for name in names]
    table = np.stack([np.ones(n_groups), *spreads], axis=1)
    compared = np.flatnonzero(~np.isnan(table).any(axis=1))
    return Sample(
        names=tuple(names),
        values=table[compared],
        ratios=np.array([(column, 0) for column in range(1, len(names) + 1)], np.int64).reshape(-1, 2),
        empty=np.full(len(names), np.nan),
        units=compared,
        counts=groups.counts,
    )


def estimate(sample: Sample) -> dict[str, Estimate]:
    """Aggregate a sample and give each metric its interval.

    Returns:
        Metric name -> estimate, all None without observations.
    """
    n = len(sample.values)
    if n == 0:
        return dict.fromkeys(sample.names, Estimate(None, None, None, 0))
    totals = sample.values.sum(axis=0)
    numerators, denominators = totals[sample.ratios[:, 0]], totals[sample.ratios[:, 1]]
    values = np.divide(numerators, denominators, out=sample.empty.copy(), where=denominators != 0)
    ends = percentile_intervals(sample.values, sample.units, sample.ratios, sample.counts)
    return {
        name: Estimate(_or_none(value), _or_none(low), _or_none(high), n)
        for name, value, (low, high) in zip(sample.names, values, ends, strict=True)
    }


def _or_none(value: np.float64) -> float | None:
    return None if np.isnan(value) else float(value)
