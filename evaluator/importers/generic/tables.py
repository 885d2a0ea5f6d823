"""An organiser's tables, CSV or Parquet, as columns of text that know their line numbers.

CSV is UTF-8 with commas, fields that hold commas, quotes or line breaks in double quotes, and a header line. A cell
that is a list separates its entries by ``|``. In Parquet, lists are ``list<string>``.
"""

import csv
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

LIST_SEPARATOR = "|"


@dataclass(frozen=True)
class SourceTable:
    """A table as it was read.

    Attributes:
        path: The file.
        columns: Name -> (N,) strings without nulls, or lists of strings, where a Parquet file has lists.
        n_rows: N.
    """

    path: Path
    columns: dict[str, pa.Array]
    n_rows: int

    @property
    def name(self) -> str:
        """The file's name."""
        return self.path.name

    @property
    def is_csv(self) -> bool:
        """Whether the file is text."""
        return self.path.suffix == ".csv"

    def texts(self, name: str, default: str = "") -> pa.Array:
        """(N,) strings of a column, the default in every row where there is no such column."""
        if name not in self.columns:
            return pa.array(np.full(self.n_rows, default, dtype=object), pa.string())
        return self.columns[name]

    def lists(self, name: str) -> pa.Array:
        """(N,) lists of strings; empty ones where there is no such column."""
        column = self.columns.get(name)
        if column is None:
            return pa.ListArray.from_arrays(pa.array(np.zeros(self.n_rows + 1, np.int32)), pa.array([], pa.string()))
        return column if is_list(column) else split_lists(column)

    def line_of(self, row: int) -> int:
        """1-based line where a row of a text file ends; 1-based number of the row in a Parquet file."""
        if not self.is_csv:
            return row + 1
        return int(self._lines[row]) if row < len(self._lines) else row + 2

    def shown(self, name: str, row: int) -> str:
        """The value at a place, as text."""
        value = self.columns[name][row].as_py()
        return LIST_SEPARATOR.join(value) if isinstance(value, list) else str(value)

    @cached_property
    def _lines(self) -> NDArray[np.int64]:
        """(N,) line of each row. Only files with faults are read a second time, for this."""
        lines = []
        with self.path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file)
            try:
                width = len(next(reader, []))
                lines = [reader.line_num for fields in reader if len(fields) == width]
            except csv.Error:
                # A field longer than Python's reader takes: from here on, rows are counted instead.
                return np.array([], np.int64)
        return np.array(lines, np.int64)


def is_list(column: pa.Array) -> bool:
    """Whether a column holds lists."""
    return bool(pa.types.is_list(column.type))


def split_lists(cells: pa.Array) -> pa.Array:
    """Cells to lists of strings, an empty cell to an empty list.

    Example:
        >>> split_lists(pa.array(["a|b", ""])).to_pylist()
        [['a', 'b'], []]
    """
    split = pc.split_pattern(cells, LIST_SEPARATOR)
    lengths = np.array(pc.list_value_length(split).to_numpy(zero_copy_only=False), np.int64)
    filled = np.asarray(pc.not_equal(cells, "").to_numpy(zero_copy_only=False), np.bool_)
    values = pc.list_flatten(split).filter(pa.array(np.repeat(filled, lengths)))
    lengths[~filled] = 0
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    return pa.ListArray.from_arrays(pa.array(offsets), values)


def parents_of(lists: pa.Array) -> NDArray[np.int64]:
    """(E,) the row of each entry of a column of lists."""
    return np.asarray(pc.list_parent_indices(lists).to_numpy(zero_copy_only=False), np.int64)


def where(mask: pa.Array) -> NDArray[np.int64]:
    """Rows in which a column of booleans is true."""
    return np.flatnonzero(np.asarray(mask.to_numpy(zero_copy_only=False), np.bool_))
