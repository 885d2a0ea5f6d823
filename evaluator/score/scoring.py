"""Score a run: join it with the ground truth, compute, aggregate, estimate intervals, report."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from evaluator import SCORING_REVISION, __version__
from evaluator.metrics.registry import GROUP_METRICS, QUERY_METRICS, RATIO_METRICS, check_metrics, split_name
from evaluator.public.bundle import Benchmark
from evaluator.public.lists import Lists, lists_of
from evaluator.public.manifest import Protocol
from evaluator.public.run import Run
from evaluator.report import Estimate, Report
from evaluator.score.aggregation import (
    Sample,
    Units,
    Wordings,
    estimate,
    group_sample,
    part_of,
    query_sample,
    values_per_query,
)
from evaluator.score.report_warnings import ROUGH_BELOW, Results, warnings_of
from evaluator.sealed.ground_truth import GroundTruth, GroundTruthError, digest_ground_truth, load_ground_truth
from evaluator.sealed.judged import Judged, judge
from evaluator.sealed.slices import read_axis, read_units
from evaluator.statistics.replicates import N_REPLICATES, SEED, replicate_counts

Members = dict[str, dict[str, NDArray[np.int64]]]


def score(
    run: Run, benchmark: Benchmark, sealed_root: Path, protocol: str | None = None, *, lenient: bool = False
) -> Report:
    """Score a run.

    Args:
        run: The ranked lists.
        benchmark: The public side of the bundle.
        sealed_root: The bundle's `sealed` directory.
        protocol: Name of the protocol; None for the benchmark's first.
        lenient: Whether to score what official scorers score although it should not count: files with missing
            queries, repeated or unknown images, lists of other lengths. Such a report is not rankable.

    Returns:
        Aggregates over all queries and over every slice with 95 % intervals, and the values per query.

    Raises:
        ManifestError: If there is no such protocol, or one of its metrics cannot be computed.
        GroundTruthError: If the ground truth is missing, external, or not that of the manifest.
        RunMismatchError: If the run does not answer the benchmark under the protocol.
    """
    clock = _Stopwatch()
    rules = benchmark.manifest.protocol(protocol)
    check_metrics(rules)
    with clock.time("read"):
        truth = _open_truth(benchmark, sealed_root)
        lists = lists_of(run, benchmark, rules, lenient=lenient)
    with clock.time("judge"):
        judged = judge(run, lists, benchmark, truth, rules)
    with clock.time("compute"):
        scorer = _scorer(benchmark, truth, judged, rules, withheld=frozenset() if lenient else _withheld(rules, lists))
    with clock.time("estimate"):
        results = _results(scorer, _members(benchmark, truth, judged))
    with clock.time("digest"):
        digests = _digests(run, benchmark)
    return Report(
        benchmark={key: getattr(benchmark.manifest, key) for key in ("name", "version", "split")},
        protocol=rules.name,
        primary=rules.primary,
        rankable=results.metrics[rules.primary].value is not None and not lenient,
        metrics=results.metrics,
        slices=results.slices,
        digests=digests,
        warnings=warnings_of(benchmark.manifest, rules, lists, results, n_dropped=judged.n_dropped, lenient=lenient),
        versions={"evaluator": __version__, "scoring_revision": SCORING_REVISION},
        bootstrap=_bootstrap(benchmark, scorer),
        query_ids=tuple(benchmark.query_ids[query] for query in judged.queries),
        per_query=scorer.given_per_query,
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


@dataclass(frozen=True)
class _Scorer:
    """Everything that estimates over any set of queries need."""

    protocol: Protocol
    withheld: frozenset[str]
    per_query: dict[str, NDArray[np.float64]]
    sample: Sample
    wordings: Wordings | None

    @property
    def given_per_query(self) -> dict[str, NDArray[np.float64]]:
        """Values per query of the protocol's metrics, without what was computed only to derive others from it."""
        names = [name for name in self.protocol.metrics if name in self.per_query and name not in self.withheld]
        return {name: self.per_query[name] for name in names}

    def estimates(self, rows: NDArray[np.int64]) -> dict[str, Estimate]:
        """Metric name -> estimate over the queries at these positions, in the protocol's order."""
        found = estimate(part_of(self.sample, rows)) | self._spreads(rows)
        nothing = Estimate(None, None, None, len(rows))
        return {name: nothing if name in self.withheld else found[name] for name in self.protocol.metrics}

    def _spreads(self, rows: NDArray[np.int64]) -> dict[str, Estimate]:
        names = [name for name in self.protocol.metrics if name in GROUP_METRICS and name not in self.withheld]
        if self.wordings is None or not names:
            return {}
        return estimate(group_sample(self.per_query[self.wordings.rule.metric], rows, names, self.wordings.groups))


def _scorer(
    benchmark: Benchmark, truth: GroundTruth, judged: Judged, protocol: Protocol, *, withheld: frozenset[str]
) -> _Scorer:
    names = [name for name in protocol.metrics if name not in withheld and name not in GROUP_METRICS]
    spread = [protocol.language.metric] if protocol.language else []
    per_query = values_per_query(judged, [*names, *spread])
    sample = query_sample(per_query, names, _units(benchmark, truth, judged, benchmark.manifest.resampling.axis))
    wordings = None
    if protocol.language:
        wordings = Wordings(protocol.language, _units(benchmark, truth, judged, protocol.language.axis))
    return _Scorer(protocol, withheld, per_query, sample, wordings)


def _units(benchmark: Benchmark, truth: GroundTruth, judged: Judged, axis: str) -> Units:
    manifest = benchmark.manifest
    units = read_units(benchmark, truth, axis)
    counts = replicate_counts(f"{manifest.name} {manifest.version}", axis, len(units.values))
    return Units(units.codes[judged.queries], counts)


def _withheld(protocol: Protocol, lists: Lists) -> frozenset[str]:
    """Metrics that the shortest list cannot give."""
    shortest = int(lists.lengths.min())
    return frozenset(name for name in protocol.metrics if _depth(name, protocol) > shortest)


def _depth(name: str, protocol: Protocol) -> int:
    """How long every list must be for a metric to be what its name says."""
    family, k = split_name(name)
    if family in GROUP_METRICS:
        return _depth(protocol.language.metric, protocol) if protocol.language else 0
    if family in RATIO_METRICS:
        parts = RATIO_METRICS[family]
        return max(_depth(part.format(k=k), protocol) for part in (parts.numerator, parts.denominator))
    return protocol.list_length[1] if QUERY_METRICS[family].whole_list else k or 0


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


def _results(scorer: _Scorer, members: Members) -> Results:
    n_queries = len(scorer.sample.units)
    return Results(
        metrics=scorer.estimates(np.arange(n_queries)),
        slices={
            axis: {value: scorer.estimates(rows) for value, rows in values.items()} for axis, values in members.items()
        },
        withheld=scorer.withheld,
        rough_slices=tuple(
            f"{axis}: {value}"
            for axis, values in members.items()
            for value, rows in values.items()
            if len(np.unique(scorer.sample.units[rows])) < ROUGH_BELOW
        ),
        is_rough=len(np.unique(scorer.sample.units)) < ROUGH_BELOW,
    )


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


def _bootstrap(benchmark: Benchmark, scorer: _Scorer) -> dict[str, str | int]:
    return {
        "seed": SEED,
        "replicates": N_REPLICATES,
        "unit": benchmark.manifest.resampling.axis,
        "n_units": len(scorer.sample.counts),
    }
