"""A benchmark of a few queries, for tests that need a whole bundle."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pyarrow as pa

from evaluator.importers.bundle_writer import BundleParts, write_bundle
from evaluator.public.bundle import GALLERY_SCHEMA, Benchmark
from evaluator.public.manifest import Display, LanguageRule, Manifest, Protocol, ResamplingUnit, SliceAxis
from evaluator.public.query import Query
from evaluator.sealed.ground_truth import HARD_NEGATIVE, JUDGEMENT_SCHEMA, POSITIVE, SLICE_SCHEMA, TARGET

LIST_LENGTH = 6
IMAGES = tuple(f"i{number}" for number in range(12))
METRICS = (
    "mAP@2",
    "mAP@6",
    "precision@2",
    "recall@6",
    "target_recall@2",
    "negative_recall@2",
    "mAP@2_without_negatives",
    "delta_mAP@2",
    "relative_delta_mAP@2",
    "linguistic_range",
    "linguistic_std",
)
OFFICIAL = Protocol(
    name="official",
    title="Official",
    description="",
    list_length=(1, LIST_LENGTH),
    metrics=METRICS,
    primary="mAP@2",
    short_lists=True,
    language=LanguageRule("need", "mAP@2"),
)
CLEAN = Protocol(
    name="clean",
    title="Clean",
    description="",
    list_length=(1, LIST_LENGTH),
    metrics=METRICS,
    primary="mAP@2",
    truth="clean",
    delete_references=True,
    short_lists=True,
    language=LanguageRule("need", "mAP@2"),
)


def manifest(**changes: object) -> Manifest:
    """The small benchmark's manifest, with other values for some keys."""
    values = {
        "name": "small",
        "version": "1",
        "split": "val",
        "title": "Small",
        "summary": "",
        "homepage": "https://example.org",
        "citation": "",
        "licence": "",
        "terms": "",
        "ground_truth": "public",
        "run_format": "pinpoint",
        "gallery_policy": "closed",
        "image_id_pattern": "i[0-9]+",
        "resampling": ResamplingUnit("need", "need"),
        "display": Display(percent=False, decimals=4),
        "protocols": (OFFICIAL, CLEAN),
        "slice_axes": (SliceAxis("colour", "Colour"), SliceAxis("secret", "Secret", sealed=True)),
        **changes,
    }
    return Manifest(**values)


QUERIES = tuple(
    Query(
        id=f"q{number}",
        reference_images=(f"i{number}",),
        modification="",
        gallery_id="all",
        slices={"colour": ("red", "blue") if number == 0 else ("red",)},
    )
    for number in range(4)
)
NEEDS = {"q0": "first", "q1": "first", "q2": "second", "q3": "third"}
SECRETS = {"q0": "left", "q1": "left", "q2": "right", "q3": "right"}
JUDGEMENTS: Mapping[str, Sequence[tuple[str | None, str, int]]] = {
    "q0": [("i4", POSITIVE, 2), ("i5", POSITIVE, 1), (None, HARD_NEGATIVE, 1), ("i6", HARD_NEGATIVE, 3)],
    "q1": [("i4", POSITIVE, 1), ("i7", POSITIVE, 1), ("i7", HARD_NEGATIVE, 1), ("i4", TARGET, 1)],
    "q2": [("i8", POSITIVE, 1), ("i2", POSITIVE, 1), ("i9", HARD_NEGATIVE, 1)],
    "q3": [("i10", POSITIVE, 1), ("i10", HARD_NEGATIVE, 1)],
}
"""Repeats, an entry that no list can reach, images that are both, and a reference that is a positive."""


def judgement_table(judgements: Mapping[str, Sequence[tuple[str | None, str, int]]] = JUDGEMENTS) -> pa.Table:
    """Query -> (image, label, multiplicity) as rows."""
    rows = [
        {"query_id": query, "image_id": image, "label": label, "kind": "", "weight": 1.0, "multiplicity": count}
        for query, judged in judgements.items()
        for image, label, count in judged
    ]
    return pa.Table.from_pylist(rows, JUDGEMENT_SCHEMA)


def write_small_bundle(
    out: Path,
    queries: Sequence[Query] = QUERIES,
    galleries: Sequence[tuple[str, str]] = tuple(("all", image) for image in IMAGES),
    **changes: object,
) -> Benchmark:
    """Write the small benchmark, with other values for some keys of its manifest."""
    slices = [("need", NEEDS), ("secret", SECRETS)]
    rows = [(query.id, axis, values[query.id]) for axis, values in slices for query in queries]
    columns = zip(*rows, strict=True)
    made = manifest(**changes)
    listed = galleries if made.gallery_policy == "closed" else ()
    parts = BundleParts(
        manifest=made,
        queries=queries,
        galleries=pa.table([list(column) for column in zip(*listed, strict=True)] or [[], []], schema=GALLERY_SCHEMA),
        judgements=judgement_table(),
        sealed_slices=pa.table(list(columns), schema=SLICE_SCHEMA),
    )
    return write_bundle(out, parts)
