"""Needs as the bundle's queries and judgements: every paraphrase is a query of its own."""

from collections.abc import Iterator, Sequence

import pyarrow as pa

from evaluator.importers.mini.manifest import INSTANCE_AXIS, NEED_AXIS
from evaluator.importers.mini.modifications import MODIFICATION_TYPES
from evaluator.importers.mini.needs import Need
from evaluator.importers.mini.words import form
from evaluator.public.query import Query
from evaluator.sealed.ground_truth import HARD_NEGATIVE, JUDGEMENT_SCHEMA, POSITIVE


def queries_of(need: Need) -> list[Query]:
    """One query per paraphrase, such as "i07-beach-styled-3"."""
    return [
        Query(
            id=query_id,
            reference_images=need.reference_images,
            modification=paraphrase,
            gallery_id=need.instance.id,
            paraphrase_group=need.id,
            slices=_slices(need, paraphrase),
        )
        for query_id, paraphrase in zip(query_ids(need), need.paraphrases, strict=True)
    ]


def query_ids(need: Need) -> list[str]:
    """The ids of a need's queries, in the order of its paraphrases."""
    return [f"{need.id}-{number}" for number in range(1, len(need.paraphrases) + 1)]


def judgements_table(needs: Sequence[Need]) -> pa.Table:
    """Positives and hard negatives of every query, columns of JUDGEMENT_SCHEMA."""
    query_column, image_column, label_column, kind_column = [], [], [], []
    for need in needs:
        judged = list(_judged(need))
        for query_id in query_ids(need):
            query_column += [query_id] * len(judged)
            image_column += [image_id for image_id, _, _ in judged]
            label_column += [label for _, label, _ in judged]
            kind_column += [kind for _, _, kind in judged]
    n_rows = len(query_column)
    columns = [query_column, image_column, label_column, kind_column, [1.0] * n_rows, [1] * n_rows]
    return pa.table(dict(zip(JUDGEMENT_SCHEMA.names, columns, strict=True)), schema=JUDGEMENT_SCHEMA)


def _judged(need: Need) -> Iterator[tuple[str, str, str]]:
    """Image id, label and kind of hard negative of every judged image."""
    for image_id in need.positives:
        yield image_id, POSITIVE, ""
    for kind, image_ids in need.hard_negatives.items():
        for image_id in image_ids:
            yield image_id, HARD_NEGATIVE, kind


def _slices(need: Need, paraphrase: str) -> dict[str, tuple[str, ...]]:
    return {
        "category": (need.instance.visual_category,),
        "modification": (MODIFICATION_TYPES[need.modification],),
        "group": (need.instance.body_tone,),
        "images": ("single" if len(need.reference_images) == 1 else "multi",),
        "form": (form(paraphrase),),
        INSTANCE_AXIS: (need.instance.id,),
        NEED_AXIS: (need.id,),
    }
