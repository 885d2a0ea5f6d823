"""Checks of single cells of an organiser's tables, over whole columns."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from evaluator.formats.nearest import NearestIds
from evaluator.importers.generic.faults import SHOWN_PER_KIND, FaultLog, Severity
from evaluator.importers.generic.tables import SourceTable, is_list, parents_of, where
from evaluator.public.id_patterns import match_ids
from evaluator.public.lookup import positions_in

Rows = NDArray[np.int64]


def check_columns(table: SourceTable, needed: Sequence[str], known: Sequence[str], log: FaultLog) -> bool:
    """Report columns that are absent or that nobody asked for; whether all that are needed are there."""
    nearest = NearestIds(known)
    for name in table.columns:
        if name not in known:
            remedy = nearest.hint(name) or f"known are {', '.join(known)}"
            log.report("column-unknown", "is a column without a meaning", remedy, file=table.name, line=1, value=name)
    absent = [name for name in needed if name not in table.columns]
    for name in absent:
        log.report("column-absent", f"has no column {name}", "add it", file=table.name, line=1)
    return not absent


def check_is_text(table: SourceTable, names: Sequence[str], log: FaultLog) -> bool:
    """Report columns of lists where one text per row is expected."""
    odd = [name for name in names if name in table.columns and is_list(table.columns[name])]
    for name in odd:
        log.report("type-wrong", "holds lists", "write one text per row", file=table.name, column=f"column {name}")
    return not odd


def check_filled(table: SourceTable, name: str, log: FaultLog) -> None:
    """Report cells, or entries of lists, that are empty or have white space around them."""
    column = table.columns[name]
    values, rows = (
        (pc.list_flatten(column), parents_of(column)) if is_list(column) else (column, np.arange(table.n_rows))
    )
    trimmed = pc.utf8_trim_whitespace(values)
    empty, spaced = pc.equal(trimmed, ""), pc.not_equal(trimmed, values)
    log.report_rows("cell-empty", table, name, rows[where(empty)], "is empty", "write a value")
    log.report_rows(
        "cell-spaced", table, name, rows[where(pc.and_not(spaced, empty))], "has white space around it", "remove it"
    )


def check_entries(table: SourceTable, name: str, lists: pa.Array, log: FaultLog) -> None:
    """Report entries of lists that are empty, have white space around them, or occur twice in their list."""
    values, rows = pc.list_flatten(lists), parents_of(lists)
    trimmed = pc.utf8_trim_whitespace(values)
    odd = pc.or_(pc.equal(trimmed, ""), pc.not_equal(trimmed, values))
    remedy = "separate entries by | alone"
    log.report_rows("entry-odd", table, name, rows[where(odd)], "has an empty or padded entry", remedy)
    codes = values.dictionary_encode()
    keys = rows * (len(codes.dictionary) + 1) + codes.indices.to_numpy()
    again = repeats(keys)
    log.report_rows("entry-repeated", table, name, np.unique(rows[again]), "names an entry twice", "name it once")


def check_pattern(table: SourceTable, name: str, values: pa.Array, rows: Rows, pattern: str, log: FaultLog) -> None:
    """Report image ids that do not match the pattern.

    Args:
        values: (E,) ids.
        rows: (E,) the row of each.
    """
    different = pc.drop_null(pc.unique(values))
    odd = different.filter(pa.array(~match_ids(pattern, different)))
    found = where(pc.is_in(values, value_set=odd))
    shown = values.take(pa.array(found[:SHOWN_PER_KIND])).to_pylist()
    words = f"does not match image_id_pattern = '{pattern}'"
    log.report_rows("image-pattern", table, name, rows[found], words, "correct the id or the pattern", values=shown)


def check_known(
    table: SourceTable,
    name: str,
    values: pa.Array,
    allowed: pa.Array,
    log: FaultLog,
    *,
    kind: str,
    words: str,
    severity: Severity = "error",
    rows: Rows | None = None,
) -> None:
    """Report values that are not among those allowed, with the nearest one that is."""
    found = where(pc.invert(pc.is_in(values, value_set=allowed)))
    if not len(found):
        return
    nearest = NearestIds(allowed.to_pylist())
    expected = f"expected is {', '.join(allowed.to_pylist())}" if len(allowed) < 10 else ""
    for text, place in zip(values.take(pa.array(found[:SHOWN_PER_KIND])).to_pylist(), found.tolist(), strict=False):
        row = np.array([place if rows is None else rows[place]])
        hint = " ".join(filter(None, (expected and f"{expected}.", nearest.hint(text))))
        log.report_rows(kind, table, name, row, words, hint, values=[text], severity=severity)
    rest = found[SHOWN_PER_KIND:]
    log.report_rows(kind, table, name, rest if rows is None else rows[rest], words, severity=severity)


def numbers(
    table: SourceTable, name: str, default: float, pattern: str, expected: str, log: FaultLog
) -> NDArray[np.float64]:
    """(N,) the numbers of a column, the default where it is absent, empty or reported to be no number.

    Args:
        pattern: What a number looks like, in RE2's syntax.
        expected: The same for people.
    """
    if name not in table.columns or not check_is_text(table, [name], log):
        return np.full(table.n_rows, default)
    texts = table.columns[name]
    is_number = pc.match_substring_regex(texts, f"^(?:{pattern})$")
    odd = where(pc.and_not(pc.not_equal(texts, ""), is_number))
    log.report_rows("number-odd", table, name, odd, "does not fit", f"expected is {expected}")
    cells = pc.if_else(is_number, texts, str(default))
    return np.asarray(cells.cast(pa.float64()).to_numpy(zero_copy_only=False), np.float64)


def repeats(keys: NDArray[np.int64]) -> Rows:
    """Places whose key stands at an earlier place too.

    Example:
        >>> repeats(np.array([7, 8, 7]))
        array([2])
    """
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    return np.sort(order[1:][ordered[1:] == ordered[:-1]])


def repeated_texts(values: pa.Array) -> Rows:
    """Places whose text stands at an earlier place too."""
    return repeats(positions_in(values, pc.unique(values)))
