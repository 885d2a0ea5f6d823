"""The join of a run and the ground truth: which ranks hold what, and how much there was to find."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from evaluator.public.bundle import Benchmark
from evaluator.public.lists import Lists, repeats_in, without
from evaluator.public.lookup import positions_in
from evaluator.public.manifest import Protocol
from evaluator.public.pairs import pairs_of
from evaluator.public.run import Run
from evaluator.sealed.ground_truth import GRADED, HARD_NEGATIVE, POSITIVE, TARGET, GroundTruth


@dataclass(frozen=True)
class Judged:
    """What metrics see of a run. D is the depth of the longest list.

    Attributes:
        queries: (Q,) int positions in the benchmark of the queries that count.
        positive_hits: (Q, D) bool, ranks that hold a positive; repeats count each time.
        negative_hits: (Q, D) bool, ranks that hold a hard negative.
        target_hits: (Q, D) bool, ranks that hold the target.
        n_positives: (Q,) int, each as often as the organiser lists it, entries that no list can reach included.
        n_negatives: (Q,) int, likewise.
        grades: (Q, D) float64, the grade of the image at each rank, 0 for images without one; None unless the
            protocol counts grades.
        n_dropped: Queries left out because the protocol leaves them no positive.
    """

    queries: NDArray[np.int64]
    positive_hits: NDArray[np.bool_]
    negative_hits: NDArray[np.bool_]
    target_hits: NDArray[np.bool_]
    n_positives: NDArray[np.int64]
    n_negatives: NDArray[np.int64]
    grades: NDArray[np.float64] | None
    n_dropped: int


@dataclass(frozen=True)
class _Judgements:
    """Rows of one label: row of the list, image in the run's vocabulary (-1 if it is not there), multiplicity, weight."""

    queries: NDArray[np.int64]
    images: NDArray[np.int64]
    counts: NDArray[np.int64]
    weights: NDArray[np.float64]


def judge(run: Run, lists: Lists, benchmark: Benchmark, truth: GroundTruth, protocol: Protocol) -> Judged:
    """Join lists and ground truth under a protocol.

    Args:
        run: The run that ``lists`` was made from.
        lists: The run's lists beside the benchmark's queries.
    """
    items = lists.items
    if protocol.delete_references:
        items = without(items, _references(run, lists, benchmark))
    judgements = truth.judgements
    if protocol.truth == "clean":
        items = without(items, repeats_in(items))
        judgements = _clean(judgements)
    asked = _locate(judgements, run, lists, benchmark)
    labels = {label: _of_label(judgements, label, asked) for label in (POSITIVE, HARD_NEGATIVE, TARGET)}
    n_queries = len(lists.queries)
    every = np.arange(n_queries)[:, None]
    hits = {
        label: pairs_of(rows.queries, rows.images, len(run.image_ids)).holds(every, items)
        for label, rows in labels.items()
    }
    n_positives = _totals(labels[POSITIVE], n_queries)
    kept = n_positives > 0
    return Judged(
        queries=lists.queries[kept],
        positive_hits=hits[POSITIVE][kept],
        negative_hits=hits[HARD_NEGATIVE][kept],
        target_hits=hits[TARGET][kept],
        n_positives=n_positives[kept],
        n_negatives=_totals(labels[HARD_NEGATIVE], n_queries)[kept],
        grades=_grades(_of_label(judgements, GRADED, asked), items, len(run.image_ids))[kept]
        if protocol.truth == "graded"
        else None,
        n_dropped=n_queries - int(kept.sum()),
    )


def _clean(judgements: pa.Table) -> pa.Table:
    """Each reachable image once, without those that are both positive and hard negative."""
    reachable = judgements.filter(pc.is_valid(judgements.column("image_id")))
    once = pa.array(np.ones(reachable.num_rows, np.int64))
    reachable = reachable.set_column(reachable.schema.get_field_index("multiplicity"), "multiplicity", once)
    queries, images, labels = (reachable.column(name).cast(pa.string()) for name in ("query_id", "image_id", "label"))
    pairs = pc.binary_join_element_wise(queries, images, "\0")
    is_positive, is_negative = pc.equal(labels, POSITIVE), pc.equal(labels, HARD_NEGATIVE)
    is_both = pc.and_(
        pc.is_in(pairs, value_set=pairs.filter(is_positive)), pc.is_in(pairs, value_set=pairs.filter(is_negative))
    )
    return reachable.filter(pc.invert(is_both))


def _locate(judgements: pa.Table, run: Run, lists: Lists, benchmark: Benchmark) -> _Judgements:
    """All rows, whatever their label; the list is -1 where the run has none."""
    row_of_query = np.full(len(benchmark.query_ids) + 1, -1, np.int64)
    row_of_query[lists.queries] = np.arange(len(lists.queries))
    return _Judgements(
        queries=row_of_query[positions_in(judgements.column("query_id"), pa.array(benchmark.query_ids, pa.string()))],
        images=positions_in(judgements.column("image_id"), run.image_ids),
        counts=np.asarray(judgements.column("multiplicity").to_numpy(), np.int64),
        weights=np.asarray(judgements.column("weight").to_numpy(), np.float64),
    )


def _of_label(judgements: pa.Table, label: str, rows: _Judgements) -> _Judgements:
    """The rows of one label that belong to a list."""
    is_label = positions_in(judgements.column("label"), pa.array([label])) == 0
    chosen = np.flatnonzero(is_label & (rows.queries >= 0))
    return _Judgements(rows.queries[chosen], rows.images[chosen], rows.counts[chosen], rows.weights[chosen])


def _totals(judgements: _Judgements, n_queries: int) -> NDArray[np.int64]:
    return np.asarray(np.bincount(judgements.queries, judgements.counts, n_queries), np.int64)


def _grades(rows: _Judgements, items: NDArray[np.int32], n_images: int) -> NDArray[np.float64]:
    pairs = pairs_of(rows.queries, rows.images, n_images)
    queries, ranks = np.nonzero(pairs.holds(np.arange(len(items))[:, None], items))
    held = rows.images >= 0
    keys, first = np.unique(rows.queries[held] * n_images + rows.images[held], return_index=True)
    listed = queries * n_images + items[queries, ranks]
    grades = np.zeros(items.shape)
    grades[queries, ranks] = rows.weights[held][first[np.searchsorted(keys, listed)]]
    return grades


def _references(run: Run, lists: Lists, benchmark: Benchmark) -> NDArray[np.bool_]:
    references = benchmark.query_table.column("reference_images").take(pa.array(lists.queries)).combine_chunks()
    if isinstance(references, pa.ChunkedArray):
        references = pa.concat_arrays(references.chunks)
    queries = np.asarray(pc.list_parent_indices(references).to_numpy(zero_copy_only=False), np.int64)
    images = positions_in(pc.list_flatten(references), run.image_ids)
    pairs = pairs_of(queries, images, len(run.image_ids))
    return pairs.holds(np.arange(len(lists.queries))[:, None], lists.items)
