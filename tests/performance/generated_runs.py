"""Benchmarks and runs as large as real ones, made up from a seed: a bundle, an official result file, its ground truth."""

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa

from evaluator.formats.read import read_run
from evaluator.importers.bundle_writer import BundleParts, write_bundle
from evaluator.public.bundle import GALLERY_SCHEMA
from evaluator.public.manifest import Display, LanguageRule, Manifest, Protocol, ResamplingUnit, SliceAxis
from evaluator.public.query import Query
from evaluator.public.run import save_run
from evaluator.sealed.ground_truth import HARD_NEGATIVE, JUDGEMENT_SCHEMA, POSITIVE, SLICE_SCHEMA
from tests.performance.workload import EVERYTHING, THREE, THREE_METRICS, Workload

SEED = 20
AXES_OF_NEEDS = {
    "interest": 23,
    "query_category": 6,
    "images": 2,
    "declared_single": 2,
    "skin_tone": 5,
    "style": 17,
}
AXES_OF_WORDINGS = {"length": 3, "question": 2, "imperative": 2}
"""PinPoint's axes with as many values as there, and one more, the style: 62 slices in all.

The wordings of a need agree on the former.
"""

NEEDS_PER_QUERY = (1333, 7635)
PAST_THE_LIST = 200
"""Judged images stand at places up to so many beyond the end of a list, where nobody finds them."""


@dataclass(frozen=True)
class Content:
    """What is drawn for a benchmark.

    Attributes:
        manifest: Without digests.
        queries: In order.
        galleries: Gallery of each image, and the image.
        rankings: One int array of image positions per query.
        judged: (query, image, is positive) int arrays.
        units: The resampling unit of each query.
    """

    manifest: Manifest
    queries: Sequence[Query]
    galleries: tuple[Sequence[str], Sequence[str]]
    rankings: Sequence[np.ndarray]
    judged: tuple[np.ndarray, np.ndarray, np.ndarray]
    units: Sequence[str]


def make_pinpoint(folder: Path, *, n_queries: int = 7 * 7635, n_images: int = 109_600, depth: int = 100) -> Workload:
    """PinPoint seven times over: one gallery of 32-digit signatures, about 9 positives and 33 hard negatives a query."""
    draw = np.random.default_rng(SEED)
    images = [draw.bytes(16).hex() for _ in range(n_images)]
    ids = [f"{number:05d}" for number in range(1, n_queries + 1)]
    # Row q is an arithmetic sequence around the gallery, so that no image comes twice.
    steps = draw.choice([step for step in range(1, n_images) if np.gcd(step, n_images) == 1], n_queries)
    starts = draw.integers(0, n_images, n_queries)
    width = depth + PAST_THE_LIST
    places = (starts[:, None] + steps[:, None] * np.arange(width)) % n_images
    n_positives, n_negatives = draw.integers(1, 18, n_queries), draw.integers(3, 64, n_queries)
    order = np.argsort(draw.random((n_queries, width), np.float32), axis=1)
    chosen = np.arange(width) < (n_positives + n_negatives)[:, None]
    judged_queries, columns = np.nonzero(chosen)
    judged_images = places[judged_queries, order[judged_queries, columns]]
    needs = np.arange(n_queries) * NEEDS_PER_QUERY[0] // NEEDS_PER_QUERY[1]
    values = {axis: draw.integers(0, size, n_queries)[needs] for axis, size in AXES_OF_NEEDS.items()}
    values |= {axis: draw.integers(0, size, n_queries) for axis, size in AXES_OF_WORDINGS.items()}
    queries = [
        Query(
            id=query_id,
            reference_images=(images[starts[q] - 1],),
            modification="make it blue",
            gallery_id="all",
            slices={axis: (f"{axis} {codes[q]}",) for axis, codes in values.items()},
        )
        for q, query_id in enumerate(ids)
    ]
    content = Content(
        manifest=_pinpoint_manifest(depth),
        queries=queries,
        galleries=(["all"] * n_images, images),
        rankings=list(places[:, :depth]),
        judged=(judged_queries, judged_images, columns < n_positives[judged_queries]),
        units=[f"{need:05d}" for need in needs],
    )
    return _write(folder, content, wrapper="retrieved_items")


def make_icir(folder: Path, *, n_queries: int = 1883, n_instances: int = 202, n_images: int = 752_092) -> Workload:
    """i-CIR: every query ranks the whole gallery of its instance, of which up to 50 images are positives."""
    draw = np.random.default_rng(SEED)
    mean_size = n_images // n_instances
    sizes = draw.integers(mean_size * 3 // 4, mean_size * 5 // 4, n_instances)
    sizes[-1] += n_images - sizes.sum()
    starts = np.cumsum(sizes) - sizes
    names = [f"instance_{instance:03d}" for instance in range(n_instances)]
    of_image = np.repeat(np.arange(n_instances), sizes)
    images = [f"database/{names[of]}/{place:04d}.jpg" for of, place in zip(of_image, _count_within(sizes), strict=True)]
    of_query = np.arange(n_queries) * n_instances // n_queries
    rankings = [starts[of] + draw.permutation(sizes[of]) for of in of_query]
    n_positives, n_negatives = draw.integers(1, 51, n_queries), 50
    judged = [
        starts[of] + draw.permutation(sizes[of])[: n + n_negatives] for of, n in zip(of_query, n_positives, strict=True)
    ]
    queries = [
        Query(
            id=f"query/{names[of]}/{q:04d}.jpg|at night",
            reference_images=(f"query/{names[of]}/{q:04d}.jpg",),
            modification="at night",
            gallery_id=names[of],
            slices={"instance": (names[of],), "visual": (f"visual {of % 8}",), "textual": (f"textual {q % 12}",)},
        )
        for q, of in enumerate(of_query)
    ]
    content = Content(
        manifest=_icir_manifest(),
        queries=queries,
        galleries=([names[of] for of in of_image], images),
        rankings=rankings,
        judged=(
            np.repeat(np.arange(n_queries), n_positives + n_negatives),
            np.concatenate(judged),
            np.concatenate([np.arange(n + n_negatives) < n for n in n_positives]),
        ),
        units=[names[of] for of in of_query],
    )
    return _write(folder, content, wrapper=None)


def _count_within(sizes: np.ndarray) -> np.ndarray:
    return np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)


def _write(folder: Path, content: Content, wrapper: str | None) -> Workload:
    workload = Workload(folder)
    folder.mkdir(parents=True, exist_ok=True)
    ids, images = [query.id for query in content.queries], content.galleries[1]
    rows, judged_images, is_positive = content.judged
    n_judged = len(rows)
    names = np.array(images, np.object_)[judged_images]
    columns = [np.array(ids, np.object_)[rows], names, np.where(is_positive, POSITIVE, HARD_NEGATIVE)]
    judgements = pa.table([*columns, [""] * n_judged, np.ones(n_judged), np.ones(n_judged, np.int64)], JUDGEMENT_SCHEMA)
    benchmark = write_bundle(
        workload.bundle,
        BundleParts(
            manifest=content.manifest,
            queries=content.queries,
            galleries=pa.table(list(content.galleries), schema=GALLERY_SCHEMA),
            judgements=judgements,
            sealed_slices=pa.table([ids, ["unit"] * len(ids), list(content.units)], schema=SLICE_SCHEMA),
        ),
    )
    positives: dict[str, list[str]] = {query: [] for query in ids}
    for row, name in zip(rows[is_positive].tolist(), names[is_positive].tolist(), strict=True):
        positives[ids[row]].append(name)
    workload.positives.write_text(json.dumps(positives), encoding="utf-8")
    with workload.official.open("w", encoding="utf-8") as stream:
        stream.writelines(_official(ids, images, content.rankings, wrapper))
    reading = read_run(workload.official, benchmark)
    assert reading.run is not None, reading.problems.to_json()
    save_run(workload.canonical, reading.run)
    return workload


def _official(
    ids: Sequence[str], images: Sequence[str], rankings: Sequence[np.ndarray], wrapper: str | None
) -> Iterator[str]:
    """Pieces of the file as `json.dump` writes it."""
    quoted = [json.dumps(image) for image in images]
    before, after = ("[", "]") if wrapper is None else (f'{{"{wrapper}": [', "]}")
    for place, (query, ranking) in enumerate(zip(ids, rankings, strict=True)):
        listed = ", ".join([quoted[image] for image in ranking.tolist()])
        yield f"{', ' if place else '{'}{json.dumps(query)}: {before}{listed}{after}"
    yield "}"


def _manifest(
    name: str, run_format: str, protocols: tuple[Protocol, ...], axes: Sequence[str], pattern: str
) -> Manifest:
    return Manifest(
        name=name,
        version="1",
        split="test",
        title=name,
        summary="",
        homepage="https://example.org",
        citation="",
        licence="",
        terms="",
        ground_truth="public",
        run_format=run_format,
        gallery_policy="closed",
        image_id_pattern=pattern,
        resampling=ResamplingUnit("unit", "unit"),
        display=Display(percent=False, decimals=4),
        protocols=protocols,
        slice_axes=tuple(SliceAxis(axis, axis) for axis in axes),
    )


def _pinpoint_manifest(depth: int) -> Manifest:
    cutoffs = (1, 5, 10, 50)
    families = (
        *("mAP@{}", "mAP@{}_without_negatives", "delta_mAP@{}", "negative_recall@{}", "precision@{}", "recall@{}"),
        *("negative_share@{}", "nDCG@{}", "hit_rate@{}"),
    )
    metrics = (
        "mAP_standard",
        *(family.format(k) for family in families for k in cutoffs),
        "relative_delta_mAP@10",
        "linguistic_range",
        "linguistic_std",
    )
    three = Protocol(THREE, "Three", "", (depth, depth), THREE_METRICS, "mAP@10")
    language = LanguageRule("unit", "precision@10")
    everything = Protocol(EVERYTHING, "Everything", "", (depth, depth), metrics, "mAP@10", language=language)
    return _manifest(
        "generated-pinpoint", "pinpoint", (three, everything), [*AXES_OF_NEEDS, *AXES_OF_WORDINGS], "[0-9a-f]{32}"
    )


def _icir_manifest() -> Manifest:
    longest = (1, 100_000)
    metrics = ("macro_mAP", "micro_mAP", "min_mAP", "macro_mAP_standard", *THREE_METRICS)
    three = Protocol(THREE, "Three", "", longest, THREE_METRICS, "mAP_standard", full_gallery=True)
    everything = Protocol(
        EVERYTHING, "Everything", "", longest, metrics, "macro_mAP", full_gallery=True, macro="instance"
    )
    pattern = "(database|query)/instance_[0-9]{3}/[0-9]{4}[.]jpg"
    return _manifest("generated-icir", "icir", (three, everything), ("instance", "visual", "textual"), pattern)


MAKERS = {"pinpoint": make_pinpoint, "icir": make_icir}


def main() -> None:
    """Make one of them: `pinpoint FOLDER {"n_queries": 7635}`."""
    name, folder, sizes = sys.argv[1:]
    MAKERS[name](Path(folder), **json.loads(sizes))


if __name__ == "__main__":
    main()
