"""Real result files with something changed in them end in a run or in problems: hundreds per format, one confined process."""

import gzip
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from evaluator.formats.isolated import ENVIRONMENT
from evaluator.formats.read import read_run
from evaluator.formats.write import TARGETS, write_run
from evaluator.public.bundle import Benchmark, load_benchmark
from tests.conftest import CHECKOUT

N_MUTATIONS = 210
LONGEST_S = 5.0

REAL = {
    "circo": "circo/official_example.json.gz",
    "cirr": "cirr/random_seed11.recall_subset.json.gz",
    "domain conversion": "freedom/ltll.random_seed41.rankings.json.gz",
    "genecis": "genecis/change_object.random_seed71.ranking.json.gz",
    "i-cir": "icir/random_seed61.rankings.json.gz",
}
FASHIONIQ = tuple(
    f"fashioniq/random_seed21.original_split.{name}.val.pred.json.gz" for name in ("dress", "shirt", "toptee")
)
N_FASHIONIQ = 28
"""Five megabytes each."""


def unpacked(paths: Sequence[Path], folder: Path) -> list[Path]:
    """The files as they are, without gzip: a flipped bit there would only tell of damage."""
    written = [folder / f"real-{place}" for place in range(len(paths))]
    for path, plain in zip(paths, written, strict=True):
        plain.write_bytes(gzip.decompress(path.read_bytes()))
    return written


def assert_all_end(bundle: Path, files: Sequence[Path], folder: Path, n_mutations: int = N_MUTATIONS) -> None:
    arguments = [str(folder), str(bundle), str(n_mutations), "1", *map(str, files)]
    done = subprocess.run(
        [sys.executable, "-m", "tests.golden.mutated_files", *arguments],
        capture_output=True,
        text=True,
        env=ENVIRONMENT,
        cwd=CHECKOUT,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert sum(told["ended"].values()) == n_mutations
    assert told["ended"]["refused"] > n_mutations / 2
    assert told["longest_s"] < LONGEST_S


@pytest.fixture
def real_bundles(circo_bundle, cirr_bundle, ltll_bundle, genecis_bundles, icir_bundle) -> dict[str, Path]:
    bundles = (circo_bundle, cirr_bundle, ltll_bundle, genecis_bundles["change_object"], icir_bundle)
    return dict(zip(REAL, bundles, strict=True))


@pytest.mark.parametrize("family", REAL)
def test_an_official_file_with_a_change_ends_in_a_verdict(real_bundles, shared, tmp_path, family):
    assert_all_end(real_bundles[family], unpacked([shared / "golden" / REAL[family]], tmp_path), tmp_path)


def test_the_three_files_of_fashioniq_with_a_change_end_in_a_verdict(fashioniq_bundles, shared, tmp_path):
    files = unpacked([shared / "golden" / name for name in FASHIONIQ], tmp_path)
    assert_all_end(fashioniq_bundles["original_split"], files, tmp_path, N_FASHIONIQ)


def test_a_pinpoint_file_with_a_change_ends_in_a_verdict(pinpoint_bundle, shared, tmp_path):
    files = unpacked([shared / "golden" / "pinpoint" / "mini_300_noisy_oracle.json.gz"], tmp_path)
    assert_all_end(pinpoint_bundle, files, tmp_path, N_MUTATIONS // 3)


@pytest.mark.parametrize("target", [target for target in TARGETS if target != "official"])
def test_a_file_in_a_generic_format_with_a_change_ends_in_a_verdict(
    icir: Benchmark, icir_bundle: Path, icir_cases, tmp_path, target
):
    run = read_run(icir_cases.path("random_seed61.rankings"), load_benchmark(icir_bundle)).run
    assert run is not None
    write_run(run, icir, target, tmp_path / "written")
    assert_all_end(icir_bundle, [tmp_path / "written"], tmp_path)
