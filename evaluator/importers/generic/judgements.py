"""The table of the ground truth, checked by itself and against the queries."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from evaluator.importers.generic import cells
from evaluator.importers.generic.faults import FaultLog
from evaluator.importers.generic.queries import QueryColumns
from evaluator.importers.generic.settings import Settings
from evaluator.importers.generic.tables import SourceTable, parents_of
from evaluator.public.lookup import positions_in
from evaluator.public.pairs import PairSet, pairs_of
from evaluator.sealed.ground_truth import GRADED, HARD_NEGATIVE, JUDGEMENT_SCHEMA, MOST_REPEATS, POSITIVE, TARGET

NEEDED = ("query_id", "image_id", "label")
KNOWN = tuple(JUDGEMENT_SCHEMA.names)
LABELS = (POSITIVE, HARD_NEGATIVE, TARGET, GRADED)
_LABEL_ARRAY = pa.array(LABELS, pa.string())
_WEIGHT = r"[0-9]{1,12}(?:\.[0-9]{0,18})?(?:[eE][+-]?[0-9]{1,2})?"
_COUNT = r"[1-9][0-9]{0,5}|1000000"


@dataclass(frozen=True)
class Judgements:
    """The ground truth in columns.

    Attributes:
        table: Where it stands.
        rows: Columns of JUDGEMENT_SCHEMA, N rows.
        queries: (N,) int positions of queries, -1 for unknown ones.
        images: (N,) int positions in ``image_ids``.
        image_ids: Different image ids.
        labels: (N,) int positions in LABELS, -1 for unknown ones.
    """

    table: SourceTable
    rows: pa.Table
    queries: NDArray[np.int64]
    images: NDArray[np.int64]
    image_ids: pa.Array
    labels: NDArray[np.int64]

    def of(self, label: str) -> NDArray[np.int64]:
        """Rows of a label."""
        return np.flatnonzero(self.labels == LABELS.index(label))


def read_judgements(
    table: SourceTable, settings: Settings, queries: QueryColumns | None, log: FaultLog
) -> Judgements | None:
    """Check the ground truth, reporting every fault.

    Returns:
        Its columns, or None if one that is needed is absent or of another type, or there are no queries to judge.
    """
    usable = cells.check_columns(table, NEEDED, KNOWN, log)
    if not cells.check_is_text(table, (*NEEDED, "kind"), log) or not usable:
        return None
    ids, images, labels = (table.texts(name) for name in NEEDED)
    for name in NEEDED[:2]:
        cells.check_filled(table, name, log)
    cells.check_known(table, "label", labels, _LABEL_ARRAY, log, kind="label-unknown", words="is no label")
    cells.check_pattern(table, "image_id", images, np.arange(table.n_rows), settings.image_id_pattern, log)
    weight = cells.numbers(table, "weight", 1.0, _WEIGHT, "a number of at least 0", log)
    counted = f"a whole number from 1 to {MOST_REPEATS:,}"
    multiplicity = cells.numbers(table, "multiplicity", 1, _COUNT, counted, log)
    if queries is None:
        return None
    cells.check_known(table, "query_id", ids, queries.ids, log, kind="query-unknown", words="is not among the queries")
    columns = [ids, images, labels, table.texts("kind"), pa.array(weight), pa.array(multiplicity.astype(np.int64))]
    image_ids = pc.unique(images)
    found = Judgements(
        table=table,
        rows=pa.table(columns, schema=JUDGEMENT_SCHEMA),
        queries=positions_in(ids, queries.ids),
        images=positions_in(images, image_ids),
        image_ids=image_ids,
        labels=positions_in(labels, _LABEL_ARRAY),
    )
    _check_against(found, queries, settings, log)
    return found


def _check_against(found: Judgements, queries: QueryColumns, settings: Settings, log: FaultLog) -> None:
    known = found.queries >= 0
    keys = (found.queries * len(found.image_ids) + found.images) * len(LABELS) + found.labels
    again = np.flatnonzero(known)[cells.repeats(keys[known])]
    remedy = "write it once, with a multiplicity if it counts more than once"
    log.report_rows("judgement-repeated", found.table, "image_id", again, "has this label twice for its query", remedy)
    positives = found.of(POSITIVE)
    bare = np.bincount(found.queries[positives][found.queries[positives] >= 0], minlength=len(queries.ids)) == 0
    remedy = "judge at least one image positive in the ground truth, or remove the query"
    log.report_rows("query-bare", queries.table, "query_id", np.flatnonzero(bare), "has no positive", remedy)
    if any(protocol.truth == "graded" for protocol in settings.protocols) and not len(found.of(GRADED)):
        words = f'has no row with the label {GRADED}, which a protocol with truth = "graded" needs'
        log.report("grades-absent", words, "add the grades", file=found.table.name)
    _check_excluded(found, queries, log)
    _warn(found, queries, log)


def _check_excluded(found: Judgements, queries: QueryColumns, log: FaultLog) -> None:
    excluded = _named(found, queries.excluded)
    positives = found.of(POSITIVE)
    odd = positives[excluded.holds(found.queries[positives], found.images[positives].astype(np.int32))]
    words = "is a positive of a query that excludes it"
    log.report_rows("positive-excluded", found.table, "image_id", odd, words, "take it out of one of the two")


def _warn(found: Judgements, queries: QueryColumns, log: FaultLog) -> None:
    positives, negatives = found.of(POSITIVE), found.of(HARD_NEGATIVE)
    references = _named(found, queries.references)
    own = positives[references.holds(found.queries[positives], found.images[positives].astype(np.int32))]
    words = "is a positive and the reference image of the same query"
    log.report_rows("positive-reference", found.table, "image_id", own, words, severity="warning")
    pairs = pairs_of(found.queries[positives], found.images[positives], len(found.image_ids))
    both = negatives[pairs.holds(found.queries[negatives], found.images[negatives].astype(np.int32))]
    words = "is both positive and hard negative for its query"
    remedy = 'truth = "clean" leaves such images out'
    log.report_rows("judged-both", found.table, "image_id", both, words, remedy, severity="warning")


def _named(found: Judgements, lists: pa.Array) -> PairSet:
    """The images that each query names, where they are judged at all."""
    return pairs_of(parents_of(lists), positions_in(pc.list_flatten(lists), found.image_ids), len(found.image_ids))
