"""`cirboard benchmark`: start a benchmark of one's own, and check it before it is imported."""

import re
from pathlib import Path

import click

from evaluator.cli.terminal import say
from evaluator.formats.wording import counted, plain
from evaluator.importers.bundle_writer import ImportSourceError
from evaluator.importers.generic.check import check_source
from evaluator.importers.generic.example import FILES, write_example
from evaluator.importers.generic.faults import FaultLog
from evaluator.importers.generic.summary import summary_of

REFUSED = 1
_UNFIT = re.compile(r"[^a-z0-9]+")
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,49}")


@click.group()
def benchmark() -> None:
    """Bring a benchmark of your own: tables and a benchmark.toml."""


@benchmark.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--name", help="Short name: small letters, digits, hyphens. The folder's name if not given.")
def new(folder: Path, name: str | None) -> None:
    """Write a small working benchmark to DIR, every key explained, to start from."""
    slug = name if name is not None else _UNFIT.sub("-", folder.resolve().name.lower()).strip("-") or "benchmark"
    if not _NAME.fullmatch(slug):
        words = "expected are small letters, digits and hyphens, at most 50"
        raise click.BadParameter(plain(f"{slug!r} is no name; {words}"), param_hint="--name")
    try:
        write_example(folder, slug)
    except (ImportSourceError, OSError) as error:
        raise click.UsageError(plain(str(error))) from None
    say(f"{folder}: {', '.join(FILES)}", f"Change them, then check: cirboard benchmark check {folder}")


@benchmark.command()
@click.argument("folder", metavar="DIR", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.pass_context
def check(context: click.Context, folder: Path) -> None:
    """Say everything that is wrong with the benchmark in DIR, and what it is.

    Exit status: 0 it can be imported (warnings allowed), 1 it has errors, 2 it could not be read.
    """
    log = FaultLog()
    try:
        source = check_source(folder, log)
    except OSError as error:
        raise click.UsageError(plain(f"{error.filename or folder}: {error.strerror or error}"), context) from None
    say(*log.lines())
    warnings = counted(log.n("warning"), "warning", "warnings")
    if source is None:
        say(f"{folder}: {counted(log.n('error'), 'error', 'errors')}, {warnings}")
        context.exit(REFUSED)
    say(*summary_of(source), f"{folder}: no errors, {warnings}")
