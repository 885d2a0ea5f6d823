"""Metrics as weighted means of observations that lie in units: what the paired test flips."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from evaluator.metrics.registry import GROUP_METRICS
from evaluator.public.bundle import Benchmark
from evaluator.public.lookup import positions_in
from evaluator.public.manifest import Protocol
from evaluator.public.metric_names import Kind, base_of, parse_metric, part_of
from evaluator.public.requirements import requirements
from evaluator.report import Report
from evaluator.score.units import Groups, Units, groups_on, resampling_units
from evaluator.sealed.ground_truth import GroundTruth
from evaluator.sealed.slices import read_units

Ints = NDArray[np.int64]
Values = NDArray[np.float64]
_OVER_QUERIES: tuple[Kind, ...] = ("query", "micro", "rounded")
_OVER_GROUPS: tuple[Kind, ...] = ("macro", "min", "spread")


@dataclass(frozen=True)
class Observations:
    """A metric's observations in one run. N counts them.

    Attributes:
        values: (N,) float64.
        weights: (N,) float64, 1 on average; the metric is the weighted mean of the values.
        units: (N,) int, the unit of each observation.
        axis: The axis whose values are the units.
        n_units: How many units the axis has.
    """

    values: Values
    weights: Values
    units: Ints
    axis: str
    n_units: int


@dataclass(frozen=True)
class Layout:
    """How a benchmark's scored queries lie in units, groups and parts under a protocol. Q counts them.

    Attributes:
        protocol: The rules.
        units: What the bootstrap draws.
        parts: (Q,) int, the part of each query.
        averaged: (Q,) int, the value of each query among those that weigh equally; None where queries do.
        language: Queries grouped by need, None where the protocol compares no wordings.
        macro: Queries grouped for the macro metrics, None where there are none.
    """

    protocol: Protocol
    units: Units
    parts: Ints
    averaged: Ints | None
    language: Groups | None
    macro: Groups | None

    def observations(self, report: Report, metric: str) -> Observations | None:
        """The observations of a metric; None if it is no weighted mean, as a ratio of two means is not.

        A metric whose official value is rounded is taken before rounding, and queries that a server adds are left
        out: neither can turn a difference around.
        """
        kind, base = parse_metric(metric).kind, base_of(metric, self.protocol)
        if base not in report.per_query:
            return None
        rows = np.flatnonzero(self.parts == part_of(metric, self.protocol))
        if kind in _OVER_QUERIES:
            return self._of_queries(report.per_query[base], rows)
        groups = self.language if kind == "spread" else self.macro
        if kind not in _OVER_GROUPS or groups is None:
            return None
        return _of_groups(report.per_query[base], rows, metric if kind == "spread" else kind, groups)

    def _of_queries(self, values: Values, rows: Ints) -> Observations:
        weights = np.ones(len(rows))
        if self.averaged is not None:
            _, value, sizes = np.unique(self.averaged[rows], return_inverse=True, return_counts=True)
            weights = len(rows) / (len(sizes) * sizes[value].astype(np.float64))
        return Observations(values[rows], weights, self.units.of_query[rows], self.units.axis, len(self.units.counts))


def _of_groups(values: Values, rows: Ints, metric: str, groups: Groups) -> Observations:
    """One observation per group; groups of which a metric says nothing, such as a single wording, are left out."""
    of_group = GROUP_METRICS[metric](values[rows], groups.of_query[rows], groups.n_groups)
    kept = np.flatnonzero(~np.isnan(of_group))
    return Observations(
        of_group[kept], np.ones(len(kept)), groups.of_group[kept], groups.units.axis, len(groups.units.counts)
    )


def layout_of(benchmark: Benchmark, truth: GroundTruth, protocol: Protocol, query_ids: tuple[str, ...]) -> Layout:
    """Look up how the scored queries lie in units, groups and parts.

    Raises:
        BundleError: If the bundle does not have what the protocol rests on.
    """
    queries = positions_in(pa.array(query_ids, pa.string()), pa.array(benchmark.query_ids, pa.string()))
    units = resampling_units(benchmark, truth, queries)
    average_over, language, macro = protocol.average_over, protocol.language, protocol.macro
    return Layout(
        protocol=protocol,
        units=units,
        parts=requirements(benchmark, protocol).parts[queries],
        averaged=read_units(benchmark, truth, average_over).codes[queries] if average_over else None,
        language=groups_on(benchmark, truth, queries, language.axis, units) if language else None,
        macro=groups_on(benchmark, truth, queries, macro, units) if macro else None,
    )
