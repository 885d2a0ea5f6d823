"""A run's lists laid beside the benchmark's queries, checked against the benchmark where nothing else has."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from evaluator.public.blocks import for_each_block
from evaluator.public.bundle import Benchmark
from evaluator.public.lookup import positions_in
from evaluator.public.manifest import Protocol
from evaluator.public.membership import outside_gallery
from evaluator.public.requirements import Requirements, requirements
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
        most: (Q,) int, the most images that the protocol allows each list.
        parts: (Q,) int, the part of each query; 0 where the protocol has none.
        absent_parts: Names of parts of which no query has a list.
        n_missing: Queries of the benchmark without a list, those of absent parts not counted.
        n_extra: Lists for queries that the benchmark does not have.
        n_outside: Entries that are not in their query's gallery; 0 where the gallery is open.
        n_repeating: Lists that hold an image more than once.
    """

    queries: NDArray[np.int64]
    items: NDArray[np.int32]
    lengths: NDArray[np.int64]
    most: NDArray[np.int64]
    parts: NDArray[np.int64]
    absent_parts: tuple[str, ...]
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
        BundleError: If the bundle does not have what the protocol rests on.
    """
    rows = positions_in(benchmark.query_id_array, pa.array(run.query_ids, pa.string()))
    asked = requirements(benchmark, protocol)
    queries = np.flatnonzero(rows >= 0)
    if len(queries) == 0:
        raise RunMismatchError(f"the run answers none of the {len(rows)} queries of {benchmark.manifest.title}")
    absent = absent_parts(queries, asked, protocol)
    rows = rows[queries]
    items = _padded(run, rows, asked.most[queries])
    lists = Lists(
        queries=queries,
        items=items,
        lengths=run.lengths[rows],
        most=asked.most[queries],
        parts=asked.parts[queries],
        absent_parts=tuple(protocol.parts[part].name for part in absent),
        n_missing=int((~np.isin(asked.parts, absent)).sum()) - len(queries),
        n_extra=run.n_queries - len(queries),
        n_outside=int(outside_gallery(benchmark, queries[:, None], items, _places(run, benchmark)).sum()),
        n_repeating=int(has_repeats(items).sum()),
    )
    if not lenient:
        _check(lists, run, benchmark, asked)
    return lists


def _places(run: Run, benchmark: Benchmark) -> NDArray[np.int64]:
    """(V,) position of each id of the run's vocabulary in the benchmark's image ids, -1 for none.

    Raises:
        RunMismatchError: If the vocabulary holds an id twice: then one image has two numbers.
    """
    is_open = benchmark.manifest.gallery_policy == "open"
    places = np.full(len(run.image_ids), -1) if is_open else benchmark.places_of(run.image_ids)
    if (places < 0).any():
        is_twice = pc.count_distinct(run.image_ids).as_py() != len(run.image_ids)
    else:
        is_twice = np.bincount(places, minlength=1).max() > 1
    if is_twice:
        raise RunMismatchError("the run's vocabulary holds an image id more than once")
    return places


def absent_parts(queries: NDArray[np.int64], asked: Requirements, protocol: Protocol) -> list[int]:
    """Positions of the protocol's parts of which none of the given queries is one."""
    present = set(np.unique(asked.parts[queries]).tolist())
    return [part for part in range(len(protocol.parts)) if part not in present]


def _padded(run: Run, rows: NDArray[np.int64], most: NDArray[np.int64]) -> NDArray[np.int32]:
    lengths = np.minimum(run.lengths[rows], most)
    depth = int(lengths.max(initial=0))
    starts = run.offsets[rows]
    if len(rows) and (lengths == depth).all() and (np.diff(starts) == depth).all():
        return run.items[starts[0] : starts[0] + len(rows) * depth].reshape(len(rows), depth)
    inside = np.arange(depth) < lengths[:, None]
    items = np.full(inside.shape, NO_IMAGE, np.int32)
    if (lengths == run.lengths[rows]).all() and np.array_equal(starts[1:], run.offsets[rows[:-1] + 1]):
        items[inside] = run.items[starts[0] : starts[0] + int(lengths.sum())]
    else:
        items[inside] = run.items[(starts[:, None] + np.arange(depth))[inside]]
    return items


def _check(lists: Lists, run: Run, benchmark: Benchmark, asked: Requirements) -> None:
    if lists.n_missing:
        answered = set(run.query_ids)
        wanted = np.isin(asked.parts, lists.parts)
        missing = next(q for q, counts in zip(benchmark.query_ids, wanted, strict=True) if counts and q not in answered)
        raise RunMismatchError(f"{lists.n_missing} queries have no list, the first is {missing!r}")
    if lists.n_extra:
        extra = min(set(run.query_ids).difference(benchmark.query_ids))
        raise RunMismatchError(f"{lists.n_extra} lists answer no query of the benchmark, one is {extra!r}")
    fewest = asked.fewest[lists.queries]
    outside = (lists.lengths < fewest) | (lists.lengths > lists.most)
    if outside.any():
        first = int(np.argmax(outside))
        low, high = int(fewest[first]), int(lists.most[first])
        wanted_words = f"exactly {high}" if low == high else f"{low} to {high}"
        query = benchmark.query_ids[lists.queries[first]]
        raise RunMismatchError(f"the list of query {query!r} holds {lists.lengths[first]} images, not {wanted_words}")
    if lists.n_outside:
        raise RunMismatchError(f"{lists.n_outside} entries are not in the gallery of their query")
    if lists.n_repeating:
        first = int(np.argmax(has_repeats(lists.items)))
        query = benchmark.query_ids[lists.queries[first]]
        raise RunMismatchError(f"the list of query {query!r} holds an image more than once")


_SORTED_AT_ONCE = 1 << 18


def has_repeats(items: NDArray[np.int32]) -> NDArray[np.bool_]:
    """(Q,) whether each padded list holds an image more than once.

    Example:
        >>> has_repeats(np.array([[7, 8, 7], [7, -1, -1]], np.int32))
        array([ True, False])
    """
    found = np.zeros(len(items), np.bool_)

    def look(block: slice) -> None:
        in_order = np.sort(items[block], axis=1)
        found[block] = ((in_order[:, 1:] == in_order[:, :-1]) & (in_order[:, 1:] != NO_IMAGE)).any(axis=1)

    for_each_block(look, len(items), max(1, _SORTED_AT_ONCE // max(1, items.shape[1])))
    return found


def repeats_in(items: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Mark every entry of padded lists that stands above in the same list.

    Example:
        >>> repeats_in(np.array([[7, 8, 7, -1, -1]], np.int32))
        array([[False, False,  True, False, False]])
    """
    marked = np.zeros(items.shape, np.bool_)
    rows = np.flatnonzero(has_repeats(items))
    order = np.argsort(items[rows], axis=1, kind="stable")
    in_order = np.take_along_axis(items[rows], order, axis=1)
    repeated = np.zeros(in_order.shape, np.bool_)
    repeated[:, 1:] = (np.diff(in_order, axis=1) == 0) & (in_order[:, 1:] != NO_IMAGE)
    of_rows = np.empty_like(repeated)
    np.put_along_axis(of_rows, order, repeated, axis=1)
    marked[rows] = of_rows
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
    touched = np.flatnonzero(deleted.any(axis=1))
    kept_first = np.argsort(deleted[touched], axis=1, kind="stable")
    rows = np.where(deleted[touched], np.int32(NO_IMAGE), items[touched])
    left = items.copy()
    left[touched] = np.take_along_axis(rows, kept_first, axis=1)
    return left
