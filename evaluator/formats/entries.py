"""Fourth step of a check: the entries of all lists as one column of texts, with everything reported that is no id."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from evaluator.formats.json_values import OddNumber
from evaluator.formats.problems import ProblemLog
from evaluator.formats.result_format import RawColumns, RawLists, ResultFormat
from evaluator.formats.wording import named, shown

NULL = -1
"""The code of an entry that is no id."""

_LARGEST_READABLE = 10**9
"""Larger floats are no ids of any benchmark."""


@dataclass(frozen=True)
class Entries:
    """Ranked lists in columns.

    Attributes:
        keys: (L,) queries as messages name them.
        queries: (L,) positions in the benchmark's queries.
        offsets: (L + 1,) where each list begins in ``codes``.
        codes: (N,) int32 position of each entry in ``texts``, `NULL` where the entry is no id and that was reported.
        texts: (U,) different image ids as the file writes them.
    """

    keys: tuple[str, ...]
    queries: NDArray[np.int64]
    offsets: NDArray[np.int64]
    codes: NDArray[np.int32]
    texts: pa.Array

    @property
    def lengths(self) -> NDArray[np.int64]:
        """(L,) number of entries of each list."""
        return np.diff(self.offsets)

    @cached_property
    def list_of(self) -> NDArray[np.int32]:
        """(N,) the list of each entry."""
        return np.repeat(np.arange(len(self.keys), dtype=np.int32), self.lengths)

    def place(self, entry: int) -> tuple[str, int]:
        """Query as messages name it, and 1-based rank, of an entry."""
        row = int(np.searchsorted(self.offsets, entry, side="right")) - 1
        return self.keys[row], entry - int(self.offsets[row]) + 1


def collect_entries(
    raw: RawLists | RawColumns, queries: NDArray[np.int64], result_format: ResultFormat, log: ProblemLog
) -> Entries:
    """Put the entries of all lists that belong to a query into one column.

    Args:
        raw: What the file holds.
        queries: (L,) position of each list's query in the benchmark, negative where there is none.
    """
    if isinstance(raw, RawColumns):
        return _of_columns(raw, queries, result_format)
    readable = [row for row, ranked in enumerate(raw.lists) if ranked is not None and queries[row] >= 0]
    keys = tuple(result_format.query_name(raw.keys[row]) for row in readable)
    lists = [raw.lists[row] or [] for row in readable]
    flat = [entry for ranked in lists for entry in ranked]
    ids = _quick_column(flat, numbers=result_format.ids_are_numbers)
    nothing = pa.array([], pa.string())
    bare = Entries(
        keys, queries[readable], offsets_of([len(ranked) for ranked in lists]), np.empty(0, np.int32), nothing
    )
    encoded = (_careful_column(flat, bare, result_format, log) if ids is None else ids).dictionary_encode()
    codes = encoded.indices.fill_null(NULL).to_numpy(zero_copy_only=False).astype(np.int32)
    return replace(bare, codes=codes, texts=encoded.dictionary)


def offsets_of(lengths: Sequence[int] | NDArray[np.int64]) -> NDArray[np.int64]:
    """Where each of some lists begins when they are put end to end, and where the last one ends.

    Example:
        >>> offsets_of([2, 3])
        array([0, 2, 5])
    """
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths, dtype=np.int64)])


def _of_columns(raw: RawColumns, queries: NDArray[np.int64], result_format: ResultFormat) -> Entries:
    known = queries >= 0
    names = [result_format.query_name(key) for key in raw.keys]
    if known.all():
        return Entries(tuple(names), queries, raw.offsets, raw.codes, raw.texts)
    lengths = np.diff(raw.offsets)
    keys = tuple(name for name, counts in zip(names, known.tolist(), strict=True) if counts)
    codes = raw.codes[np.repeat(known, lengths)]
    return Entries(keys, queries[known], offsets_of(lengths[known]), codes, raw.texts)


def _quick_column(flat: list[Any], *, numbers: bool) -> pa.Array | None:
    kinds = set(map(type, flat))
    try:
        if kinds <= {str}:
            return pa.array(flat, pa.string())
        if kinds == {int} and numbers:
            return pa.array(flat, pa.int64()).cast(pa.string())
    except (UnicodeEncodeError, OverflowError, pa.ArrowInvalid):
        return None
    return None


def _careful_column(flat: list[Any], entries: Entries, result_format: ResultFormat, log: ProblemLog) -> pa.Array:
    texts: list[str | None] = []
    for number, value in enumerate(flat):
        text, fault = _to_text(value, numbers=result_format.ids_are_numbers)
        if fault is not None:
            _report(fault, value, number, entries, result_format, log)
            if fault not in log.forgiven and not _is_readable_id(value):
                text = None
        texts.append(text)
    return pa.array(texts, pa.string())


def _to_text(value: Any, *, numbers: bool) -> tuple[str | None, str | None]:
    """An entry as text, and the code of what is wrong with it; the text is what a lenient reader makes of it."""
    if isinstance(value, str):
        return (value, None) if _is_unicode(value) else (None, "encoding-surrogate")
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value), None if numbers else "value-number"
    if isinstance(value, float):
        return _float_to_text(value, numbers=numbers)
    if isinstance(value, OddNumber):
        return _odd_to_text(value, numbers=numbers)
    return None, {type(None): "value-null", bool: "value-bool"}.get(type(value), "value-nested")


def _is_readable_id(value: Any) -> bool:
    """Whether a faulty entry still says which image it means, so that it can be told whether that is repeated."""
    return isinstance(value, float) and value.is_integer() and 0 <= value <= _LARGEST_READABLE


def _float_to_text(value: float, *, numbers: bool) -> tuple[str | None, str]:
    if not np.isfinite(value):
        return None, "value-not-finite"
    text = str(int(value)) if numbers or value.is_integer() else str(value)
    return text, "value-fraction" if numbers else "value-number"


def _odd_to_text(value: OddNumber, *, numbers: bool) -> tuple[str | None, str | None]:
    if not value.text[-1].isdecimal():
        return None, "value-not-finite"
    return (value.text, None) if numbers else (None, "value-number")


def _is_unicode(text: str) -> bool:
    return text.isascii() or not re.search("[\ud800-\udfff]", text)


_MESSAGES = {
    "encoding-surrogate": "holds half of a surrogate pair",
    "value-null": "is null",
    "value-bool": "is true or false",
    "value-not-finite": "is not a finite number",
    "value-fraction": "is a number with a decimal point",
    "value-number": "is a number",
    "value-nested": "is {kind}",
}


def _report(code: str, value: Any, number: int, entries: Entries, result_format: ResultFormat, log: ProblemLog) -> None:
    if not log.has_room(code):
        log.count_only(code, 1)
        return
    query, rank = entries.place(number)
    what = _MESSAGES[code].format(kind=named(value))
    log.report(
        code,
        f"Query {query}, rank {rank}: the entry {what}.",
        query=query,
        rank=rank,
        value=shown(value),
        expected=_expected(value, result_format),
    )


def _expected(value: Any, result_format: ResultFormat) -> str:
    if not result_format.ids_are_numbers:
        return "an image id in double quotes"
    if isinstance(value, float) and np.isfinite(value) and value.is_integer():
        return str(int(value))
    return "an image id, an integer"
