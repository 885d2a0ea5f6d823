"""Small benchmarks of each format, and a way to check any content against them."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from evaluator.formats.read import Reading, read_run
from evaluator.importers.bundle_writer import BundleParts, write_bundle
from evaluator.importers.cirr import read_cirr
from evaluator.importers.domain_conversion import read_domain_conversion
from evaluator.importers.fashioniq import read_fashioniq
from evaluator.importers.genecis import read_genecis
from evaluator.importers.icir import read_icir
from evaluator.public.bundle import GALLERY_SCHEMA, Benchmark
from evaluator.public.manifest import Display, Manifest, Protocol, ResamplingUnit
from evaluator.public.query import Query
from evaluator.sealed.ground_truth import JUDGEMENT_SCHEMA, POSITIVE
from tests.evaluator.small_bundle import write_small_bundle
from tests.evaluator.small_sources import write_cirr, write_fashioniq, write_genecis

IMAGES = tuple(hashlib.md5(bytes([i]), usedforsecurity=False).hexdigest() for i in range(12))

CIRCO_LIKE = Manifest(
    name="small-circo",
    version="1",
    split="val",
    title="Small CIRCO",
    summary="",
    homepage="",
    citation="",
    licence="",
    terms="",
    ground_truth="public",
    run_format="circo",
    gallery_policy="open",
    image_id_pattern=r"0|[1-9][0-9]{0,11}",
    resampling=ResamplingUnit(axis="query", title="query"),
    display=Display(percent=True, decimals=2),
    protocols=(
        Protocol(name="official", title="", description="", list_length=(4, 4), metrics=("mAP@4",), primary="mAP@4"),
    ),
    slice_axes=(),
)
PINPOINT_LIKE = replace(
    CIRCO_LIKE,
    name="small-pinpoint",
    title="Small PinPoint",
    run_format="pinpoint",
    gallery_policy="closed",
    image_id_pattern="[0-9a-f]{32}",
    protocols=(
        Protocol(
            name="official",
            title="",
            description="",
            list_length=(1, 4),
            metrics=("mAP@1", "mAP@4", "mAP@1_without_negatives"),
            primary="mAP@4",
            short_lists=True,
        ),
        Protocol(name="pairs", title="", description="", list_length=(2, 2), metrics=("mAP@2",), primary="mAP@2"),
    ),
)

Check = Callable[..., Reading]


def make(
    folder: Path,
    manifest: Manifest,
    references: Mapping[str, str],
    galleries: Mapping[str, Sequence[str]],
    exclude: Mapping[str, Sequence[str]] | None = None,
) -> Benchmark:
    """A bundle whose queries take the galleries in turn; the first image of the gallery, or "7", is the positive."""
    names = list(galleries) or ["all"]
    queries = [
        Query(query, (reference,), "but red", names[i % len(names)], exclude=tuple((exclude or {}).get(query, ())))
        for i, (query, reference) in enumerate(references.items())
    ]
    rows = [{"gallery_id": name, "image_id": image} for name, images in galleries.items() for image in images]
    judgements = [
        {
            "query_id": query.id,
            "image_id": galleries[query.gallery_id][0] if galleries else "7",
            "label": POSITIVE,
            "kind": "",
            "weight": 1.0,
            "multiplicity": 1,
        }
        for query in queries
    ]
    parts = BundleParts(
        manifest=manifest,
        queries=queries,
        galleries=pa.Table.from_pylist(rows, GALLERY_SCHEMA),
        judgements=pa.Table.from_pylist(judgements, JUDGEMENT_SCHEMA),
    )
    return write_bundle(folder / manifest.name, parts)


@pytest.fixture(scope="session")
def circo(tmp_path_factory) -> Benchmark:
    """Three queries over an open gallery of numbers, lists of exactly four."""
    return make(tmp_path_factory.mktemp("circo"), CIRCO_LIKE, {"0": "100", "1": "101", "2": "102"}, {})


@pytest.fixture(scope="session")
def pinpoint(tmp_path_factory) -> Benchmark:
    """Three queries over a closed gallery of twelve signatures, lists of one to four."""
    references = {"00001": IMAGES[9], "00002": IMAGES[10], "00004": IMAGES[11]}
    return make(tmp_path_factory.mktemp("pinpoint"), PINPOINT_LIKE, references, {"all": IMAGES})


@pytest.fixture(scope="session")
def two_galleries(tmp_path_factory) -> Benchmark:
    """Two queries with a gallery each; one may not return the second image of its own."""
    return make(
        tmp_path_factory.mktemp("two"),
        replace(PINPOINT_LIKE, name="two-galleries"),
        {"00001": IMAGES[8], "00002": IMAGES[9]},
        {"left": IMAGES[:6], "right": IMAGES[4:12]},
        {"00001": [IMAGES[1]]},
    )


@pytest.fixture(scope="session")
def cirr(tmp_path_factory) -> Benchmark:
    """Three pairs in two sets over sixty images, as a whole and as subset."""
    folder = tmp_path_factory.mktemp("cirr")
    return write_bundle(folder / "bundle", read_cirr(write_cirr(folder / "source"), "val"))


@pytest.fixture(scope="session")
def fashioniq(tmp_path_factory) -> Benchmark:
    """Two dresses, three shirts and four tops, each category with sixty images."""
    folder = tmp_path_factory.mktemp("fashioniq")
    return write_bundle(folder / "bundle", read_fashioniq(write_fashioniq(folder / "source"), "val", "original"))


@pytest.fixture(scope="session")
def genecis(tmp_path_factory) -> Benchmark:
    """Three queries with fifteen images each."""
    folder = tmp_path_factory.mktemp("genecis")
    return write_bundle(folder / "bundle", read_genecis(write_genecis(folder / "source"), "change_object"))


@pytest.fixture(scope="session")
def icir(tmp_path_factory) -> Benchmark:
    """Two instances with a query each."""
    folder = tmp_path_factory.mktemp("icir")
    (folder / "query_files.csv").write_text("q/a.jpg,at night,tower\nq/b.jpg,at night,bridge\n")
    rows = ["d/t0.jpg,at night,tower", "d/t1.jpg,by day,tower", "d/b0.jpg,at night,bridge", "d/b1.jpg,by day,bridge"]
    (folder / "database_files.csv").write_text("\n".join(rows) + "\n")
    return write_bundle(folder / "bundle", read_icir(folder))


@pytest.fixture(scope="session")
def domain_conversion(tmp_path_factory) -> Benchmark:
    """Three images in two domains."""
    folder = tmp_path_factory.mktemp("domains")
    (folder / "full_files.csv").write_text("a/1.jpg New tower\na/2.jpg New tower\na/3.jpg Old tower\n")
    return write_bundle(folder / "bundle", read_domain_conversion(folder, "ltll"))


@pytest.fixture(scope="session")
def own(tmp_path_factory) -> Benchmark:
    """An organiser's benchmark of four queries, lists by query id."""
    return write_small_bundle(tmp_path_factory.mktemp("own") / "bundle", run_format="lists")


@pytest.fixture
def check_files(tmp_path) -> Check:
    """Check the files of one run against a benchmark; bytes are written as they are, other values as JSON."""

    def check_files(benchmark: Benchmark, *contents: Any, **options: Any) -> Reading:
        paths = [tmp_path / f"{number}" for number in range(len(contents))]
        for path, content in zip(paths, contents, strict=True):
            path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
        return read_run(paths, benchmark, **options)

    return check_files


@pytest.fixture
def images() -> tuple[str, ...]:
    """The signatures of the small PinPoint's gallery."""
    return IMAGES


@pytest.fixture
def circo_lists() -> dict[str, Any]:
    """A faultless CIRCO file."""
    return {"0": [1, 2, 3, 4], "1": [5, 6, 7, 8], "2": [9, 10, 11, 12]}


@pytest.fixture
def pinpoint_lists(images) -> dict[str, Any]:
    """A faultless PinPoint file."""
    return {query: {"retrieved_items": list(images[:4])} for query in ("00001", "00002", "00004")}


@pytest.fixture
def check(tmp_path) -> Check:
    """Check bytes, or a JSON value, against a benchmark."""

    def check(content: Any, benchmark: Benchmark, protocol: str | None = None, **options: Any) -> Reading:
        path = tmp_path / "run.json"
        path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
        return read_run(path, benchmark, protocol, **options)

    return check


@pytest.fixture
def codes(check) -> Callable[..., dict[str, int]]:
    """The codes and counts of the problems that a check finds."""

    def codes(content: Any, benchmark: Benchmark, protocol: str | None = None, **options: Any) -> dict[str, int]:
        reading = check(content, benchmark, protocol, **options)
        assert (reading.run is None) == bool(reading.problems.n_errors)
        return reading.problems.counts

    return codes


@pytest.fixture
def only(check) -> Callable[..., Any]:
    """The one problem that a check finds."""

    def only(content: Any, benchmark: Benchmark, **options: Any) -> Any:
        problems = list(check(content, benchmark, **options).problems)
        assert len(problems) == 1, problems
        return problems[0]

    return only
