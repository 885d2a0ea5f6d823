"""`cirboard convert`: write a run in another format, such as the file that the organisers' server asks for."""

from pathlib import Path

import click

from evaluator.cli.run_files import REFUSALS, TROUBLES, print_problems, protocol_of, read_or_refuse
from evaluator.cli.terminal import Unusable, say
from evaluator.formats.limits import in_words
from evaluator.formats.wording import counted, plain
from evaluator.formats.write import TARGETS, NotWritableError, write_run
from evaluator.formats.write_official import NoOfficialFormatError
from evaluator.public.bundle import Benchmark, load_benchmark


@click.command()
@click.argument("bundle", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument(
    "run_files",
    metavar="RUN...",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
)
@click.option("--to", "target", type=click.Choice(TARGETS), required=True, help="The format to write.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    required=True,
    help="The file to write; a directory where the official format has several files.",
)
@click.option("--gzip", "compress", is_flag=True, help="Pack what is written with gzip.")
@click.option("--protocol", help="Check by the rules of this protocol instead of the benchmark's first.")
def convert(
    *, bundle: Path, run_files: tuple[Path, ...], target: str, out: Path, compress: bool, protocol: str | None
) -> None:
    """Check the run in RUN... against BUNDLE, and write it in another format.

    RUN is a file in any format that is read. Files with errors are refused: their problems are printed and the exit
    code is 1. It is 2 if the bundle or the output cannot be used.
    """
    try:
        benchmark = load_benchmark(bundle)
        protocol_of(benchmark, protocol)
        run, problems = read_or_refuse(run_files, benchmark, protocol, lenient=False, as_json=False)
        written = write_run(run, benchmark, target, out, compress=compress)
    except (*REFUSALS, NotWritableError, NoOfficialFormatError) as error:
        raise click.ClickException(plain(str(error))) from None
    except TROUBLES as error:
        raise Unusable(error) from None
    lists, entries = counted(run.n_queries, "list", "lists"), counted(len(run.items), "entry", "entries")
    for path in written:
        say(f"{path}: {in_words(path.stat().st_size)}")
    say(f"run {run.digest}: {lists}, {entries}.")
    if target == "official":
        _say_where_to_send(benchmark)
    print_problems(problems)


def _say_where_to_send(benchmark: Benchmark) -> None:
    manifest = benchmark.manifest
    if manifest.ground_truth == "external":
        where = manifest.homepage or "the organisers"
        say(f"The ground truth of {manifest.title} {manifest.split} is held elsewhere; send this for scores: {where}")
