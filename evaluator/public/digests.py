"""Digests over canonical content, so that a new library version that writes other file bytes changes nothing."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc


class _Hash(Protocol):
    def update(self, content: bytes | memoryview, /) -> None: ...


def digest_mapping(content: Mapping[str, Any]) -> str:
    """Digest a JSON-like mapping.

    Args:
        content: Nested mappings, sequences, strings, numbers, booleans. Key order does not matter.

    Returns:
        64 lower-case hexadecimal digits of SHA-256.

    Example:
        >>> digest_mapping({"a": 1, "b": 2}) == digest_mapping({"b": 2, "a": 1})
        True
    """
    canonical = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return hashlib.sha256(canonical.encode()).hexdigest()


def digest_table(table: pa.Table, columns: Sequence[str]) -> str:
    """Digest the named columns of a table: names, row order, values and nulls, not chunking or file encoding.

    Args:
        table: Columns of string, integer, float, boolean or lists of these.
        columns: Which columns, in the order they are hashed.

    Returns:
        64 lower-case hexadecimal digits of SHA-256.

    Raises:
        TypeError: If a column has another type.
    """
    state = hashlib.sha256()
    for name in columns:
        state.update(f"{name}\0{table.num_rows}\0".encode())
        _hash_array(state, table.column(name).combine_chunks())
    return state.hexdigest()


def _hash_array(state: _Hash, values: pa.Array) -> None:
    if isinstance(values, pa.ChunkedArray):
        values = pa.concat_arrays(values.chunks) if values.num_chunks else pa.array([], values.type)
    if pa.types.is_dictionary(values.type):
        values = values.cast(values.type.value_type)
    kind = values.type
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        _hash_strings(state, values)
    elif pa.types.is_list(kind) or pa.types.is_large_list(kind):
        _hash_numbers(state, pc.fill_null(pc.list_value_length(values), -1), "<i8")
        _hash_array(state, pc.list_flatten(values))
    elif pa.types.is_boolean(kind) or pa.types.is_integer(kind):
        _hash_numbers(state, values.cast(pa.int64()), "<i8")
    elif pa.types.is_floating(kind):
        _hash_numbers(state, values, "<f8")
    else:
        raise TypeError(f"columns of type {kind} have no canonical form")


def _hash_numbers(state: _Hash, values: pa.Array, dtype: str) -> None:
    if values.null_count:
        raise TypeError("a column of numbers may not hold nulls")
    state.update(np.ascontiguousarray(values.to_numpy(zero_copy_only=False), dtype).tobytes())


def _hash_strings(state: _Hash, values: pa.Array) -> None:
    lengths = pc.fill_null(pc.binary_length(values), -1)
    _hash_numbers(state, lengths, "<i8")
    # Without nulls the texts lie end to end in one buffer: no Python string is made.
    texts = pc.fill_null(values.cast(pa.large_string()), "")
    _, offsets, content = texts.buffers()
    if content is not None:
        ends = np.frombuffer(offsets, np.int64)
        state.update(memoryview(content)[ends[texts.offset] : ends[texts.offset + len(texts)]])
