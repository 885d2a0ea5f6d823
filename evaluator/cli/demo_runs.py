"""`cirboard demo-runs`: result files for the mini benchmark."""

from pathlib import Path

import click

from evaluator.cli.terminal import say
from evaluator.formats.wording import plain
from evaluator.importers.mini.demo_runs import DemoRunsError, write_demo_runs
from evaluator.public.bundle import BundleError
from evaluator.public.manifest import ManifestError


@click.command("demo-runs")
@click.option(
    "--bundle",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    required=True,
    help="A bundle made by `cirboard import mini`.",
)
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), required=True, help="Directory for the files.")
def demo_runs(bundle: Path, out: Path) -> None:
    """Write a handful of result files for the mini benchmark, and methods.json that says what each of them is.

    Pixel methods retrieve for real; oracles read the ground truth and say so in their names.
    """
    try:
        methods = write_demo_runs(bundle, out)
    except (DemoRunsError, BundleError, ManifestError) as error:
        raise click.ClickException(plain(str(error))) from None
    say(f"Wrote {methods} and the files it lists.")
