"""The command `cirboard`. Other packages add commands through the entry-point group `cirboard.commands`."""

from importlib.metadata import entry_points

import click

from evaluator import __version__

COMMAND_GROUP = "cirboard.commands"


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="cirboard")
def main() -> None:
    """Check, score and submit runs of composed image retrieval."""


for entry_point in entry_points(group=COMMAND_GROUP):
    main.add_command(entry_point.load())
