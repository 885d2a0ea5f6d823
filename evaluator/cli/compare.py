"""`cirboard compare`: is one run better than another, and by how much?"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from evaluator.cli.run_files import REFUSALS, TROUBLES, protocol_of, read_or_refuse
from evaluator.cli.terminal import Unusable, aligned, say
from evaluator.formats.difference_text import difference_words, number, probability
from evaluator.formats.wording import counted, plain
from evaluator.public.bundle import Benchmark, load_benchmark
from evaluator.public.common_queries import on_common_queries
from evaluator.public.manifest import Display, Protocol, ResamplingUnit
from evaluator.public.run import Run
from evaluator.report import Report
from evaluator.score import score
from evaluator.score.comparison import Comparison, Difference
from evaluator.score.comparison import compare as compare_reports
from evaluator.score.report_warnings import ROUGH_BELOW

RUN = click.Path(exists=True, dir_okay=False, path_type=Path)
HEADER = ("metric", "A", "B", "A - B", "95 % interval", "p", "")


@click.command()
@click.argument("bundle", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("run_a", metavar="RUN_A", type=RUN)
@click.argument("run_b", metavar="RUN_B", type=RUN)
@click.option("--protocol", help="Name of the protocol; the benchmark's first if not given.")
@click.option("--metric", "metrics", multiple=True, help="Show this metric only; may be given several times.")
@click.option("--lenient", is_flag=True, help="Compare what the official code scores although it should not count.")
@click.option("--json", "as_json", is_flag=True, help="Print the comparison as JSON.")
def compare(
    *,
    bundle: Path,
    run_a: Path,
    run_b: Path,
    protocol: str | None,
    metrics: tuple[str, ...],
    lenient: bool,
    as_json: bool,
) -> None:
    """Compare RUN_A with RUN_B on BUNDLE.

    BUNDLE is a directory with `public` and `sealed`, as `cirboard import` makes it. A run is a file in any format that
    `cirboard evaluate` reads, a zip where it has several files. Files with errors are refused as there, and the exit
    code is 1. It is 2 if the bundle cannot be used.
    """
    try:
        benchmark = load_benchmark(bundle)
        rules = protocol_of(benchmark, protocol)
        _check_metrics(metrics, rules)
        runs = [
            read_or_refuse([path], benchmark, protocol, lenient=lenient, as_json=as_json)[0] for path in (run_a, run_b)
        ]
        reports = _scored(runs, benchmark, bundle / "sealed", rules, lenient=lenient)
        comparison = compare_reports(*reports, benchmark, bundle / "sealed", rules)
    except REFUSALS as error:
        raise click.ClickException(plain(str(error))) from None
    except TROUBLES as error:
        raise Unusable(error) from None
    shown = [found for found in comparison.differences if found.metric in (metrics or rules.metrics)]
    files = [{"file": path.name, "digest": run.digest} for path, run in zip((run_a, run_b), runs, strict=True)]
    if as_json:
        click.echo(json.dumps(_to_json(comparison, shown, files, benchmark), indent=2, allow_nan=False))
    else:
        _show(comparison, shown, files, benchmark, is_chosen=bool(metrics))
        _show_cut(runs, reports)


def _check_metrics(metrics: Sequence[str], rules: Protocol) -> None:
    for metric in metrics:
        if metric not in rules.metrics:
            known = plain(", ".join(rules.metrics))
            raise click.BadParameter(f"the protocol {plain(rules.name)} has: {known}", param_hint="--metric")


def _scored(
    runs: Sequence[Run], benchmark: Benchmark, sealed_root: Path, rules: Protocol, *, lenient: bool
) -> tuple[Report, Report]:
    """Both reports; over the queries that both runs answer, where one leaves out a part or leniency allows gaps."""
    a, b = (score(run, benchmark, sealed_root, rules, lenient=lenient) for run in runs)
    if a.query_ids == b.query_ids:
        return a, b
    one, other = on_common_queries(*runs)
    return (
        score(one, benchmark, sealed_root, rules, lenient=lenient),
        score(other, benchmark, sealed_root, rules, lenient=lenient),
    )


def _to_json(
    comparison: Comparison, shown: Sequence[Difference], files: list[dict[str, str]], benchmark: Benchmark
) -> dict[str, Any]:
    about = {key: getattr(benchmark.manifest, key) for key in ("name", "version", "split")}
    content = comparison.to_json()
    chosen = {found.metric for found in shown}
    content["differences"] = [found for found in content["differences"] if found["metric"] in chosen]
    return {"benchmark": about, "a": files[0], "b": files[1], **content}


def _show(
    comparison: Comparison,
    shown: Sequence[Difference],
    files: list[dict[str, str]],
    benchmark: Benchmark,
    *,
    is_chosen: bool,
) -> None:
    manifest = benchmark.manifest
    say(f"{manifest.title} {manifest.split} (version {manifest.version}), protocol {comparison.protocol}")
    for letter, file in zip("AB", files, strict=True):
        say(f"{letter}  {file['file']}  run {file['digest']}")
    say()
    for line in aligned([HEADER, *(_row(found, manifest.display) for found in shown)]):
        say(line)
    say()
    for found in shown:
        if is_chosen or not found.is_exploratory:
            say(_words(found, manifest.display))
    say()
    for note in _notes(comparison, shown, benchmark):
        say(note)


def _row(found: Difference, display: Display) -> tuple[str, ...]:
    interval = f"{number(found.low, display)} to {number(found.high, display)}" if found.low is not None else "-"
    return (
        found.metric,
        *(number(value, display) for value in (found.a, found.b, found.value)),
        interval,
        "-" if found.p is None else probability(found.p),
        "exploratory" if found.is_exploratory else "primary",
    )


def _words(found: Difference, display: Display) -> str:
    interval = None if found.low is None or found.high is None else (found.low, found.high)
    return difference_words(found.metric, found.value, interval, found.p, display, is_exploratory=found.is_exploratory)


def _notes(comparison: Comparison, shown: Sequence[Difference], benchmark: Benchmark) -> Iterator[str]:
    """How the numbers came about, and what to beware of."""
    rule, drawn = benchmark.manifest.resampling, comparison.bootstrap
    yield (
        "Values in %, differences in percentage points."
        if benchmark.manifest.display.percent
        else "Values as they are."
    )
    yield (
        f"{counted(comparison.n_queries, 'query', 'queries')}. Intervals: {drawn['replicates']:,} bootstrap replicates; "
        f"p: paired sign-flip test, {drawn['flips']:,} flips, or all there are where they are fewer."
    )
    yield from _units(shown, rule)
    if any(found.is_exploratory for found in shown):
        yield "Exploratory: p is not corrected for the number of metrics; such a difference is a hint, not a finding."
    if rough := [found.metric for found in shown if found.is_rough]:
        yield f"warning interval-rough: fewer than {ROUGH_BELOW} units; intervals and p are rough: {', '.join(rough)}."


def _units(shown: Sequence[Difference], rule: ResamplingUnit) -> Iterator[str]:
    """One line per unit, the first for most metrics, the others for those that are named."""
    metrics_of: dict[tuple[str, int], list[str]] = {}
    for found in shown:
        if found.value is not None:
            metrics_of.setdefault((found.unit, found.n_units), []).append(found.metric)
    most_first = sorted(metrics_of, key=lambda unit: -len(metrics_of[unit]))
    for place, (unit, n_units) in enumerate(most_first):
        which = f" for {', '.join(metrics_of[unit, n_units])}" if place else ""
        title = rule.title if unit == rule.axis else unit
        yield f"Whole units are drawn and flipped{which}: {title}, {n_units:,} of them."


def _show_cut(runs: Sequence[Run], reports: Sequence[Report]) -> None:
    one, other = (set(run.query_ids) for run in runs)
    if one != other:
        n = counted(len(reports[0].query_ids), "query", "queries")
        say(f"warning queries-common: the runs do not answer the same queries; compared on {n} that both answer.")
