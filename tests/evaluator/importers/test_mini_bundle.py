"""The mini benchmark as a bundle, in a small edition."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from evaluator.importers.bundle_writer import ImportSourceError
from evaluator.importers.mini.benchmark import draw_benchmark
from evaluator.importers.mini.bundle import write_bundle
from evaluator.importers.mini.manifest import mini_manifest
from evaluator.importers.mini.sizes import Sizes
from evaluator.public.bundle import load_benchmark
from evaluator.sealed.ground_truth import POSITIVE, load_ground_truth

SMALL = Sizes(n_families=3, n_plain=4, n_per_modification=3, n_asked=3, n_look_alike_plain=1, n_unrelated=2)


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_bundle(tmp_path_factory.mktemp("mini") / "bundle", seed=7, sizes=SMALL, n_processes=1)


def content(directory: Path) -> dict[str, str]:
    """Digest of every file by its path."""
    files = sorted(path for path in directory.rglob("*") if path.is_file())
    return {str(path.relative_to(directory)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def test_two_processes_write_the_same_bundle_as_one(bundle: Path, tmp_path: Path) -> None:
    other = write_bundle(tmp_path / "bundle", seed=7, sizes=SMALL, n_processes=2)
    assert content(other) == content(bundle)


@pytest.mark.parametrize("hash_seed", ["1", "2"])
def test_the_order_of_hashes_changes_nothing(hash_seed: str) -> None:
    program = "from evaluator.importers.mini.benchmark import draw_benchmark; print(draw_benchmark(7).digest)"
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    printed = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, check=True)
    assert printed.stdout.decode().strip() == draw_benchmark(7).digest


def test_another_seed_is_another_version() -> None:
    one, other = mini_manifest(7), mini_manifest(8)
    assert one.name == other.name
    assert one.version != other.version


def test_every_image_is_a_picture_of_64_pixels(bundle: Path) -> None:
    paths = list((bundle / "public" / "images").iterdir())
    assert len(paths) == len(draw_benchmark(7, SMALL).images)
    for path in paths:
        with Image.open(path) as image:
            assert (image.size, image.mode, image.format) == ((64, 64), "RGB", "PNG")


def test_no_two_images_are_the_same(bundle: Path) -> None:
    paths = list((bundle / "public" / "images").iterdir())
    assert len({np.asarray(Image.open(path)).tobytes() for path in paths}) == len(paths)


def test_every_paraphrase_is_a_query_and_shares_its_need(bundle: Path) -> None:
    queries = load_benchmark(bundle).queries
    groups: dict[str | None, list[str]] = {}
    for query in queries:
        groups.setdefault(query.paraphrase_group, []).append(query.modification)
        assert query.slices["need"] == (query.paraphrase_group,)
        assert query.slices["instance"] == (query.gallery_id,)
    assert len(queries) == 9 * 7 * 6
    assert {len(set(wordings)) for wordings in groups.values()} == {6}


def test_every_query_has_a_value_on_every_declared_axis(bundle: Path) -> None:
    benchmark = load_benchmark(bundle)
    for query in benchmark.queries:
        for axis in benchmark.manifest.slice_axes:
            assert len(query.slices[axis.name]) == 1


def test_the_sealed_side_judges_what_the_gallery_holds(bundle: Path) -> None:
    benchmark = load_benchmark(bundle)
    members: dict[str, set[str]] = {}
    for row in benchmark.gallery_table.to_pylist():
        members.setdefault(row["gallery_id"], set()).add(row["image_id"])
    gallery_of = {query.id: members[query.gallery_id] for query in benchmark.queries}
    judgements = load_ground_truth(bundle / "sealed").judgements.to_pylist()
    assert all(row["image_id"] in gallery_of[row["query_id"]] for row in judgements)
    assert {row["query_id"] for row in judgements if row["label"] == POSITIVE} == set(gallery_of)


def test_a_folder_with_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(ImportSourceError, match="not a bundle"):
        write_bundle(tmp_path, seed=7, sizes=SMALL, n_processes=1)
    assert (tmp_path / "thesis.tex").read_text() == "years of work"
