"""What the commands print: texts of servers, bundles and files may hold anything, so every line is escaped here."""

import click

from evaluator.formats.wording import plain


def say(text: str = "") -> None:
    """Print lines, with what a terminal would obey rather than show made visible."""
    click.echo("\n".join(plain(line) for line in text.split("\n")))
