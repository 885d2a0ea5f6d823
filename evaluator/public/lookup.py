"""Positions of texts in a vocabulary."""

from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

_MUCH_LARGER: Final = 4


def positions_in(values: pa.Array | pa.ChunkedArray, vocabulary: pa.Array) -> NDArray[np.int64]:
    """(N,) position of each value in a vocabulary of unique strings, -1 for nulls and what it does not hold.

    Args:
        values: (N,) strings, dictionary-encoded or not.
        vocabulary: (V,) strings.

    Example:
        >>> positions_in(pa.array(["b", "c", None]), pa.array(["a", "b"]))
        array([ 1, -1, -1])
    """
    if pa.types.is_dictionary(values.type):
        return _of_encoded(values, vocabulary)
    if len(vocabulary) > _MUCH_LARGER * len(values):
        return _of_few(values, vocabulary)
    return _index_in(values, vocabulary)


def _of_encoded(values: pa.Array | pa.ChunkedArray, vocabulary: pa.Array) -> NDArray[np.int64]:
    if isinstance(values, pa.ChunkedArray):
        values = values.unify_dictionaries().combine_chunks()
    if isinstance(values, pa.ChunkedArray):
        values = values.chunk(0) if values.num_chunks else pa.array([], pa.string()).dictionary_encode()
    places = np.append(positions_in(values.dictionary, vocabulary), -1)
    codes = pc.fill_null(values.indices, -1).to_numpy(zero_copy_only=False)
    return np.asarray(places[codes])


def _of_few(values: pa.Array | pa.ChunkedArray, vocabulary: pa.Array) -> NDArray[np.int64]:
    """Hash the few values and look for the vocabulary among them: hashing a large vocabulary is what takes time."""
    encoded = (
        values.combine_chunks().dictionary_encode()
        if isinstance(values, pa.ChunkedArray)
        else values.dictionary_encode()
    )
    if isinstance(encoded, pa.ChunkedArray):
        encoded = pa.array(values.to_pylist(), pa.string()).dictionary_encode()
    found = _index_in(vocabulary, encoded.dictionary)
    places = np.full(len(encoded.dictionary) + 1, -1, np.int64)
    held = np.flatnonzero(found >= 0)
    places[found[held]] = held
    codes = pc.fill_null(encoded.indices, len(encoded.dictionary)).to_numpy(zero_copy_only=False)
    return np.asarray(places[codes])


def _index_in(values: pa.Array | pa.ChunkedArray, vocabulary: pa.Array) -> NDArray[np.int64]:
    found = pc.fill_null(pc.index_in(values, value_set=vocabulary, skip_nulls=True), -1)
    # An array converts without a copy only on request, a chunked one refuses the request.
    flat = found.combine_chunks() if isinstance(found, pa.ChunkedArray) else found
    return np.asarray(flat.to_numpy(zero_copy_only=False), np.int64)
