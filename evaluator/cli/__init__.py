"""The command `cirboard`. Other packages add commands through the entry-point group `cirboard.commands`."""

from importlib.metadata import entry_points

import click

import evaluator.cli.blas_threads  # noqa: F401 - it has to come before numpy
from evaluator import __version__
from evaluator.cli.benchmark import benchmark
from evaluator.cli.compare import compare
from evaluator.cli.convert import convert
from evaluator.cli.demo_runs import demo_runs
from evaluator.cli.evaluate import evaluate
from evaluator.cli.import_ import import_
from evaluator.cli.status import status
from evaluator.cli.submit import submit
from evaluator.cli.validate import validate
from evaluator.cli.verify import verify

COMMAND_GROUP = "cirboard.commands"


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="cirboard")
def main() -> None:
    """Check, score and submit runs of composed image retrieval."""


main.add_command(validate)
main.add_command(evaluate)
main.add_command(compare)
main.add_command(benchmark)
main.add_command(convert)
main.add_command(import_)
main.add_command(demo_runs)
main.add_command(submit)
main.add_command(status)
main.add_command(verify)

for entry_point in entry_points(group=COMMAND_GROUP):
    main.add_command(entry_point.load())
