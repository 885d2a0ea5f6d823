"""A handful of official-format result files for the mini benchmark, so that a new server has rows to show."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from evaluator.importers.mini.demo_methods import DEMO_METHODS, DemoMethod, Task
from evaluator.importers.mini.manifest import LIST_LENGTH, NAME
from evaluator.importers.mini.pixel_features import colour_features, pixel_features, read_pixels
from evaluator.public.bundle import Benchmark, load_benchmark
from evaluator.public.query import Query
from evaluator.sealed.ground_truth import POSITIVE, GroundTruthError, load_ground_truth

METHODS_FILE = "methods.json"


class DemoRunsError(ValueError):
    """A bundle that the demo runs are not for: the message names it and the remedy."""


def write_demo_runs(bundle: Path, out: Path) -> Path:
    """Write one result file per demo method, and methods.json that describes them.

    Args:
        bundle: A bundle of the mini benchmark, with both sides: the oracles read the ground truth.
        out: Directory for the files; made if needed.

    Returns:
        The path of methods.json: a list of ``{"file", "slug", "name", "description", "paradigm", "backbone"}``.

    Raises:
        DemoRunsError: If the bundle is of another benchmark, or has no sealed side.
    """
    benchmark = load_benchmark(bundle)
    if benchmark.manifest.name != NAME:
        found = benchmark.manifest.title
        raise DemoRunsError(f"{bundle} holds {found}; make a bundle with `cirboard import mini` and name that")
    try:
        judgements = _Judgements(bundle / "sealed")
    except GroundTruthError as error:
        raise DemoRunsError(f"the oracles among the runs read the sealed side of {bundle}: {error}") from None
    out.mkdir(parents=True, exist_ok=True)
    tasks = list(_tasks(benchmark, judgements))
    for number, method in enumerate(DEMO_METHODS):
        (out / _file_name(method)).write_text(json.dumps(_run(method, number, tasks)), encoding="utf-8")
    path = out / METHODS_FILE
    path.write_text(json.dumps([_described(method) for method in DEMO_METHODS], indent=2) + "\n", encoding="utf-8")
    return path


@dataclass(frozen=True, slots=True)
class _QueryTask:
    query_id: str
    gallery: NDArray[np.str_]
    task: Task


class _Judgements:
    """Image ids by query and by what they are to it."""

    def __init__(self, sealed_root: Path) -> None:
        self._images: dict[tuple[str, str], set[str]] = defaultdict(set)
        columns = load_ground_truth(sealed_root).judgements.select(["query_id", "image_id", "label", "kind"])
        for query_id, image_id, label, kind in zip(*columns.to_pydict().values(), strict=True):
            self._images[query_id, kind or label].add(image_id)

    def mask(self, query_id: str, kind: str, gallery: NDArray[np.str_]) -> NDArray[np.bool_]:
        """(G,) which images of the gallery are of that kind."""
        held = self._images[query_id, kind]
        return np.fromiter((image_id in held for image_id in gallery.tolist()), np.bool_, len(gallery))


class _PixelSimilarity:
    """Cosine between the reference images' mean and the gallery's images."""

    def __init__(self, image_ids: list[str], features: NDArray[np.float32]) -> None:
        self._row = {image_id: row for row, image_id in enumerate(image_ids)}
        self._features = features

    def of(self, query: Query, gallery: NDArray[np.str_]) -> NDArray[np.float32]:
        """(G,) cosines."""
        reference = self._rows(query.reference_images).mean(axis=0)
        similarity: NDArray[np.float32] = self._rows(gallery.tolist()) @ (reference / np.linalg.norm(reference))
        return similarity

    def _rows(self, image_ids: list[str] | tuple[str, ...]) -> NDArray[np.float32]:
        return self._features[[self._row[image_id] for image_id in image_ids]]


def _tasks(benchmark: Benchmark, judgements: _Judgements) -> Iterator[_QueryTask]:
    images = benchmark.public_root / "images"
    image_ids = sorted(path.stem for path in images.glob("*.png"))
    pixels = read_pixels(images, image_ids)
    by_all = _PixelSimilarity(image_ids, pixel_features(pixels))
    by_colour = _PixelSimilarity(image_ids, colour_features(pixels))
    galleries = _galleries(benchmark)
    for query in benchmark.queries:
        gallery = galleries[query.gallery_id]
        task = Task(
            modification=query.modification,
            similarity=by_all.of(query, gallery),
            colour_similarity=by_colour.of(query, gallery),
            positive=judgements.mask(query.id, POSITIVE, gallery),
            composed=judgements.mask(query.id, "composed", gallery),
            textual=judgements.mask(query.id, "textual", gallery),
        )
        yield _QueryTask(query.id, gallery, task)


def _galleries(benchmark: Benchmark) -> Mapping[str, NDArray[np.str_]]:
    members: dict[str, list[str]] = defaultdict(list)
    table = benchmark.gallery_table.select(["gallery_id", "image_id"])
    for gallery_id, image_id in zip(*table.to_pydict().values(), strict=True):
        members[gallery_id].append(image_id)
    return {gallery_id: np.array(image_ids) for gallery_id, image_ids in members.items()}


def _run(method: DemoMethod, number: int, tasks: list[_QueryTask]) -> dict[str, dict[str, list[str]]]:
    """The official result file: ``{query_id: {"retrieved_items": [...]}}``."""
    run = {}
    for position, asked in enumerate(tasks):
        scores = method.score(asked.task, np.random.default_rng([number, position]))
        order = np.argsort(-scores, kind="stable")[: LIST_LENGTH[1]]
        run[asked.query_id] = {"retrieved_items": asked.gallery[order].tolist()}
    return run


def _file_name(method: DemoMethod) -> str:
    return f"{method.slug}.json"


def _described(method: DemoMethod) -> dict[str, str]:
    return {
        "file": _file_name(method),
        "slug": method.slug,
        "name": method.name,
        "description": method.description,
        "paradigm": method.paradigm,
        "backbone": method.backbone,
    }
