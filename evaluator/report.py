"""The report of one evaluation: aggregates with intervals, slices, digests, warnings, and values per query."""

from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Estimate:
    """An aggregate and how sure it is.

    Attributes:
        value: In the metric's own unit, a fraction for all rates; None where the metric cannot be given.
        low: Lower end of the 95 % interval, None where there is none.
        high: Upper end.
        n: Number of values averaged (queries, or groups for the paraphrase metrics).
    """

    value: float | None
    low: float | None
    high: float | None
    n: int


@dataclass(frozen=True, slots=True)
class ReportWarning:
    """Something a reader of the numbers must know, with a stable code."""

    code: str
    message: str


@dataclass(frozen=True)
class Report:
    """What `evaluator.score.score` returns.

    Attributes:
        benchmark: Name, version and split, such as ``{"name": "circo", "version": "1", "split": "val"}``.
        protocol: Name of the protocol.
        primary: The metric that ranks under this protocol.
        rankable: Whether the row may be ranked on its primary metric.
        metrics: Metric name -> estimate over all queries.
        slices: Axis -> value -> metric name -> estimate.
        fairness: Scores of groups and the gaps between them on the primary metric, as JSON values; None where the
            benchmark compares no groups.
        digests: ``run``, ``manifest``, ``queries``, ``gallery``, ``ground_truth``.
        warnings: In the order in which they arose.
        versions: ``evaluator`` and ``scoring_revision``.
        bootstrap: ``seed``, ``replicates``, ``unit``, ``n_units``, and under ``other_units`` the unit and number of
            units of each metric for which something else is drawn.
        query_ids: (Q,) the queries scored.
        per_query: Metric name -> (Q,) float64, only metrics that have a value per query.
        units: (Q,) int, the resampling unit of each query, a number that is the same for every run.
        replicates: Metric name -> (B,) float64, its bootstrap replicates over all queries, NaN where one says nothing.
            Replicate b draws the same units for every run.
        timings: Seconds by stage; no part of any digest.
    """

    benchmark: dict[str, str]
    protocol: str
    primary: str
    rankable: bool
    metrics: dict[str, Estimate]
    slices: dict[str, dict[str, dict[str, Estimate]]]
    fairness: dict[str, Any] | None
    digests: dict[str, str]
    warnings: tuple[ReportWarning, ...]
    versions: dict[str, str | int]
    bootstrap: dict[str, Any]
    query_ids: tuple[str, ...]
    per_query: dict[str, NDArray[np.float64]] = field(repr=False)
    units: NDArray[np.int64] = field(repr=False)
    replicates: dict[str, NDArray[np.float64]] = field(repr=False)
    timings: dict[str, float] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """The report as JSON values at full precision, without the values per query."""
        return {
            "benchmark": self.benchmark,
            "protocol": self.protocol,
            "primary": self.primary,
            "rankable": self.rankable,
            "metrics": {name: asdict(estimate) for name, estimate in self.metrics.items()},
            "slices": {
                axis: {
                    value: {name: asdict(estimate) for name, estimate in metrics.items()}
                    for value, metrics in values.items()
                }
                for axis, values in self.slices.items()
            },
            "fairness": self.fairness,
            "digests": self.digests,
            "warnings": [asdict(warning) for warning in self.warnings],
            "versions": self.versions,
            "bootstrap": self.bootstrap,
            "timings": self.timings,
        }
