"""All kept problems of a check as a table that is safe to open in a spreadsheet."""

import csv
from dataclasses import asdict, fields
from pathlib import Path

from evaluator.formats.limits import MIB
from evaluator.formats.problems import Problem, ProblemLog
from evaluator.formats.wording import counted

MOST_BYTES = 16 * MIB
COLUMNS = [field.name for field in fields(Problem)]
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "|", "%")


def write_problems_csv(path: Path, problems: ProblemLog) -> None:
    """Write one row per kept problem, errors first, with a header, up to ``MOST_BYTES``.

    If that is not enough, a last row says how many are left out.

    Raises:
        OSError: If the file cannot be written.
    """
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(COLUMNS)
        for number, problem in enumerate(problems):
            if stream.tell() > MOST_BYTES:
                left = counted(sum(problems.counts.values()) - number, "problem is", "problems are")
                writer.writerow(["", "", f"{left} left out here: the table would be too large."])
                break
            writer.writerow([_harmless(value) for value in asdict(problem).values()])


def _harmless(value: object) -> object:
    """A cell that no spreadsheet takes for a formula: an apostrophe marks it as text."""
    if isinstance(value, str) and value.startswith(_FORMULA_STARTS):
        return f"'{value}"
    return "" if value is None else value
