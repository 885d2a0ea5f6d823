"""Axes that divide the queries, public and sealed ones alike, and the units that the bootstrap draws."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from evaluator.public.bundle import SLICE_PREFIX, Benchmark, BundleError
from evaluator.sealed.ground_truth import GroundTruth

QUERY_AXIS = "query"


@dataclass(frozen=True)
class Axis:
    """Which queries have which value. A query may have several values, or none.

    Attributes:
        values: (S,) the values, in order of first appearance among the benchmark's queries.
        queries: (N,) int positions of queries in the benchmark, not decreasing.
        codes: (N,) int positions in ``values``.
    """

    values: tuple[str, ...]
    queries: NDArray[np.int64]
    codes: NDArray[np.int64]


def read_axis(benchmark: Benchmark, truth: GroundTruth, name: str) -> Axis:
    """Read one axis, from the queries' public columns or from the sealed slices.

    Raises:
        BundleError: If the bundle has no axis of that name.
    """
    if name == QUERY_AXIS:
        every = np.arange(len(benchmark.query_ids))
        return Axis(benchmark.query_ids, every, every)
    column = SLICE_PREFIX + name
    if column in benchmark.query_table.column_names:
        lists = benchmark.query_table.column(column).combine_chunks()
        return _axis(pc.list_parent_indices(lists), pc.list_flatten(lists))
    rows = truth.slices.filter(pc.equal(truth.slices.column("axis"), name))
    if rows.num_rows == 0:
        raise BundleError(f"the bundle of {benchmark.manifest.title} has no axis {name!r}; import it again")
    ids = pa.array(benchmark.query_ids, pa.string())
    positions = pc.index_in(rows.column("query_id"), value_set=ids)
    if positions.null_count:
        raise BundleError(f"the axis {name!r} names a query that is not in the bundle; import it again")
    return _axis(positions, rows.column("value"))


def read_units(benchmark: Benchmark, truth: GroundTruth, name: str) -> Axis:
    """Read an axis on which every query has exactly one value.

    Raises:
        BundleError: If there is no such axis, or a query has no value or several.
    """
    axis = read_axis(benchmark, truth, name)
    if not np.array_equal(axis.queries, np.arange(len(benchmark.query_ids))):
        raise BundleError(f"every query needs exactly one value on the axis {name!r}; import the bundle again")
    return axis


def _axis(queries: pa.Array, values: pa.Array) -> Axis:
    positions = np.asarray(queries.to_numpy(), np.int64)
    order = np.argsort(positions, kind="stable")
    ordered = values.take(pa.array(order))
    if isinstance(ordered, pa.ChunkedArray):
        ordered = ordered.combine_chunks()
    encoded = ordered.dictionary_encode()
    codes = np.asarray(encoded.indices.to_numpy(zero_copy_only=False), np.int64)
    return Axis(tuple(encoded.dictionary.to_pylist()), positions[order], codes)
