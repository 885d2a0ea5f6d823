"""Lines of a TREC run that cannot be read, each with its number."""

from collections.abc import Iterator

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from evaluator.formats.problems import ProblemLog
from evaluator.formats.result_format import Content
from evaluator.formats.wording import VALUE_LENGTH, counted, cut

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]
N_COLUMNS = 6
_BLOCK_BYTES = 1 << 22
EXPECTED = "six columns: query Q0 image rank score tag"


def report_line_faults(
    text: Content, delimiter: str, table: pa.Table, bad_ranks: Flags, bad_scores: Flags, log: ProblemLog
) -> bool:
    """Report lines with a wrong number of columns, and ranks and scores that are none.

    Args:
        text: The file, its lines ended by line feeds.
        delimiter: One character.
        table: The lines with six columns, ranks and scores as texts.
        bad_ranks: (N,) which ranks are no whole numbers.
        bad_scores: (N,) which scores are no finite numbers.
        log: Where the faults go.

    Returns:
        Whether there was any.
    """
    starts, ends = _lines(text)
    n_columns = _count(text, delimiter, starts) + 1
    is_blank = starts == ends
    wrong = np.flatnonzero(~is_blank & (n_columns != N_COLUMNS))
    for line in log.keep_first("trec-columns", wrong):
        message = f"Line {line + 1:,} has {counted(int(n_columns[line]), 'column', 'columns')}."
        written = text[int(starts[line]) : min(int(ends[line]), int(starts[line]) + 4 * VALUE_LENGTH)]
        value = cut(written.decode("utf-8", "ignore"), VALUE_LENGTH)
        log.report("trec-columns", message, value=value, expected=EXPECTED)
    line_of_row = np.flatnonzero(~is_blank & (n_columns == N_COLUMNS))
    for code, bad, expected in (
        ("trec-rank", bad_ranks, "a whole number, counted from 0 or 1"),
        ("trec-score", bad_scores, "a finite number, higher is better"),
    ):
        _report_values(code, np.flatnonzero(bad), table, line_of_row, expected, log)
    return bool(len(wrong) or bad_ranks.any() or bad_scores.any())


def _report_values(code: str, bad: Ints, table: pa.Table, line_of_row: Ints, expected: str, log: ProblemLog) -> None:
    name = code.removeprefix("trec-")
    for row in log.keep_first(code, bad):
        value, query = table.column(name)[row].as_py(), table.column("query")[row].as_py()
        message = f"Line {line_of_row[row] + 1:,}, query {query}: the {name} is {cut(value, VALUE_LENGTH) or 'empty'}."
        log.report(code, message, query=query, value=value, expected=expected)


def _lines(text: Content) -> tuple[Ints, Ints]:
    """Where each line begins, and where it ends."""
    breaks = np.concatenate([places for _, places in _places(text, "\n")])
    starts = np.concatenate([np.zeros(1, np.int64), breaks + 1])
    ends = np.concatenate([breaks, np.array([len(text)], np.int64)])
    return starts, ends


def _count(text: Content, letter: str, starts: Ints) -> Ints:
    """(L,) how often a letter stands in each line."""
    counts = np.zeros(len(starts), np.int64)
    for first, places in _places(text, letter):
        line = int(np.searchsorted(starts, first, side="right")) - 1
        in_block = np.bincount(np.searchsorted(starts, places, side="right") - 1 - line)
        counts[line : line + len(in_block)] += in_block
    return counts


def _places(text: Content, letter: str) -> Iterator[tuple[int, Ints]]:
    """Where a letter stands, block by block: for all at once, a large file would need its size several times over."""
    letters = np.frombuffer(text, np.uint8)
    for first in range(0, len(letters), _BLOCK_BYTES):
        yield first, np.flatnonzero(letters[first : first + _BLOCK_BYTES] == ord(letter)) + first
