"""`cirboard evaluate`: score a result file against a bundle that holds its ground truth."""

import json
from pathlib import Path
from typing import Any

import click

from evaluator.cli.terminal import Unusable, say
from evaluator.formats.read import Reading, read_run
from evaluator.formats.report_text import group_lines, verdict
from evaluator.formats.wording import plain
from evaluator.public.bundle import Benchmark, BundleError, load_benchmark
from evaluator.public.lists import RunMismatchError
from evaluator.public.manifest import Display, ManifestError
from evaluator.public.run import Run, RunFileError, load_run
from evaluator.report import Report
from evaluator.score import GroundTruthError, score

CANONICAL_SUFFIX = ".npz"
REFUSED = 1
NO_PROBLEMS: dict[str, Any] = {"n_errors": 0, "n_warnings": 0, "groups": []}
REFUSALS = (RunFileError, RunMismatchError)
TROUBLES = (ManifestError, BundleError, GroundTruthError, OSError)


@click.command()
@click.argument("bundle", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("run_file", metavar="RUN", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--protocol", help="Name of the protocol; the benchmark's first if not given.")
@click.option("--lenient", is_flag=True, help="Score what the official code scores although it should not count.")
@click.option("--json", "as_json", is_flag=True, help="Print the whole report, slices included, as JSON.")
def evaluate(*, bundle: Path, run_file: Path, protocol: str | None, lenient: bool, as_json: bool) -> None:
    """Score RUN against BUNDLE.

    BUNDLE is a directory with `public` and `sealed`, as `cirboard import` makes it. RUN is a result file in the
    benchmark's official format, or a canonical run (.npz). A file with errors is refused: its problems are printed
    and the exit code is 1. It is 2 if the bundle cannot be used.
    """
    try:
        benchmark = load_benchmark(bundle)
        _check_protocol(benchmark, protocol)
        if run_file.suffix == CANONICAL_SUFFIX:
            run, problems = load_run(run_file), NO_PROBLEMS
        else:
            reading = read_run(run_file, benchmark, protocol, lenient=lenient)
            run, problems = _accepted(reading, run_file.name, as_json=as_json), reading.problems.to_json()
        report = score(run, benchmark, bundle / "sealed", protocol, lenient=lenient)
    except REFUSALS as error:
        raise click.ClickException(plain(str(error))) from None
    except TROUBLES as error:
        raise Unusable(error) from None
    if as_json:
        click.echo(json.dumps({**report.to_json(), "problems": problems}, indent=2, allow_nan=False))
    else:
        _show(report, benchmark, problems)


def _check_protocol(benchmark: Benchmark, name: str | None) -> None:
    try:
        benchmark.manifest.protocol(name)
    except ManifestError as error:
        raise click.BadParameter(plain(str(error)), param_hint="--protocol") from None


def _accepted(reading: Reading, file_name: str, *, as_json: bool) -> Run:
    """The run of a file without errors; the problems of any other are printed, and the command ends."""
    if reading.run is not None:
        return reading.run
    problems = reading.problems.to_json()
    if as_json:
        click.echo(json.dumps({"problems": problems}, indent=2))
    else:
        say(verdict(reading, file_name))
        _print_problems(problems)
    raise click.exceptions.Exit(REFUSED)


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
    _print_problems(problems)


def _table(report: Report, display: Display) -> list[str]:
    rows = [("metric", "%" if display.percent else "value", "95 % interval", "n")]
    for name, found in report.metrics.items():
        interval = f"{_number(found.low, display)} to {_number(found.high, display)}"
        rows.append((name, _number(found.value, display), interval if found.low is not None else "-", f"{found.n:,}"))
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    return [
        f"{name:<{widths[0]}}  {value:>{widths[1]}}  {interval:>{widths[2]}}  {n:>{widths[3]}}"
        for name, value, interval, n in rows
    ]


def _number(value: float | None, display: Display) -> str:
    if value is None:
        return "-"
    return f"{value * 100 if display.percent else value:z.{display.decimals}f}"


def _print_problems(problems: dict[str, Any]) -> None:
    for group in problems["groups"]:
        say()
        for line in group_lines(group):
            say(line)
