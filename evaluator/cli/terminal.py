"""What the commands print: texts of servers, bundles and files may hold anything, so every line is escaped here."""

import click

from evaluator.formats.wording import plain


def say(*lines: str) -> None:
    """Print lines, an empty one if none is given, with what a terminal would obey rather than show made visible.

    A line break within a line is shown too: else a stranger's text could pass for a line of ours.
    """
    click.echo("\n".join(plain(line) for line in lines))


class Unusable(click.ClickException):
    """A bundle or path with which nothing can be checked or scored; 1 is for a refused file alone."""

    exit_code = 2

    def __init__(self, error: Exception) -> None:
        super().__init__(plain(str(error)))
