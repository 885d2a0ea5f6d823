"""Parquet tables for any benchmark: a row per image, or a row per query with a list of image ids or positions."""

from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from evaluator.formats.entries import NULL, offsets_of
from evaluator.formats.limits import Limits, in_words
from evaluator.formats.positions import read_positions
from evaluator.formats.problems import ProblemLog
from evaluator.formats.ranked_rows import RankedRows, lists_of_rows
from evaluator.formats.result_format import Content, RawColumns, ResultFormat
from evaluator.public.bundle import Benchmark

QUERY, RANK, IMAGE, IMAGES, POSITIONS = "query_id", "rank", "image_id", "image_ids", "positions"
LAYOUTS = ((QUERY, RANK, IMAGE), (QUERY, IMAGES), (QUERY, POSITIONS))
EXPECTED = "columns query_id, rank and image_id; or query_id and image_ids; or query_id and positions"
MAGIC = b"PAR1"
_ROWS_AT_ONCE = 1 << 16
_TEXTS = pa.dictionary(pa.int32(), pa.string())
_ROW_BYTES = 16
"""What a row or entry costs at least while it is read."""

Columns = dict[str, pa.ChunkedArray]


_DAMAGE = (pa.ArrowException, OSError, UnicodeDecodeError, KeyError)
"""What pyarrow raises on bytes that are something else; the last two for names of columns that are none."""


class _Refused(Exception):  # noqa: N818 - carries a problem to the one place that reports it
    def __init__(self, code: str, message: str, expected: str) -> None:
        super().__init__(message)
        self.code, self.message, self.expected = code, message, expected


def looks_like_parquet(content: Content) -> bool:
    """Whether these are the bytes of a Parquet file."""
    return content.startswith(MAGIC)


def read(
    content: Content, benchmark: Benchmark, result_format: ResultFormat, limits: Limits, log: ProblemLog
) -> RawColumns | None:
    """Read a Parquet table; problems are reported, and None is returned if there are no lists."""
    try:
        columns = _read_columns(content, limits, numbers=result_format.ids_are_numbers)
    except _Refused as refusal:
        log.report(refusal.code, refusal.message, expected=refusal.expected)
        return None
    except pa.ArrowMemoryError:
        raise
    except _DAMAGE as error:
        reason = str(error).partition("\n")[0]
        log.report("table-damaged", f"The Parquet file cannot be read: {reason}.")
        return None
    if _report_nulls(columns, log):
        return None
    if RANK in columns:
        return _read_rows(columns, log)
    return _read_list_rows(columns, benchmark, log)


def _read_columns(content: Content, limits: Limits, *, numbers: bool) -> Columns:
    """The columns of the file's layout, ids dictionary-encoded, read block by block within the limits."""
    schema = pq.ParquetFile(pa.BufferReader(pa.py_buffer(content))).schema_arrow
    layout = next((names for names in LAYOUTS if set(names) <= set(schema.names)), None)
    if layout is None:
        found = ", ".join(schema.names[:10])[:200] or "no columns"
        raise _Refused("format-wrong", f"The Parquet file has the columns: {found}.", EXPECTED)
    kinds = {name: _kind(name, schema, numbers=numbers) for name in layout}
    texts = [name for name in layout if name in {QUERY, IMAGE} and _is_text(schema.field(name).type)]
    file = pq.ParquetFile(pa.BufferReader(pa.py_buffer(content)), read_dictionary=texts)
    cap = limits.expanded_cap(len(content))
    _refuse_large(file.metadata.num_rows * _ROW_BYTES, cap)
    parts: dict[str, list[pa.Array]] = {name: [] for name in layout}
    for batch in _batches(file, layout, cap):
        for name in layout:
            parts[name].append(_cast(batch.column(name), kinds[name]))
    return {name: pa.chunked_array(parts[name], kinds[name]) for name in layout}


def _batches(file: pq.ParquetFile, layout: tuple[str, ...], cap: int) -> Iterator[pa.RecordBatch]:
    """Blocks of rows until the limit; metadata may understate what pages unfold to, so each block is measured."""
    used = 0
    for batch in file.iter_batches(batch_size=_ROWS_AT_ONCE, columns=list(layout), use_threads=False):
        used += batch.nbytes if len(layout) == len(LAYOUTS[1]) else batch.num_rows * _ROW_BYTES
        _refuse_large(used, cap)
        # Arrow takes a file's word for texts being UTF-8, and for places in a dictionary being there.
        batch.validate(full=True)
        yield batch


def _cast(column: pa.Array, kind: pa.DataType) -> pa.Array:
    """The column in another type; Arrow makes no dictionary of texts from numbers in one step."""
    if pa.types.is_dictionary(kind) and not pa.types.is_dictionary(column.type):
        return column.cast(pa.string()).dictionary_encode()
    return column.cast(kind)


def _refuse_large(n_bytes: int, cap: int) -> None:
    if n_bytes > cap:
        raise _Refused(
            "file-expands-too-much",
            f"The Parquet file unfolds to more than {in_words(cap)}.",
            f"at most {in_words(cap)} after unpacking a file of this size",
        )


def _kind(name: str, schema: pa.Schema, *, numbers: bool) -> pa.DataType:
    """The type in which a column is read, if it may have the one that it has."""
    if len(schema.get_all_field_indices(name)) != 1:
        raise _Refused("column-type", f"There is more than one column {name}.", f"one column {name}")
    found = schema.field(name).type
    wanted, value_type, allows_numbers, expected = {
        QUERY: (_TEXTS, _value_type(found), True, "text"),
        IMAGE: (_TEXTS, _value_type(found), numbers, "text"),
        RANK: (pa.int64(), found, True, "whole numbers"),
        IMAGES: (pa.large_list(pa.string()), _inner_type(found), numbers, "lists of text"),
        POSITIONS: (pa.large_list(pa.int64()), _inner_type(found), True, "lists of int32"),
    }[name]
    is_number = allows_numbers and pa.types.is_integer(value_type)
    if not is_number and not (_is_text(value_type) and name not in {RANK, POSITIONS}):
        raise _Refused("column-type", f"The column {name} has type {str(found)[:80]}.", expected)
    return wanted


def _value_type(kind: pa.DataType) -> pa.DataType:
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def _inner_type(kind: pa.DataType) -> pa.DataType:
    """What a list holds; no type where it is no list."""
    is_list = pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind)
    return _value_type(kind.value_type) if is_list else pa.null()


def _is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _report_nulls(columns: Columns, log: ProblemLog) -> bool:
    """Report rows without a query, rank or list; image ids that are null are reported with their rank."""
    found = False
    for name, column in columns.items():
        rows = np.flatnonzero(pc.is_null(column).to_numpy())
        for row in log.keep_first("column-null", rows):
            log.report("column-null", f"Row {row + 1:,}: {name} is null.", value="null")
        found |= len(rows) > 0
    return found


def _read_rows(columns: Columns, log: ProblemLog) -> RawColumns | None:
    ranks = columns[RANK].to_numpy()
    wrong = np.flatnonzero((ranks < 0) | (ranks >= 1 << 31))
    for row in log.keep_first("rank-gap", wrong):
        message = f"Row {row + 1:,} has rank {ranks[row]}."
        log.report("rank-gap", message, value=str(ranks[row]), expected="ranks from 0 or 1")
    if len(wrong):
        return None
    keys, queries = _encoded(columns[QUERY])
    texts, images = _encoded(columns[IMAGE])
    return lists_of_rows(RankedRows(keys.to_pylist(), queries, texts, images, ranks), log)


def _encoded(column: pa.ChunkedArray) -> tuple[pa.Array, NDArray[np.int32]]:
    """Different texts, and the one of each row. A dictionary may hold a text twice, so it is encoded again."""
    unified = column.unify_dictionaries()
    chunks = [chunk.indices.to_numpy(zero_copy_only=False) for chunk in unified.chunks]
    if not chunks:
        return pa.array([], pa.string()), np.empty(0, np.int32)
    codes = np.concatenate(chunks).astype(np.int32, copy=False)
    again = unified.chunk(unified.num_chunks - 1).dictionary.dictionary_encode()
    places = again.indices.to_numpy(zero_copy_only=False)
    return again.dictionary, codes if len(again.dictionary) == len(places) else places[codes]


def _read_list_rows(columns: Columns, benchmark: Benchmark, log: ProblemLog) -> RawColumns | None:
    query_codes = _encoded(columns[QUERY])
    keys = query_codes[0].take(pa.array(query_codes[1])).to_pylist()
    if _report_repeated(keys, log):
        return None
    ranked = columns[IMAGES if IMAGES in columns else POSITIONS].combine_chunks()
    offsets = offsets_of(pc.list_value_length(ranked).to_numpy(zero_copy_only=False).astype(np.int64))
    values = pc.list_flatten(ranked)
    if _report_null_entries(keys, offsets, values, log):
        return None
    if POSITIONS in columns:
        return read_positions(keys, offsets, values.to_numpy(zero_copy_only=False), benchmark, log)
    encoded = values.dictionary_encode()
    codes = encoded.indices.fill_null(NULL).to_numpy(zero_copy_only=False).astype(np.int32, copy=False)
    return RawColumns(keys, offsets, codes, encoded.dictionary)


def _report_repeated(keys: list[str], log: ProblemLog) -> bool:
    seen: set[str] = set()
    repeated = False
    for row, key in enumerate(keys):
        if key in seen:
            repeated = True
            log.report("json-key-repeated", f"Row {row + 1:,} holds query {key} again.", query=key)
        seen.add(key)
    return repeated


def _report_null_entries(keys: list[str], offsets: NDArray[np.int64], values: pa.Array, log: ProblemLog) -> bool:
    places = np.flatnonzero(values.is_null().to_numpy(zero_copy_only=False))
    for entry in log.keep_first("value-null", places):
        row = int(np.searchsorted(offsets, entry, side="right")) - 1
        rank = entry - int(offsets[row]) + 1
        message = f"Query {keys[row]}, rank {rank}: the entry is null."
        log.report("value-null", message, query=keys[row], rank=rank, value="null", expected="an image")
    return len(places) > 0
