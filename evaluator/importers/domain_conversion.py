"""Domain conversion: from an image in one domain to images of the same class in another; four datasets.

Reads the lists of the FreeDom release: lines of path, domain and class, parted by blanks. Every image of the database
is ranked for every query, the query's own image among them, once for each target domain. Where that domain holds no image
of the query's class nothing can be found, and the organisers' code counts the query as 0: its only positive is one that
no list can reach.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal, get_args

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from evaluator.importers.bundle_writer import BundleParts, ImportSourceError
from evaluator.importers.csv_files import read_rows
from evaluator.public.bundle import GALLERY_SCHEMA
from evaluator.public.manifest import Display, Manifest, Protocol, ResamplingUnit, SliceAxis
from evaluator.public.query import Query
from evaluator.sealed.ground_truth import JUDGEMENT_SCHEMA, POSITIVE

Dataset = Literal["ltll", "imagenet_r", "nico", "minidn"]

DATASETS: Final[tuple[Dataset, ...]] = get_args(Dataset)
ARROW: Final = "-->"
PAIR, SOURCE_IMAGE, SOURCE_DOMAIN = "pair", "source_image", "source_domain"
REMEDY: Final = "get it from https://github.com/NikosEfth/freedom"
CITATION: Final = """@inproceedings{efthymiadis2025freedom,
  title={Composed Image Retrieval for Training-Free Domain Conversion},
  author={Efthymiadis, Nikos and Psomas, Bill and Laskar, Zakaria and Karantzalos, Konstantinos and Avrithis, Yannis and Chum, Ondrej and Tolias, Giorgos},
  booktitle={IEEE/CVF Winter Conference on Applications of Computer Vision},
  year={2025}
}"""
OFFICIAL: Final = Protocol(
    name="official",
    title="Official",
    description=(
        "As the organisers' evaluation code: the whole database is ranked for each query and target domain, and every "
        "pair of domains weighs the same. mAP is the area under trapezoids, unrounded; a metric named "
        "official rounds each pair to two decimals of a per cent and their mean again, as the published tables do; mAP_standard takes "
        "non-interpolated AP. Precision divides by the smaller of K and the positives. A query whose class the target "
        "domain does not hold counts, and scores 0."
    ),
    list_length=(1, 100_000),
    metrics=("mAP", "mAP_official", "mAP_standard"),
    primary="mAP",
    full_gallery=True,
    average_over=PAIR,
    attainable_precision=True,
)


@dataclass(frozen=True, slots=True)
class _Files:
    """Where a dataset's lists are and what its domains are called.

    Attributes:
        title: The dataset's name.
        queries: File of the query images.
        database: File of the database images; the same where every image is a query.
        labels: Domain in the files -> as the organisers' code calls it, where that differs.
        cutoffs: At which their code takes recall and precision; `COMMON_CUTOFFS` are taken on all datasets.
    """

    title: str
    queries: str
    database: str
    labels: Mapping[str, str]
    cutoffs: tuple[int, int]


COMMON_CUTOFFS: Final = (5, 10)

_UNREACHABLE: Final = np.array([-1], np.int64)
"""In place of the positions of positives, where there are none."""

_FILES: Final[Mapping[Dataset, _Files]] = {
    "ltll": _Files("LTLL", "full_files.csv", "full_files.csv", {"New": "Today", "Old": "Archive"}, (5, 10)),
    "imagenet_r": _Files("ImageNet-R", "full_files.csv", "full_files.csv", {"real": "photo"}, (10, 50)),
    "nico": _Files("NICO++", "query_files.csv", "database_files.csv", {"dim": "dimlight"}, (50, 100)),
    "minidn": _Files("MiniDN", "query_files.csv", "database_files.csv", {"real": "photo"}, (50, 100)),
}


@dataclass(frozen=True)
class _Images:
    """The images of one list, in its order."""

    paths: list[str]
    domains: list[str]
    classes: list[str]

    def cells(self) -> dict[tuple[str, str], NDArray[np.int64]]:
        """(domain, class) -> positions of its images."""
        found: dict[tuple[str, str], list[int]] = {}
        for place, cell in enumerate(zip(self.domains, self.classes, strict=True)):
            found.setdefault(cell, []).append(place)
        return {cell: np.array(places, np.int64) for cell, places in found.items()}


def read_domain_conversion(source: Path, dataset: Dataset) -> BundleParts:
    """Read one dataset's official lists.

    Args:
        source: The dataset's folder, or the folder that holds it.
        dataset: Which of the four.

    Raises:
        ImportSourceError: If a file is missing or is not what its name says.
    """
    files = _FILES[dataset]
    folder = source / dataset if (source / dataset).is_dir() else source
    database = _read(folder / files.database, files)
    images = database if files.queries == files.database else _read(folder / files.queries, files)
    _check_classes(folder / files.queries, images, database)
    queries, judgements = _queries(dataset, images, database)
    return BundleParts(
        manifest=_manifest(dataset, files),
        queries=queries,
        galleries=pa.table({"gallery_id": [dataset] * len(database.paths), "image_id": database.paths}, GALLERY_SCHEMA),
        judgements=judgements,
        show_judgements=False,
    )


def _read(path: Path, files: _Files) -> _Images:
    images = _Images([], [], [])
    for _, (image, domain, category) in read_rows(path, 3, REMEDY, delimiter=" "):
        images.paths.append(image)
        images.domains.append(files.labels.get(domain, domain))
        images.classes.append(category)
    if not images.paths:
        raise ImportSourceError(f"{path} is empty; {REMEDY}")
    return images


def _check_classes(path: Path, images: _Images, database: _Images) -> None:
    """A class that no image of the database has is a slip, not a query without an answer."""
    known = set(database.classes)
    for image, category in zip(images.paths, images.classes, strict=True):
        if category not in known:
            raise ImportSourceError(f"{path}: {image} is of the class {category!r}, as no database image is; {REMEDY}")


def _queries(dataset: Dataset, images: _Images, database: _Images) -> tuple[list[Query], pa.Table]:
    """Queries pair by pair, each in the order of the list, and their positives."""
    held, asked = database.cells(), images.cells()
    queries: list[Query] = []
    found: list[tuple[NDArray[np.int64], NDArray[np.int64]]] = []
    for source, target in _pairs(images, database):
        number = np.full(len(images.paths), -1, np.int64)
        for place, domain in enumerate(images.domains):
            if domain == source:
                number[place] = len(queries)
                queries.append(_query(dataset, images.paths[place], source, target))
        for (domain, category), places in asked.items():
            if domain == source:
                positives = held.get((target, category), _UNREACHABLE)
                found.append((np.repeat(number[places], len(positives)), np.tile(positives, len(places))))
    return queries, _judgements([query.id for query in queries], database.paths, found)


def _pairs(images: _Images, database: _Images) -> Iterator[tuple[str, str]]:
    targets = dict.fromkeys(database.domains)
    return ((source, target) for source in dict.fromkeys(images.domains) for target in targets if source != target)


def _query(dataset: Dataset, path: str, source: str, target: str) -> Query:
    pair = f"{source}{ARROW}{target}"
    return Query(
        id=f"{pair}|{path}",
        reference_images=(path,),
        modification=target,
        gallery_id=dataset,
        slices={PAIR: (pair,), SOURCE_IMAGE: (path,), SOURCE_DOMAIN: (source,)},
    )


def _judgements(
    query_ids: list[str], image_ids: list[str], found: list[tuple[NDArray[np.int64], NDArray[np.int64]]]
) -> pa.Table:
    """Millions of positives as numbers of a few texts, in the order of the queries; null for what no list can reach."""
    queries = np.concatenate([queries for queries, _ in found]) if found else np.empty(0, np.int64)
    images = np.concatenate([images for _, images in found]) if found else np.empty(0, np.int64)
    order = np.argsort(queries, kind="stable")
    images = images[order].astype(np.int32)
    n = len(order)
    return pa.table(
        {
            "query_id": pa.DictionaryArray.from_arrays(queries[order].astype(np.int32), query_ids),
            "image_id": pa.DictionaryArray.from_arrays(pa.array(images, mask=images < 0), image_ids),
            "label": pa.DictionaryArray.from_arrays(np.zeros(n, np.int32), [POSITIVE]),
            "kind": pa.DictionaryArray.from_arrays(np.zeros(n, np.int32), [""]),
            "weight": np.ones(n),
            "multiplicity": np.ones(n, np.int64),
        }
    ).cast(JUDGEMENT_SCHEMA)


def _manifest(dataset: Dataset, files: _Files) -> Manifest:
    title = files.title
    cutoffs = sorted({*COMMON_CUTOFFS, *files.cutoffs})
    at_cutoffs = [f"{name}@{k}" for name in ("recall", "precision") for k in cutoffs]
    at_cutoffs += [f"{name}@{k}_official" for name in ("recall", "precision") for k in files.cutoffs]
    return Manifest(
        name=f"domain-conversion-{dataset.replace('_', '-')}",
        version="1",
        split="test",
        title=f"Domain conversion, {title}",
        summary=f"{title}: from an image in one domain to all images of the same class in another.",
        homepage="https://github.com/NikosEfth/freedom",
        citation=CITATION,
        licence="MIT (lists)",
        terms="The images have licences of their own.",
        ground_truth="public",
        run_format="domain_conversion",
        gallery_policy="closed",
        image_id_pattern=r".{1,300}",
        resampling=ResamplingUnit(axis=SOURCE_IMAGE, title="source image", strata=SOURCE_DOMAIN),
        display=Display(percent=True, decimals=2),
        protocols=(replace(OFFICIAL, metrics=(*OFFICIAL.metrics, *at_cutoffs)),),
        slice_axes=(SliceAxis(PAIR, "Source and target domain"),),
    )
