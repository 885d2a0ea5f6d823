"""What the commands print: texts of servers, bundles and files may hold anything, so every line is escaped here."""

from collections.abc import Sequence

import click

from evaluator.formats.wording import plain


def say(*lines: str) -> None:
    """Print lines, an empty one if none is given, with what a terminal would obey rather than show made visible.

    A line break within a line is shown too: else a stranger's text could pass for a line of ours.
    """
    click.echo("\n".join(plain(line) for line in lines))


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Lines of a table: its first column to the left, the others to the right.

    Example:
        >>> aligned([("metric", "%"), ("mAP@10", "12.34")])
        ['metric      %', 'mAP@10  12.34']
    """
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            [f"{row[0]:<{widths[0]}}", *(f"{cell:>{width}}" for cell, width in zip(row[1:], widths[1:], strict=True))]
        )
        for row in rows
    ]


class Unusable(click.ClickException):
    """A bundle or path with which nothing can be checked or scored; 1 is for a refused file alone."""

    exit_code = 2

    def __init__(self, error: Exception) -> None:
        super().__init__(plain(str(error)))
