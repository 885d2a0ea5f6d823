"""How long the list of each query must be under a protocol."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from evaluator.public.bundle import SLICE_PREFIX, Benchmark, BundleError
from evaluator.public.lookup import positions_in
from evaluator.public.manifest import PART_AXIS, Protocol

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Requirements:
    """What a protocol asks of each query's list.

    Attributes:
        fewest: (Q,) int, fewest images.
        most: (Q,) int, most images.
        parts: (Q,) int, the part of each query, a position in the protocol's parts; 0 where it has none.
    """

    fewest: Ints
    most: Ints
    parts: Ints


def requirements(benchmark: Benchmark, protocol: Protocol) -> Requirements:
    """Look up what a protocol asks of each of the benchmark's queries.

    Raises:
        BundleError: If the protocol has parts and a query belongs to none or to several.
    """
    parts = _parts(benchmark, protocol)
    lengths = [part.list_length for part in protocol.parts] or [protocol.list_length]
    if protocol.full_gallery:
        sizes = _gallery_sizes(benchmark) - _n_excluded(benchmark)
        return Requirements(sizes, sizes, parts)
    each = np.array(lengths, np.int64)[parts]
    return Requirements(each[:, 0], each[:, 1], parts)


def _parts(benchmark: Benchmark, protocol: Protocol) -> Ints:
    n_queries = len(benchmark.query_ids)
    if not protocol.parts:
        return np.zeros(n_queries, np.int64)
    column = SLICE_PREFIX + PART_AXIS
    if column not in benchmark.query_table.column_names:
        raise BundleError(f"protocol {protocol.name!r} has parts, but queries.parquet has no column {column}")
    values = benchmark.query_table.column(column).to_pylist()
    places = {part.name: place for place, part in enumerate(protocol.parts)}
    if any(len(value) != 1 or value[0] not in places for value in values):
        raise BundleError(f"a query belongs to no part of protocol {protocol.name!r}, or to several; import it again")
    return np.fromiter((places[value[0]] for value in values), np.int64, n_queries)


def _gallery_sizes(benchmark: Benchmark) -> Ints:
    """(Q,) images in each query's gallery."""
    galleries = pa.array(benchmark.gallery_ids, pa.string())
    sizes = np.bincount(positions_in(benchmark.gallery_table.column("gallery_id"), galleries), minlength=len(galleries))
    asked = positions_in(benchmark.query_table.column("gallery_id"), galleries)
    return np.asarray(np.where(asked >= 0, sizes[asked], 0), np.int64)


def _n_excluded(benchmark: Benchmark) -> Ints:
    lengths = pc.list_value_length(benchmark.query_table.column("exclude"))
    return np.asarray(lengths.to_numpy(), np.int64)
