"""Compare two runs on the same queries: differences with intervals in shared replicates, and paired tests."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from evaluator.public.bundle import Benchmark
from evaluator.public.manifest import Protocol
from evaluator.report import Report
from evaluator.score.observations import Layout, layout_of
from evaluator.score.report_warnings import ROUGH_BELOW
from evaluator.sealed.ground_truth import load_ground_truth
from evaluator.statistics.difference import Interval, difference
from evaluator.statistics.replicates import SEED
from evaluator.statistics.sign_flip import N_FLIPS, flip_words, sign_flip_p_values, sums_by_unit


class ComparisonError(ValueError):
    """Two reports that cannot be compared: the message says what differs and what to do."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One metric of two runs, A and B.

    Attributes:
        metric: Its name.
        a: Value of A, None where the metric cannot be given.
        b: Value of B.
        value: A less B, None where one of the two is missing.
        low: Lower end of its 95 % interval, None where there is none.
        high: Upper end.
        p: Of the paired sign-flip test, two-sided, not corrected for the number of metrics; None where no test is
            made, as for a ratio of two means.
        n: Number of values averaged.
        unit: What is drawn and flipped as a whole, an axis.
        n_units: Number of units in which the values lie.
        is_exploratory: True for all metrics but the primary one, which alone was chosen before the numbers were seen.
    """

    metric: str
    a: float | None
    b: float | None
    value: float | None
    low: float | None
    high: float | None
    p: float | None
    n: int
    unit: str
    n_units: int
    is_exploratory: bool

    @property
    def is_rough(self) -> bool:
        """Whether interval and test rest on few units."""
        return self.value is not None and self.n_units < ROUGH_BELOW


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two runs compared under one protocol.

    Attributes:
        protocol: Its name.
        primary: The metric that ranks.
        differences: One per metric, in the protocol's order.
        n_queries: Queries that both runs were scored on.
        bootstrap: ``seed``, ``replicates`` and ``flips``.
    """

    protocol: str
    primary: str
    differences: tuple[Difference, ...]
    n_queries: int
    bootstrap: dict[str, int]

    def to_json(self) -> dict[str, Any]:
        """The comparison as JSON values at full precision."""
        return asdict(self)


def compare(a: Report, b: Report, benchmark: Benchmark, sealed_root: Path, protocol: str | Protocol) -> Comparison:
    """Compare two reports of one benchmark and protocol.

    Every metric gets the difference with a percentile interval from replicates that draw the same units for both, and
    where it is a weighted mean a paired sign-flip test of whole units. The family of the primary metric is this one
    pair, so Holm's correction leaves its p-value as it is; all other metrics are exploratory.

    Args:
        a: Of the first run.
        b: Of the second run.
        benchmark: The public side of the bundle under which both were scored.
        sealed_root: The bundle's `sealed` directory.
        protocol: The protocol or its name.

    Raises:
        ComparisonError: If the reports are of other benchmarks, protocols or queries.
        ManifestError: If there is no such protocol.
        GroundTruthError: If the ground truth cannot be read.
        BundleError: If the bundle does not have what the protocol rests on.
    """
    rules = protocol if isinstance(protocol, Protocol) else benchmark.manifest.protocol(protocol)
    _check(a, b, rules)
    layout = layout_of(benchmark, load_ground_truth(sealed_root), rules, a.query_ids)
    name = f"{benchmark.manifest.name} {benchmark.manifest.version}"
    return Comparison(
        protocol=rules.name,
        primary=rules.primary,
        differences=tuple(_difference(metric, a, b, layout, name) for metric in rules.metrics),
        n_queries=len(a.query_ids),
        bootstrap={"seed": SEED, "replicates": a.bootstrap["replicates"], "flips": N_FLIPS},
    )


def _check(a: Report, b: Report, rules: Protocol) -> None:
    parts = ("manifest", "queries", "gallery", "ground_truth")
    if any(a.digests[part] != b.digests[part] for part in parts):
        raise ComparisonError("the two runs were scored on different benchmarks or versions; score both on one bundle")
    if not a.protocol == b.protocol == rules.name:
        raise ComparisonError(f"the two runs were not both scored under the protocol {rules.name!r}; score them again")
    if a.query_ids != b.query_ids:
        raise ComparisonError("the two runs answer different queries; cut both to the queries that both answer")


def _difference(metric: str, a: Report, b: Report, layout: Layout, benchmark: str) -> Difference:
    value_a, value_b = a.metrics[metric].value, b.metrics[metric].value
    found: Interval | None = None
    p, unit, n_units = None, layout.units.axis, len(np.unique(layout.units.of_query))
    if value_a is not None and value_b is not None:
        found = difference(value_a, value_b, a.replicates[metric], b.replicates[metric])
        if test := _test(metric, a, b, layout, benchmark):
            p, unit, n_units = test
    return Difference(
        metric=metric,
        a=value_a,
        b=value_b,
        value=None if found is None else found.value,
        low=None if found is None else found.low,
        high=None if found is None else found.high,
        p=p,
        n=a.metrics[metric].n,
        unit=unit,
        n_units=n_units,
        is_exploratory=metric != layout.protocol.primary,
    )


def _test(metric: str, a: Report, b: Report, layout: Layout, benchmark: str) -> tuple[float, str, int] | None:
    """p-value, unit and number of units of a metric that is a weighted mean; None of any other."""
    one, other = layout.observations(a, metric), layout.observations(b, metric)
    if one is None or other is None or len(one.values) == 0:
        return None
    differences = (one.values - other.values)[:, None]
    sums = sums_by_unit(differences, one.units, one.n_units, one.weights)
    p = float(sign_flip_p_values(sums, flip_words(benchmark, one.axis, one.n_units))[0])
    return p, one.axis, len(np.unique(one.units))
