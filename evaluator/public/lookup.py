"""Positions of texts in a vocabulary."""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray


def positions_in(values: pa.Array | pa.ChunkedArray, vocabulary: pa.Array) -> NDArray[np.int64]:
    """(N,) position of each value in a vocabulary of unique strings, -1 for nulls and what it does not hold.

    Example:
        >>> positions_in(pa.array(["b", "c", None]), pa.array(["a", "b"]))
        array([ 1, -1, -1])
    """
    found = pc.fill_null(pc.index_in(values, value_set=vocabulary, skip_nulls=True), -1)
    # An array converts without a copy only on request, a chunked one refuses the request.
    flat = found.combine_chunks() if isinstance(found, pa.ChunkedArray) else found
    return np.asarray(flat.to_numpy(zero_copy_only=False), np.int64)
