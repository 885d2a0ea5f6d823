"""A generated benchmark in PinPoint's result format, of any size, and runs for it."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa

from evaluator.importers.bundle_writer import GALLERY_SCHEMA, BundleParts, write_bundle
from evaluator.public.bundle import Benchmark
from evaluator.public.manifest import Display, Manifest, Protocol, ResamplingUnit, SliceAxis
from evaluator.public.query import Query
from evaluator.sealed.ground_truth import HARD_NEGATIVE, JUDGEMENT_SCHEMA, POSITIVE

DEPTH = 50
GALLERY_ID = "all"
N_POSITIVES = 3
N_NEGATIVES = 4


def image_id(number: int) -> str:
    return hashlib.md5(f"image {number}".encode()).hexdigest()


def query_id(number: int) -> str:
    return f"{number + 1:05d}"


def write_board(
    out: Path, *, name: str = "board", version: str = "1", n_queries: int = 12, n_images: int = 80, seed: int = 5
) -> Benchmark:
    """Write a bundle; query q's positives and negatives are drawn from the gallery without repetition."""
    return write_bundle(out, board_parts(name=name, version=version, n_queries=n_queries, n_images=n_images, seed=seed))


def board_parts(
    *, name: str = "board", version: str = "1", n_queries: int = 12, n_images: int = 80, seed: int = 5
) -> BundleParts:
    """The same bundle before it is written, to be changed."""
    judged = _judged(n_queries, n_images, seed)
    rows = [
        {"query_id": query_id(q), "image_id": image_id(int(image)), "label": label, "kind": "", "weight": 1.0}
        | {"multiplicity": 1}
        for q, images in enumerate(judged)
        for label, part in ((POSITIVE, images[:N_POSITIVES]), (HARD_NEGATIVE, images[N_POSITIVES:]))
        for image in part
    ]
    return BundleParts(
        manifest=_manifest(name, version),
        queries=[_query(q, n_images) for q in range(n_queries)],
        galleries=pa.table(
            {"gallery_id": [GALLERY_ID] * n_images, "image_id": [image_id(i) for i in range(n_images)]}, GALLERY_SCHEMA
        ),
        judgements=pa.Table.from_pylist(rows, JUDGEMENT_SCHEMA),
    )


def ranked_at_random(seed: int) -> Callable[[int, int], list[int]]:
    """A method that draws its lists."""

    def rank(query: int, n_images: int) -> list[int]:
        return np.random.default_rng((seed, query)).choice(n_images, DEPTH, replace=False).tolist()

    return rank


def run_file(n_queries: int = 12, n_images: int = 80, rank: Callable[[int, int], list[int]] | None = None) -> bytes:
    """An official result file."""
    rank = rank or ranked_at_random(1)
    lists = {
        query_id(q): {"retrieved_items": [image_id(image) for image in rank(q, n_images)]} for q in range(n_queries)
    }
    return json.dumps(lists).encode()


def _judged(n_queries: int, n_images: int, seed: int) -> list[list[int]]:
    draw = np.random.default_rng(seed)
    return [draw.choice(n_images, N_POSITIVES + N_NEGATIVES, replace=False).tolist() for _ in range(n_queries)]


def _query(number: int, n_images: int) -> Query:
    return Query(
        id=query_id(number),
        reference_images=(image_id(number % n_images),),
        modification=f"make it number {number}",
        gallery_id=GALLERY_ID,
        slices={"kind": (("odd", "even")[number % 2],)},
    )


def _manifest(name: str, version: str) -> Manifest:
    def protocol(title: str) -> Protocol:
        return Protocol(
            name=title.lower(),
            title=title,
            description="For tests.",
            list_length=(DEPTH, DEPTH),
            metrics=("mAP@10", "mAP@50", "precision@10", "negative_recall@10"),
            primary="mAP@10",
            truth="as_listed" if title == "Official" else "clean",
        )

    return Manifest(
        name=name,
        version=version,
        split="val",
        title="Board",
        summary="A generated benchmark.",
        homepage="https://example.org/",
        citation="",
        licence="CC0-1.0",
        terms="",
        ground_truth="public",
        run_format="pinpoint",
        gallery_policy="closed",
        image_id_pattern="[0-9a-f]{32}",
        resampling=ResamplingUnit("query", "query"),
        display=Display(percent=True, decimals=2),
        protocols=(protocol("Official"), protocol("Clean")),
        slice_axes=(SliceAxis("kind", "Kind"),),
    )
