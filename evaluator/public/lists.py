"""A run's lists laid beside the benchmark's queries, checked against the benchmark where nothing else has."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from evaluator.public.bundle import Benchmark
from evaluator.public.manifest import Protocol
from evaluator.public.run import Run

NO_IMAGE = -1


class RunMismatchError(ValueError):
    """A run that does not answer the benchmark under the protocol: the message names the first fault."""


@dataclass(frozen=True)
class Lists:
    """The lists of the benchmark's queries, in the benchmark's order, queries without a list left out.

    Attributes:
        queries: (Q,) int positions of the queries in the benchmark.
        items: (Q, D) int32 positions in the run's vocabulary, best first; NO_IMAGE beyond a list's end.
        lengths: (Q,) int, as submitted, before any cut.
        n_missing: Queries of the benchmark without a list.
        n_extra: Lists for queries that the benchmark does not have.
        n_outside: Entries that are not in their query's gallery; 0 where the gallery is open.
        n_repeating: Lists that hold an image more than once.
    """

    queries: NDArray[np.int64]
    items: NDArray[np.int32]
    lengths: NDArray[np.int64]
    n_missing: int
    n_extra: int
    n_outside: int
    n_repeating: int


def lists_of(run: Run, benchmark: Benchmark, protocol: Protocol, *, lenient: bool = False) -> Lists:
    """Lay a run's lists beside the benchmark's queries and cut them at the protocol's longest list.

    Args:
        lenient: Whether to score what there is, as official scorers do: missing queries are left out, extra ones and
            unknown images ignored, lists of any length and with repeats accepted.

    Raises:
        RunMismatchError: If not lenient and the run breaks a rule of the protocol; or if it answers no query at all.
    """
    rows = positions_in(pa.array(benchmark.query_ids, pa.string()), pa.array(run.query_ids, pa.string()))
    queries = np.flatnonzero(rows >= 0)
    if len(queries) == 0:
        raise RunMismatchError(f"the run answers none of the {len(rows)} queries of {benchmark.manifest.title}")
    rows = rows[queries]
    items = _padded(run, rows, protocol.list_length[1])
    lists = Lists(
        queries=queries,
        items=items,
        lengths=run.lengths[rows],
        n_missing=len(benchmark.query_ids) - len(queries),
        n_extra=run.n_queries - len(queries),
        n_outside=_count_outside(run, benchmark, queries, items),
        n_repeating=int(repeats_in(items).any(axis=1).sum()),
    )
    if not lenient:
        _check(lists, run, benchmark, protocol)
    return lists


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


def marks(
    items: NDArray[np.int32],
    keys: NDArray[np.int64],
    marked_keys: NDArray[np.int64],
    marked_images: NDArray[np.int64],
    n_images: int,
) -> NDArray[np.bool_]:
    """Mark the entries of padded lists whose (key of the list, image) is among the given pairs.

    Args:
        items: (Q, D) int32 as in `Lists`.
        keys: (Q,) int >= 0, such as the query itself or its gallery.
        marked_keys: (P,) int.
        marked_images: (P,) int positions in the run's vocabulary, negative for images that no list holds.
        n_images: Size of the run's vocabulary.

    Returns:
        (Q, D) bool, False beyond a list's end.

    Example:
        >>> marks(np.array([[2, 0], [2, -1]], np.int32), np.array([0, 1]), np.array([1]), np.array([2]), 3)
        array([[False, False],
               [ True, False]])
    """
    held = marked_images >= 0
    pairs = np.unique(marked_keys[held] * n_images + marked_images[held])
    if len(pairs) == 0:
        return np.zeros(items.shape, np.bool_)
    listed = keys[:, None] * n_images + items
    nearest = pairs[np.minimum(np.searchsorted(pairs, listed), len(pairs) - 1)]
    return np.asarray((nearest == listed) & (items != NO_IMAGE))


def _padded(run: Run, rows: NDArray[np.int64], longest: int) -> NDArray[np.int32]:
    lengths = np.minimum(run.lengths[rows], longest)
    ranks = np.arange(int(lengths.max(initial=0)))
    inside = ranks < lengths[:, None]
    items = np.full(inside.shape, NO_IMAGE, np.int32)
    items[inside] = run.items[(run.offsets[rows][:, None] + ranks)[inside]]
    return items


def _count_outside(run: Run, benchmark: Benchmark, queries: NDArray[np.int64], items: NDArray[np.int32]) -> int:
    if benchmark.manifest.gallery_policy == "open":
        return 0
    galleries = pa.array(benchmark.gallery_ids, pa.string())
    asked = benchmark.query_table.column("gallery_id").take(pa.array(queries))
    members = benchmark.gallery_table
    inside = marks(
        items,
        positions_in(asked, galleries),
        positions_in(members.column("gallery_id"), galleries),
        positions_in(members.column("image_id"), run.image_ids),
        len(run.image_ids),
    )
    return int(((items != NO_IMAGE) & ~inside).sum())


def _check(lists: Lists, run: Run, benchmark: Benchmark, protocol: Protocol) -> None:
    fewest, most = protocol.list_length
    answered = set(run.query_ids)
    if lists.n_missing:
        missing = next(query for query in benchmark.query_ids if query not in answered)
        raise RunMismatchError(f"{lists.n_missing} queries have no list, the first is {missing!r}")
    if lists.n_extra:
        extra = min(answered.difference(benchmark.query_ids))
        raise RunMismatchError(f"{lists.n_extra} lists answer no query of the benchmark, one is {extra!r}")
    outside = (lists.lengths < fewest) | (lists.lengths > most)
    if outside.any():
        first = int(np.argmax(outside))
        wanted = f"exactly {most}" if fewest == most else f"{fewest} to {most}"
        query = benchmark.query_ids[lists.queries[first]]
        raise RunMismatchError(f"the list of query {query!r} holds {lists.lengths[first]} images, not {wanted}")
    if lists.n_outside:
        raise RunMismatchError(f"{lists.n_outside} entries are not in the gallery of their query")
    if lists.n_repeating:
        first = int(np.argmax(repeats_in(lists.items).any(axis=1)))
        query = benchmark.query_ids[lists.queries[first]]
        raise RunMismatchError(f"the list of query {query!r} holds an image more than once")


def repeats_in(items: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Mark every entry of padded lists that stands above in the same list.

    Example:
        >>> repeats_in(np.array([[7, 8, 7, -1, -1]], np.int32))
        array([[False, False,  True, False, False]])
    """
    order = np.argsort(items, axis=1, kind="stable")
    in_order = np.take_along_axis(items, order, axis=1)
    repeated = np.zeros(items.shape, np.bool_)
    repeated[:, 1:] = (np.diff(in_order, axis=1) == 0) & (in_order[:, 1:] != NO_IMAGE)
    marked = np.empty_like(repeated)
    np.put_along_axis(marked, order, repeated, axis=1)
    return marked


def without(items: NDArray[np.int32], deleted: NDArray[np.bool_]) -> NDArray[np.int32]:
    """Delete marked entries from padded lists, what stood below moving up.

    Args:
        items: (Q, D) int32 as in `Lists`.
        deleted: (Q, D) bool.

    Returns:
        (Q, D) int32, NO_IMAGE at the ends.

    Example:
        >>> without(np.array([[7, 8, 9]], np.int32), np.array([[True, False, False]]))
        array([[ 8,  9, -1]], dtype=int32)
    """
    kept_first = np.argsort(deleted, axis=1, kind="stable")
    return np.take_along_axis(np.where(deleted, np.int32(NO_IMAGE), items), kept_first, axis=1)
