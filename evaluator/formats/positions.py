"""Gallery positions in place of image ids: the shortest way to write a run whose galleries are known."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from evaluator.formats.entries import NULL, offsets_of
from evaluator.formats.problems import ProblemLog
from evaluator.formats.result_format import RawColumns
from evaluator.public.bundle import Benchmark
from evaluator.public.lookup import positions_in

PAD = -1
"""Fills a list of positions up to the length of the longest."""

Ints = NDArray[np.int64]


class Galleries:
    """Where each query's gallery lies among all images of a benchmark."""

    def __init__(self, benchmark: Benchmark) -> None:
        names = pa.array(benchmark.gallery_ids, pa.string())
        rows = positions_in(benchmark.gallery_table.column("gallery_id"), names)
        images = positions_in(benchmark.gallery_table.column("image_id"), benchmark.image_ids)
        self.members = images[np.argsort(rows, kind="stable")].astype(np.int32)
        """All galleries end to end, each in its own order: places in the benchmark's image ids."""
        sizes = np.bincount(rows, minlength=len(names))
        starts = offsets_of(sizes)[:-1]
        asked = positions_in(benchmark.query_table.column("gallery_id"), names)
        self.starts = np.where(asked >= 0, starts[asked], 0) if len(names) else np.zeros(len(asked), np.int64)
        """(Q,) where each query's gallery begins in ``members``."""
        self.sizes = np.where(asked >= 0, sizes[asked], 0) if len(names) else np.zeros(len(asked), np.int64)
        """(Q,) images in each query's gallery."""


def read_positions(
    keys: list[str], offsets: Ints, positions: NDArray[np.integer], benchmark: Benchmark, log: ProblemLog
) -> RawColumns | None:
    """Turn lists of positions in each query's gallery into lists of images.

    Args:
        keys: (L,) query ids.
        offsets: (L + 1,) where each list begins.
        positions: (N,) 0-based positions; `PAD` may fill the end of a list.
        benchmark: Its galleries give the positions their meaning.
        log: Where positions outside their gallery are reported.

    Returns:
        The lists without pads, or None if the benchmark has no list of images; that was reported.
    """
    if benchmark.manifest.gallery_policy == "open":
        message = "The file holds gallery positions, and the gallery of this benchmark is open: it has no positions."
        log.report("format-wrong", message, expected="image ids")
        return None
    offsets, positions = _without_pads(offsets, positions)
    galleries = Galleries(benchmark)
    lengths = np.diff(offsets)
    queries = positions_in(pa.array(keys, pa.string()), pa.array(benchmark.query_ids, pa.string()))
    sizes = np.repeat(np.where(queries >= 0, galleries.sizes[queries], 0), lengths)
    starts = np.repeat(galleries.starts[queries], lengths)
    inside = (positions >= 0) & (positions < sizes)
    is_known = np.repeat(queries >= 0, lengths)
    _report_outside(np.flatnonzero(~inside & is_known), keys, offsets, positions, sizes, log)
    codes = np.full(len(positions), NULL, np.int32)
    codes[inside] = galleries.members[starts[inside] + positions[inside].astype(np.int64)]
    return RawColumns(keys, offsets, codes, benchmark.image_ids)


def _without_pads(offsets: Ints, positions: NDArray[np.integer]) -> tuple[Ints, NDArray[np.integer]]:
    """Cut the pads off the lists' ends; one within a list stays, to be reported."""
    if not (positions == PAD).any():
        return offsets, positions
    lists = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    rank = np.arange(len(positions)) - offsets[:-1][lists]
    filled = positions != PAD
    lengths = np.zeros(len(offsets) - 1, np.int64)
    np.maximum.at(lengths, lists[filled], rank[filled] + 1)
    return offsets_of(lengths), positions[rank < lengths[lists]]


def _report_outside(
    outside: Ints, keys: Sequence[str], offsets: Ints, positions: NDArray[np.integer], sizes: Ints, log: ProblemLog
) -> None:
    for entry in log.keep_first("position-outside", outside):
        row = int(np.searchsorted(offsets, entry, side="right")) - 1
        rank, position = entry - int(offsets[row]) + 1, int(positions[entry])
        log.report(
            "position-outside",
            f"Query {keys[row]}, rank {rank}: the gallery has no position {position}.",
            query=keys[row],
            rank=rank,
            value=str(position),
            expected=f"0 to {int(sizes[entry]) - 1}",
        )
