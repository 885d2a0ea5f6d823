"""The lists of a run in the benchmark's order of queries, one at a time."""

from collections.abc import Iterator

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from evaluator.public.bundle import Benchmark
from evaluator.public.lookup import positions_in
from evaluator.public.run import Run


def rows_in_order(run: Run, benchmark: Benchmark) -> NDArray[np.int64]:
    """(L,) the run's lists in the benchmark's order of queries; those of other queries stand at the end."""
    places = positions_in(pa.array(run.query_ids, pa.string()), pa.array(benchmark.query_ids, pa.string()))
    return np.argsort(np.where(places < 0, len(benchmark.query_ids), places), kind="stable")


def ranked_queries(run: Run, benchmark: Benchmark) -> Iterator[tuple[str, list[str]]]:
    """Query id and image ids, best first, of each list."""
    for row in rows_in_order(run, benchmark).tolist():
        yield run.query_ids[row], run.ranked(row)


def in_order(run: Run, benchmark: Benchmark) -> Run:
    """The same run with its lists in the benchmark's order of queries."""
    rows = rows_in_order(run, benchmark)
    lengths = run.lengths[rows]
    offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths, dtype=np.int64)])
    entries = np.arange(len(run.items)) + np.repeat(run.offsets[rows] - offsets[:-1], lengths)
    return Run(tuple(run.query_ids[row] for row in rows.tolist()), run.image_ids, offsets, run.items[entries])
