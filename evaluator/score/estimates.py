"""Every metric of a protocol over any set of queries: which are means over queries, over groups, or over parts."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow.compute as pc
from numpy.typing import NDArray

from evaluator.metrics.registry import compute
from evaluator.public.bundle import Benchmark
from evaluator.public.manifest import Protocol
from evaluator.public.metric_names import Kind, base_of, parse_metric, part_of
from evaluator.score import aggregation
from evaluator.score.aggregation import Found, Sample
from evaluator.score.units import Groups, Units, groups_on, resampling_units
from evaluator.sealed.ground_truth import GroundTruth
from evaluator.sealed.judged import Judged
from evaluator.sealed.slices import read_units

Ints = NDArray[np.int64]
Values = NDArray[np.float64]
_MEANS: tuple[Kind, ...] = ("query", "micro", "relative_delta", "rounded")


@dataclass(frozen=True)
class Estimator:
    """Everything that estimates over any set of queries need. Q counts the queries that are scored.

    Attributes:
        protocol: The rules.
        names: The metrics to give, in the protocol's order, those left out that short lists cannot give.
        per_query: Metric -> (Q,) float64.
        units: What the bootstrap draws.
        language: Queries grouped by need, None where no metric compares wordings.
        macro: Queries grouped for the macro metrics, None where there are none.
        average_over: (Q,) int, the value of each query among those that weigh equally; None where queries do.
        part: (Q,) int, the part of each query.
        is_multi: (Q,) bool, whether a query has several reference images.
    """

    protocol: Protocol
    names: tuple[str, ...]
    per_query: dict[str, Values]
    units: Units
    language: Groups | None
    macro: Groups | None
    average_over: Ints | None
    part: Ints
    is_multi: NDArray[np.bool_]

    def over(self, rows: Ints) -> dict[str, tuple[Found, int]]:
        """Metric -> the estimates that hold it, and its place there; over the queries at these positions."""
        found: dict[str, tuple[Found, int]] = {}
        for part in range(max(1, len(self.protocol.parts))):
            names = [name for name in self.names if part_of(name, self.protocol) == part]
            for estimates in self._groups(names, rows[self.part[rows] == part]):
                found |= {name: (estimates, place) for place, name in enumerate(estimates.names)}
        return found

    def _groups(self, names: list[str], rows: Ints) -> Iterator[Found]:
        """Estimates of metrics that rest on the same lists, kind by kind."""
        of_kind: dict[Kind, list[str]] = {}
        for name in names:
            of_kind.setdefault(parse_metric(name).kind, []).append(name)
        if means := [
            name for name in names if parse_metric(name).kind in _MEANS and name not in of_kind.get("rounded", [])
        ]:
            yield self._means(means, rows)
        if "rounded" in of_kind:
            yield aggregation.rounded(self._by_part(of_kind["rounded"], rows))
        if spreads := [*of_kind.get("spread", []), *of_kind.get("relative_spread", [])]:
            yield self._over_groups(spreads, rows, self.language)
        for base in dict.fromkeys(
            parse_metric(name).base for name in names if parse_metric(name).kind in {"macro", "min"}
        ):
            chosen = [n for n in names if parse_metric(n).kind in {"macro", "min"} and parse_metric(n).base == base]
            yield self._over_groups(chosen, rows, self.macro)
        if ratios := of_kind.get("multi_image"):
            yield self._multi_image(ratios, rows)

    def _means(self, names: list[str], rows: Ints) -> Found:
        if self.average_over is None:
            return aggregation.found_in(aggregation.part_of(self._sample(names, rows), rows))
        return aggregation.mean_of(self._by_part(names, rows))

    def _by_part(self, names: list[str], rows: Ints) -> list[Found]:
        """Means over the queries of each value of the axis whose values weigh equally."""
        assert self.average_over is not None, "check_metrics has asked for it"
        sample, values = self._sample(names, rows), self.average_over[rows]
        each = [rows[values == value] for value in np.unique(values)] or [rows]
        return [aggregation.found_in(aggregation.part_of(sample, chosen)) for chosen in each]

    def _sample(self, names: list[str], rows: Ints) -> Sample:
        """The queries that nothing answers belong to no slice, only to all queries of a part together."""
        is_whole = len(rows) == np.count_nonzero(self.part == part_of(names[0], self.protocol))
        return aggregation.query_sample(
            self.per_query, names, self.units, self.protocol.extra_queries if is_whole else 0
        )

    def _over_groups(self, names: list[str], rows: Ints, groups: Groups | None) -> Found:
        assert groups is not None, "check_metrics has asked for them"
        base = base_of(names[0], self.protocol)
        return aggregation.found_in(aggregation.group_sample(self.per_query[base], rows, names, groups))

    def _multi_image(self, names: list[str], rows: Ints) -> Found:
        bases = [parse_metric(name).base for name in names]
        multi, single = self._means(bases, rows[self.is_multi[rows]]), self._means(bases, rows[~self.is_multi[rows]])
        return aggregation.quotient(multi, single, names)

    def groups_of(self, name: str) -> Groups | None:
        """The groups over which a metric is taken, None where it is taken over queries."""
        kind = parse_metric(name).kind
        return (
            self.language if kind in {"spread", "relative_spread"} else self.macro if kind in {"macro", "min"} else None
        )


def estimator(
    benchmark: Benchmark, truth: GroundTruth, judged: Judged, protocol: Protocol, withheld: frozenset[str], part: Ints
) -> Estimator:
    """Compute the values per query and look up what is drawn and grouped.

    Args:
        withheld: Metrics that are not given.
        part: (Q,) part of each query that counts.

    Raises:
        BundleError: If an axis that the protocol names has not exactly one value per query.
    """
    names = tuple(name for name in protocol.metrics if name not in withheld)
    units = resampling_units(benchmark, truth, judged.queries)
    kinds = {parse_metric(name).kind for name in names}
    language = protocol.language if kinds & {"spread", "relative_spread"} else None
    macro = protocol.macro if kinds & {"macro", "min"} else None
    averaged = protocol.average_over
    references = benchmark.query_table.column("reference_images")
    return Estimator(
        protocol=protocol,
        names=names,
        per_query=_values(judged, protocol, names),
        units=units,
        language=groups_on(benchmark, truth, judged.queries, language.axis, units) if language else None,
        macro=groups_on(benchmark, truth, judged.queries, macro, units) if macro else None,
        average_over=read_units(benchmark, truth, averaged).codes[judged.queries] if averaged else None,
        part=part,
        is_multi=pc.list_value_length(references).to_numpy()[judged.queries] > 1,
    )


def _values(judged: Judged, protocol: Protocol, names: tuple[str, ...]) -> dict[str, Values]:
    """Every metric with a value per query that the named ones are or rest on, in their order."""
    wanted = [name for name in names if parse_metric(name).kind == "query"]
    for name in names:
        base = base_of(name, protocol)
        wanted += [base, base.removeprefix("delta_")] if parse_metric(name).kind == "relative_delta" else [base]
    return {name: compute(name, judged) for name in dict.fromkeys(wanted)}
