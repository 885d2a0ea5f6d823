"""How far groups lie apart on the primary metric, as the manifest's fairness rule asks."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaluator.public.bundle import Benchmark
from evaluator.public.metric_names import base_of
from evaluator.score.estimates import Estimator
from evaluator.sealed.ground_truth import GroundTruth
from evaluator.sealed.slices import Axis, read_axis
from evaluator.statistics.fairness import fairness

Ints = NDArray[np.int64]


def group_gaps(benchmark: Benchmark, truth: GroundTruth, queries: Ints, source: Estimator) -> dict[str, Any] | None:
    """Compare the groups of the manifest's fairness rule.

    Args:
        queries: (Q,) positions of the queries that are scored.
        source: Their values and units.

    Returns:
        The axis, the metric, and `FairnessResult.to_json`; None where there is no rule, or the primary metric cannot
        be given.

    Raises:
        BundleError: If the bundle has no axis that the rule names.
    """
    rule, primary = benchmark.manifest.fairness, source.protocol.primary
    if rule is None or primary not in source.names:
        return None
    metric = base_of(primary, source.protocol)
    groups = read_axis(benchmark, truth, rule.axis)
    result = fairness(
        source.per_query[metric],
        _value_of(groups, queries),
        source.units.of_query,
        _cells(benchmark, truth, queries, rule.standardise_by),
        names=groups.values,
        counts=source.units.counts,
        benchmark=f"{benchmark.manifest.name} {benchmark.manifest.version}",
        unknown=rule.unknown,
        fewest_units=rule.fewest_units,
    )
    return {"axis": rule.axis, "metric": metric, "standardised_by": list(rule.standardise_by), **result.to_json()}


def _value_of(axis: Axis, queries: Ints) -> Ints:
    """(Q,) each query's value on an axis, -1 for none; the first of several."""
    first = np.full(int(max(axis.queries.max(initial=-1), queries.max(initial=-1))) + 1, -1, np.int64)
    first[axis.queries[::-1]] = axis.codes[::-1]
    return first[queries]


def _cells(benchmark: Benchmark, truth: GroundTruth, queries: Ints, axes: tuple[str, ...]) -> Ints | None:
    """(Q,) a number for each combination of values on some axes; None without axes."""
    if not axes:
        return None
    cells = np.zeros(len(queries), np.int64)
    for name in axes:
        axis = read_axis(benchmark, truth, name)
        cells = cells * (len(axis.values) + 1) + _value_of(axis, queries) + 1
    return cells
