"""`cirboard validate`: check a run's result files as the server would, and say everything that is wrong with it."""

import json
from pathlib import Path

import click

from evaluator.cli.terminal import say
from evaluator.formats.outcome import report_of
from evaluator.formats.problems_csv import write_problems_csv
from evaluator.formats.read import Reading, read_run
from evaluator.formats.report_text import group_lines, read_as, verdict
from evaluator.formats.wording import plain
from evaluator.public.bundle import Benchmark, BundleError, load_benchmark
from evaluator.public.manifest import ManifestError

REFUSED = 1


@click.command()
@click.argument("bundle", type=click.Path(path_type=Path))
@click.argument("runs", metavar="RUN...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--protocol", help="Check by the rules of this protocol instead of the benchmark's first.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
@click.option("--lenient", is_flag=True, help="Accept what the official evaluator accepts; such a file never counts.")
@click.option(
    "--problems-csv",
    type=click.Path(path_type=Path, dir_okay=False, writable=True),
    help="Write all problems, not only the first 20 of each kind, to this file.",
)
@click.pass_context
def validate(
    context: click.Context,
    bundle: Path,
    runs: tuple[Path, ...],
    protocol: str | None,
    as_json: bool,
    lenient: bool,
    problems_csv: Path | None,
) -> None:
    """Check the result file RUN, or the files of a run that has several, against the benchmark in BUNDLE.

    Exit status: 0 the run can be scored (warnings allowed), 1 it is refused, 2 it could not be checked.
    """
    try:
        benchmark = load_benchmark(bundle)
        reading = read_run(runs, benchmark, protocol, lenient=lenient)
        if problems_csv is not None:
            write_problems_csv(problems_csv, reading.problems)
    except (BundleError, ManifestError) as error:
        raise click.UsageError(plain(str(error)), context) from None
    except OSError as error:
        raise click.UsageError(plain(f"{error.filename or runs[0]}: {error.strerror or error}"), context) from None
    if as_json:
        click.echo(json.dumps(report_of(reading), indent=2))
    else:
        _print(reading, benchmark, " and ".join(run.name for run in runs))
    context.exit(REFUSED if reading.run is None else 0)


def _print(reading: Reading, benchmark: Benchmark, file_name: str) -> None:
    say(verdict(reading, file_name))
    say(read_as(reading, f"{benchmark.manifest.title} {benchmark.manifest.split}", len(benchmark.query_ids)))
    for group in reading.problems.to_json()["groups"]:
        say()
        for line in group_lines(group):
            say(line)
