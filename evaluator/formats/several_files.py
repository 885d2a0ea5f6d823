"""A run that comes in several files: each is read, and what is wrong with one says which it is."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from evaluator.formats.problems import ProblemLog
from evaluator.formats.result_format import Content

Value = TypeVar("Value")


def read_each(
    contents: Sequence[Content], log: ProblemLog, read_one: Callable[[Content, ProblemLog], Value | None]
) -> list[Value]:
    """Read each file of a run. Where there are several, messages begin with the place of the file among them.

    Args:
        contents: The files.
        log: Where problems go.
        read_one: Reads one; None when it holds nothing to go on with, and that was reported.

    Returns:
        What could be read.
    """
    values = []
    for number, content in enumerate(contents, start=1):
        of_file = ProblemLog(forgiven=log.forgiven)
        value = read_one(content, of_file)
        if value is not None:
            values.append(value)
        _add(of_file, log, f"File {number}: " if len(contents) > 1 else "")
    return values


def _add(of_file: ProblemLog, log: ProblemLog, where: str) -> None:
    for problem in of_file:
        log.add(replace(problem, message=f"{where}{problem.message}"))
    for code, kept in of_file.kept.items():
        log.count_only(code, of_file.counts[code] - len(kept))
