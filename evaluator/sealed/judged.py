"""The join of a run and the ground truth: which ranks hold what, and how much there was to find."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from evaluator.public.bundle import Benchmark
from evaluator.public.lists import NO_IMAGE, Lists, repeats_in, without
from evaluator.public.lookup import positions_in
from evaluator.public.manifest import Protocol
from evaluator.public.pairs import pairs_of
from evaluator.public.run import Run
from evaluator.sealed.ground_truth import GRADED, HARD_NEGATIVE, NO_ROWS, POSITIVE, TARGET, GroundTruth, LabelRows


@dataclass(frozen=True)
class JudgedRows:
    """Judgements of one label: row of the list, image in the run's vocabulary (-1 if not there), multiplicity, weight."""

    queries: NDArray[np.int64]
    images: NDArray[np.int64]
    counts: NDArray[np.int64]
    weights: NDArray[np.float64]


@dataclass(frozen=True)
class Judged:
    """What metrics see of a run. D is the depth of the longest list. Hits are looked for when a metric asks for them.

    Attributes:
        queries: (Q,) int positions in the benchmark of the queries that count.
        items: (Q, D) int32 positions in the run's vocabulary, NO_IMAGE beyond a list's end.
        rows: Label -> what is judged.
        n_images: Size of the run's vocabulary.
        n_positives: (Q,) int, each as often as the organiser lists it, entries that no list can reach included.
        n_negatives: (Q,) int, likewise.
        n_dropped: Queries left out because the protocol leaves them no positive.
        has_grades: Whether the protocol counts grades.
        attainable_precision: Whether its precision divides by min(positives, k) instead of k.
    """

    queries: NDArray[np.int64]
    items: NDArray[np.int32]
    rows: Mapping[str, JudgedRows]
    n_images: int
    n_positives: NDArray[np.int64]
    n_negatives: NDArray[np.int64]
    n_dropped: int
    has_grades: bool
    attainable_precision: bool

    @cached_property
    def positive_hits(self) -> NDArray[np.bool_]:
        """(Q, D) ranks that hold a positive; repeats count each time."""
        return self._hits(POSITIVE)

    @cached_property
    def negative_hits(self) -> NDArray[np.bool_]:
        """(Q, D) ranks that hold a hard negative."""
        return self._hits(HARD_NEGATIVE)

    @cached_property
    def target_hits(self) -> NDArray[np.bool_]:
        """(Q, D) ranks that hold the target."""
        return self._hits(TARGET)

    @cached_property
    def grades(self) -> NDArray[np.float64] | None:
        """(Q, D) grade of the image at each rank, 0 without one; None unless the protocol counts grades."""
        if not self.has_grades:
            return None
        rows, (queries, ranks) = self.rows[GRADED], np.nonzero(self._hits(GRADED))
        held = rows.images >= 0
        keys, first = np.unique(rows.queries[held] * self.n_images + rows.images[held], return_index=True)
        listed = queries * self.n_images + self.items[queries, ranks]
        grades = np.zeros(self.items.shape)
        grades[queries, ranks] = rows.weights[held][first[np.searchsorted(keys, listed)]]
        return grades

    def _hits(self, label: str) -> NDArray[np.bool_]:
        rows = self.rows[label]
        return pairs_of(rows.queries, rows.images, self.n_images).holds(np.arange(len(self.items))[:, None], self.items)


def judge(run: Run, lists: Lists, benchmark: Benchmark, truth: GroundTruth, protocol: Protocol) -> Judged:
    """Join lists and ground truth under a protocol.

    Args:
        run: The run that ``lists`` was made from.
        lists: The run's lists beside the benchmark's queries.
    """
    items = lists.items
    if protocol.delete_references:
        items = without(items, _references(run, lists, benchmark))
    if protocol.truth == "clean":
        items = without(items, repeats_in(items))
        truth = GroundTruth(_clean(truth.judgements), truth.slices)
    of_query = positions_in(truth.query_ids, benchmark.query_id_array)
    of_image = np.append(positions_in(truth.image_ids, run.image_ids), NO_IMAGE)
    kept = lists.queries[_has_positive(truth, of_query, lists.queries)]
    row_of_query = np.full(len(benchmark.query_ids) + 1, -1, np.int64)
    row_of_query[kept] = np.arange(len(kept))
    rows = {
        label: _located(truth.by_label.get(label, NO_ROWS), row_of_query[of_query], of_image)
        for label in (POSITIVE, HARD_NEGATIVE, TARGET, GRADED)
    }
    return Judged(
        queries=kept,
        items=items if len(kept) == len(items) else items[np.isin(lists.queries, kept)],
        rows=rows,
        n_images=len(run.image_ids),
        n_positives=_totals(rows[POSITIVE], len(kept)),
        n_negatives=_totals(rows[HARD_NEGATIVE], len(kept)),
        n_dropped=len(lists.queries) - len(kept),
        has_grades=protocol.truth == "graded",
        attainable_precision=protocol.attainable_precision,
    )


def _has_positive(truth: GroundTruth, of_query: NDArray[np.int64], queries: NDArray[np.int64]) -> NDArray[np.bool_]:
    """(Q,) whether each of the given queries has a positive."""
    is_judged = np.zeros(len(of_query), np.bool_)
    is_judged[truth.by_label.get(POSITIVE, NO_ROWS).queries] = True
    has_one = np.zeros(int(max(of_query.max(initial=-1), queries.max(initial=-1))) + 2, np.bool_)
    # A judged query that the benchmark does not have is at -1, the last place, which no query asks for.
    has_one[of_query[is_judged]] = True
    return has_one[queries]


def _located(rows: LabelRows, of_query: NDArray[np.int64], of_image: NDArray[np.int64]) -> JudgedRows:
    """The judgements of queries that have a list."""
    queries = of_query[rows.queries]
    if (queries < 0).any():
        chosen = np.flatnonzero(queries >= 0)
        images = of_image[rows.images[chosen]]
        return JudgedRows(queries[chosen], images, rows.counts[chosen], rows.weights[chosen])
    return JudgedRows(queries, of_image[rows.images], rows.counts, rows.weights)


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


def _totals(judgements: JudgedRows, n_queries: int) -> NDArray[np.int64]:
    return np.asarray(np.bincount(judgements.queries, judgements.counts, n_queries), np.int64)


def _references(run: Run, lists: Lists, benchmark: Benchmark) -> NDArray[np.bool_]:
    references = benchmark.query_table.column("reference_images").take(pa.array(lists.queries)).combine_chunks()
    if isinstance(references, pa.ChunkedArray):
        references = pa.concat_arrays(references.chunks)
    queries = np.asarray(pc.list_parent_indices(references).to_numpy(zero_copy_only=False), np.int64)
    images = positions_in(pc.list_flatten(references), run.image_ids)
    pairs = pairs_of(queries, images, len(run.image_ids))
    return pairs.holds(np.arange(len(lists.queries))[:, None], lists.items)
