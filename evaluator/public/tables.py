"""Parquet tables of a bundle, held to the columns, types and nulls that all readers rely on."""

from collections.abc import Collection
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq


class TableError(ValueError):
    """A table that cannot be used: the message says what is wrong with it, without its name."""


def read_checked(
    path: Path, schema: pa.Schema, *, optional: Collection[str] = (), prefix: str = "", encoded: bool = False
) -> pa.Table:
    """Read a table and check it.

    Args:
        path: A Parquet file.
        schema: The columns that must be there, with their types.
        optional: Columns of the schema that may hold nulls.
        prefix: Further columns whose names start so are lists of strings; "" if there are none.
        encoded: Whether columns of strings are left dictionary-encoded, as they are in the file: of millions of rows
            few texts differ.

    Returns:
        The table with all its columns; those that are named here have exactly the type asked for, or with ``encoded``
        a dictionary of it.

    Raises:
        FileNotFoundError: If there is no file.
        TableError: If it is no Parquet file, or a column is absent, of another type, or holds nulls.
    """
    try:
        present = pq.read_schema(path).names if encoded else ()
        # A name that the file lacks would be no fault of Arrow's kind here; it is told below.
        strings = [field.name for field in schema if field.name in present and pa.types.is_string(field.type)]
        table = pq.ParquetFile(path, read_dictionary=strings).read()
    except FileNotFoundError:
        raise
    except (pa.ArrowException, OSError) as error:
        raise TableError(f"it is no whole Parquet file ({str(error).partition(chr(10))[0]})") from None
    wanted = list(schema)
    if prefix:
        wanted += [pa.field(name, pa.list_(pa.string())) for name in table.column_names if name.startswith(prefix)]
    for field in wanted:
        table = _with_column(table, field, may_be_null=field.name in optional)
    return table


def _with_column(table: pa.Table, field: pa.Field, *, may_be_null: bool) -> pa.Table:
    places = table.schema.get_all_field_indices(field.name)
    if len(places) != 1:
        raise TableError(f"it has {'no' if not places else 'more than one'} column {field.name}")
    column = table.column(places[0])
    if not _fits(column.type, field.type):
        raise TableError(f"its column {field.name} has type {column.type}, not {field.type}")
    if not may_be_null and _has_nulls(column):
        raise TableError(f"its column {field.name} holds nulls")
    if pa.types.is_dictionary(column.type):
        return table
    try:
        return table.set_column(places[0], field, column.cast(field.type))
    except pa.ArrowException as error:
        raise TableError(f"its column {field.name} is not {field.type} ({error})") from None


def _fits(found: pa.DataType, wanted: pa.DataType) -> bool:
    """Whether the one can be read as the other without changing what it says."""
    kinds = pa.types
    if kinds.is_list(wanted):
        return (kinds.is_list(found) or kinds.is_large_list(found)) and _fits(found.value_type, wanted.value_type)
    if kinds.is_dictionary(found):
        return _fits(found.value_type, wanted)
    if kinds.is_string(wanted):
        return bool(kinds.is_string(found) or kinds.is_large_string(found))
    if kinds.is_floating(wanted):
        return bool(kinds.is_floating(found) or kinds.is_integer(found))
    return bool(kinds.is_integer(found))


def _has_nulls(column: pa.ChunkedArray) -> bool:
    if column.null_count:
        return True
    is_list = pa.types.is_list(column.type) or pa.types.is_large_list(column.type)
    return bool(is_list and pc.list_flatten(column).null_count)
