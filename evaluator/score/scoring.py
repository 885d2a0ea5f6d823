"""Score a run: join it with the ground truth, compute, aggregate, estimate intervals, report."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaluator import SCORING_REVISION, __version__
from evaluator.public.bundle import Benchmark
from evaluator.public.lists import lists_of
from evaluator.public.manifest import Protocol
from evaluator.public.metric_names import check_metrics, parse_metric, too_shallow
from evaluator.public.run import Run
from evaluator.report import Estimate, Report
from evaluator.score.aggregation import Found
from evaluator.score.estimates import Estimator, estimator
from evaluator.score.group_gaps import group_gaps
from evaluator.score.report_warnings import ROUGH_BELOW, Results, warnings_of
from evaluator.sealed.ground_truth import GroundTruth, GroundTruthError, digest_ground_truth, load_ground_truth
from evaluator.sealed.judged import Judged, judge
from evaluator.sealed.slices import read_axis
from evaluator.statistics.intervals import percentile_ends
from evaluator.statistics.replicates import N_REPLICATES, SEED

Members = dict[str, dict[str, NDArray[np.int64]]]
AllFound = dict[str, tuple[Found, int]]
"""Metric -> the estimates that hold it, and its place there."""


def score(
    run: Run, benchmark: Benchmark, sealed_root: Path, protocol: str | Protocol | None = None, *, lenient: bool = False
) -> Report:
    """Score a run.

    Args:
        run: The ranked lists.
        benchmark: The public side of the bundle.
        sealed_root: The bundle's `sealed` directory.
        protocol: The protocol or its name; None for the benchmark's first.
        lenient: Whether to score what official scorers score although it should not count: files with missing
            queries, repeated or unknown images, lists of other lengths. Such a report is not rankable.

    Returns:
        Aggregates over all queries and over every slice with 95 % intervals, and the values per query.

    Raises:
        ManifestError: If there is no such protocol, or one of its metrics cannot be computed.
        GroundTruthError: If the ground truth is missing, external, or not that of the manifest.
        RunMismatchError: If the run does not answer the benchmark under the protocol.
        BundleError: If the bundle does not have what the protocol rests on.
    """
    clock = _Stopwatch()
    rules = protocol if isinstance(protocol, Protocol) else benchmark.manifest.protocol(protocol)
    check_metrics(rules)
    with clock.time("read"):
        truth = _open_truth(benchmark, sealed_root)
        lists = lists_of(run, benchmark, rules, lenient=lenient)
    with clock.time("judge"):
        judged = judge(run, lists, benchmark, truth, rules)
    with clock.time("compute"):
        withheld = frozenset() if lenient else too_shallow(rules, lists.lengths, lists.most, lists.parts)
        parts = lists.parts[np.isin(lists.queries, judged.queries)]
        source = estimator(benchmark, truth, judged, rules, withheld, parts)
    with clock.time("estimate"):
        overall = source.over(np.arange(len(judged.queries)))
        results = _results(source, overall, withheld, _members(benchmark, truth, judged))
        fairness = group_gaps(benchmark, truth, judged.queries, source)
    with clock.time("digest"):
        digests = _digests(run, benchmark)
    return Report(
        benchmark={key: getattr(benchmark.manifest, key) for key in ("name", "version", "split")},
        protocol=rules.name,
        primary=rules.primary,
        rankable=results.metrics[rules.primary].value is not None and not lenient and rules.ranks_uploads,
        metrics=results.metrics,
        slices=results.slices,
        fairness=fairness,
        digests=digests,
        warnings=warnings_of(benchmark.manifest, rules, lists, results, n_dropped=judged.n_dropped, lenient=lenient),
        versions={"evaluator": __version__, "scoring_revision": SCORING_REVISION},
        bootstrap=_bootstrap(source, overall),
        query_ids=tuple(benchmark.query_ids[query] for query in judged.queries),
        per_query=_given_per_query(source),
        units=source.units.of_query,
        replicates={name: found.replicates[place] for name, (found, place) in overall.items()},
        timings=clock.elapsed_s,
    )


@dataclass
class _Stopwatch:
    elapsed_s: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def time(self, stage: str) -> Iterator[None]:
        start = perf_counter()
        yield
        self.elapsed_s[stage] = perf_counter() - start


def _open_truth(benchmark: Benchmark, sealed_root: Path) -> GroundTruth:
    manifest = benchmark.manifest
    if manifest.ground_truth == "external":
        raise GroundTruthError(
            f"the ground truth of {manifest.title} {manifest.split} is held by its organisers alone; "
            f"send the file to them ({manifest.homepage})"
        )
    truth = load_ground_truth(sealed_root)
    expected = manifest.digests.ground_truth if manifest.digests else None
    if digest_ground_truth(truth.judgements, truth.slices) != expected:
        raise GroundTruthError(
            f"the ground truth under the sealed root is not that of this {manifest.title} {manifest.split}; "
            "install both sides of one bundle"
        )
    return truth


def _members(benchmark: Benchmark, truth: GroundTruth, judged: Judged) -> Members:
    """Axis -> value -> positions of its queries, values in alphabetical order, empty slices left out."""
    row_of_query = np.full(len(benchmark.query_ids), -1, np.int64)
    row_of_query[judged.queries] = np.arange(len(judged.queries))
    members: Members = {}
    for slice_axis in benchmark.manifest.slice_axes:
        axis = read_axis(benchmark, truth, slice_axis.name)
        rows = row_of_query[axis.queries]
        of_value = {value: rows[(axis.codes == code) & (rows >= 0)] for code, value in enumerate(axis.values)}
        members[slice_axis.name] = {value: of_value[value] for value in sorted(of_value) if len(of_value[value])}
    return members


def _results(source: Estimator, overall: AllFound, withheld: frozenset[str], members: Members) -> Results:
    of_slice = {axis: {value: source.over(rows) for value, rows in values.items()} for axis, values in members.items()}
    names = source.protocol.metrics
    rough = {f"{axis}: {value}": _rough(found) for axis, values in of_slice.items() for value, found in values.items()}
    return Results(
        metrics=_estimates(overall, names),
        slices={
            axis: {value: _estimates(found, names) for value, found in values.items()}
            for axis, values in of_slice.items()
        },
        withheld=withheld,
        rough=tuple(_rough(overall)),
        rough_slices=tuple(place for place, metrics in rough.items() if metrics),
    )


def _estimates(found: AllFound, names: Sequence[str]) -> dict[str, Estimate]:
    """Metric -> estimate with its interval, in the protocol's order; all None where it cannot be given."""
    parts = {id(part): part for part, _ in found.values()}
    ends = {key: percentile_ends(part.replicates) for key, part in parts.items()}
    estimates = {}
    for name in names:
        if name not in found:
            n = next((part.n for part, _ in found.values()), 0)
            estimates[name] = Estimate(None, None, None, n)
            continue
        part, place = found[name]
        low, high = ends[id(part)][place]
        estimates[name] = Estimate(_or_none(part.values[place]), _or_none(low), _or_none(high), part.n)
    return estimates


def _rough(found: AllFound) -> list[str]:
    """Metrics whose intervals rest on few units."""
    return [name for name, (part, _) in found.items() if 0 < part.n_units < ROUGH_BELOW]


def _or_none(value: np.float64) -> float | None:
    return None if np.isnan(value) else float(value)


def _given_per_query(source: Estimator) -> dict[str, NDArray[np.float64]]:
    """Values per query of what the protocol gives, without what was computed only to derive others from it."""
    shown = [parse_metric(name) for name in source.names]
    wanted = dict.fromkeys(m.base for m in shown if m.kind in {"query", "micro", "macro", "min", "rounded"})
    return {name: source.per_query[name] for name in wanted}


def _digests(run: Run, benchmark: Benchmark) -> dict[str, str]:
    parts = benchmark.manifest.digests
    if parts is None:
        raise GroundTruthError(f"{benchmark.manifest.title} has no digests; import the bundle again")
    return {
        "run": run.digest,
        "manifest": benchmark.manifest.digest,
        "queries": parts.queries,
        "gallery": parts.gallery,
        "ground_truth": parts.ground_truth,
    }


def _bootstrap(source: Estimator, overall: AllFound) -> dict[str, Any]:
    """What was drawn; ``other_units`` names the metrics for which something else was drawn."""
    others = {}
    for name in overall:
        groups = source.groups_of(name)
        if groups is not None and groups.units.axis != source.units.axis:
            others[name] = {"unit": groups.units.axis, "n_units": len(groups.units.counts)}
    return {
        "seed": SEED,
        "replicates": N_REPLICATES,
        "unit": source.units.axis,
        "n_units": len(source.units.counts),
        "other_units": others,
    }
