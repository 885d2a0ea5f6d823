"""An organiser's benchmark as the parts of a bundle."""

import pyarrow as pa
import pyarrow.compute as pc

from evaluator.importers.bundle_writer import BundleParts
from evaluator.importers.generic.queries import QueryColumns
from evaluator.importers.generic.rules import PARAPHRASE_AXIS, manifest_of
from evaluator.importers.generic.source import Source
from evaluator.public.query import Query
from evaluator.sealed.ground_truth import JUDGEMENT_SCHEMA, SLICE_SCHEMA


def parts_of(source: Source) -> BundleParts:
    """The parts of the benchmark's bundle; ground truth and sealed axes are in no public part of it."""
    settings, queries = source.settings, source.queries
    sealed = {axis.name for axis in settings.axes if axis.sealed}
    public = {name: lists.to_pylist() for name, lists in queries.axes.items() if name not in sealed}
    groups = queries.table.texts(PARAPHRASE_AXIS).to_pylist()
    columns = (queries.ids, queries.references, queries.modifications, queries.gallery_ids, queries.excluded)
    return BundleParts(
        manifest=manifest_of(settings),
        queries=[
            Query(
                id=query_id,
                reference_images=tuple(references),
                modification=modification,
                gallery_id=gallery_id,
                paraphrase_group=groups[row] or None,
                exclude=tuple(excluded),
                slices={name: tuple(values[row]) for name, values in public.items()},
            )
            for row, (query_id, references, modification, gallery_id, excluded) in enumerate(
                zip(*(column.to_pylist() for column in columns), strict=True)
            )
        ],
        galleries=source.gallery,
        judgements=JUDGEMENT_SCHEMA.empty_table() if source.judgements is None else source.judgements.rows,
        sealed_slices=_sealed_slices(queries, [name for name in queries.axes if name in sealed]),
        show_judgements=settings.ground_truth == "public",
        images=source.images,
    )


def _sealed_slices(queries: QueryColumns, names: list[str]) -> pa.Table:
    tables = [SLICE_SCHEMA.empty_table()]
    for name in names:
        lists = queries.axes[name]
        values = pc.list_flatten(lists)
        ids = queries.ids.take(pc.list_parent_indices(lists))
        tables.append(pa.table([ids, pa.array([name] * len(values), pa.string()), values], schema=SLICE_SCHEMA))
    return pa.concat_tables(tables)
