"""`cirboard evaluate`: score a run's result files against a bundle that holds its ground truth."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from evaluator.cli.run_files import REFUSALS, TROUBLES, print_problems, protocol_of, read_or_refuse
from evaluator.cli.terminal import Unusable, aligned, say
from evaluator.formats.difference_text import number
from evaluator.formats.wording import plain
from evaluator.public.bundle import Benchmark, load_benchmark
from evaluator.public.manifest import Display, Protocol
from evaluator.report import Report
from evaluator.score import score

SERVER_EXTRA_QUERIES = 2
"""The numbers of CIRR's public server fit hits / (N + 2)."""


@click.command()
@click.argument("bundle", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument(
    "run_files",
    metavar="RUN...",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
)
@click.option("--protocol", help="Name of the protocol; the benchmark's first if not given.")
@click.option(
    "--denominator",
    type=click.Choice(["plain", "server"]),
    default="plain",
    show_default=True,
    help="CIRR's hard labels: divide by the number of queries, or by 2 more, as its public server seems to do.",
)
@click.option("--lenient", is_flag=True, help="Score what the official code scores although it should not count.")
@click.option("--json", "as_json", is_flag=True, help="Print the whole report, slices included, as JSON.")
def evaluate(
    *,
    bundle: Path,
    run_files: tuple[Path, ...],
    protocol: str | None,
    denominator: str,
    lenient: bool,
    as_json: bool,
) -> None:
    """Score the run in RUN... against BUNDLE.

    BUNDLE is a directory with `public` and `sealed`, as `cirboard import` makes it. RUN is a result file in the
    benchmark's official format, or several where a run has several, or a TREC run, JSON lines, Parquet or npz.
    Files with errors are refused: their problems are printed and the exit code is 1. It is 2 if the bundle cannot be
    used.
    """
    try:
        benchmark = load_benchmark(bundle)
        rules = _rules(benchmark, protocol, denominator)
        run, problems = read_or_refuse(run_files, benchmark, protocol, lenient=lenient, as_json=as_json)
        report = score(run, benchmark, bundle / "sealed", rules, lenient=lenient)
    except REFUSALS as error:
        raise click.ClickException(plain(str(error))) from None
    except TROUBLES as error:
        raise Unusable(error) from None
    if as_json:
        click.echo(json.dumps({**report.to_json(), "problems": problems}, indent=2, allow_nan=False))
    else:
        _show(report, benchmark, problems)


def _rules(benchmark: Benchmark, name: str | None, denominator: str) -> Protocol:
    """The protocol of that name, with the queries that a server adds."""
    rules = protocol_of(benchmark, name)
    if denominator == "plain":
        return rules
    if benchmark.manifest.run_format != "cirr" or rules.truth != "as_listed":
        title = plain(f"{benchmark.manifest.title}, protocol {rules.name}")
        raise click.BadParameter(f"the server's is for CIRR's hard labels, not for {title}", param_hint="--denominator")
    # Under a name of its own, so that nobody takes its report for that of the protocol.
    return replace(rules, name=f"{rules.name}-server", extra_queries=SERVER_EXTRA_QUERIES)


def _show(report: Report, benchmark: Benchmark, problems: dict[str, Any]) -> None:
    about = report.benchmark
    say(f"{benchmark.manifest.title} {about['split']} (version {about['version']}), protocol {report.protocol}")
    say(f"run {report.digests['run']}", "")
    for line in _table(report, benchmark.manifest.display):
        say(line)
    if report.warnings:
        say()
    for warning in report.warnings:
        say(f"warning {warning.code}: {warning.message}")
    if not report.rankable:
        say(f"This run would not be ranked on {report.primary}.")
    print_problems(problems)


def _table(report: Report, display: Display) -> list[str]:
    rows = [("metric", "%" if display.percent else "value", "95 % interval", "n")]
    for name, found in report.metrics.items():
        interval = f"{number(found.low, display)} to {number(found.high, display)}"
        rows.append((name, number(found.value, display), interval if found.low is not None else "-", f"{found.n:,}"))
    return aligned(rows)
