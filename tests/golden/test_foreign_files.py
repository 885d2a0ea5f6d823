"""The official file of each benchmark, sent to each other one: the answer names whose it is."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from evaluator.formats.read import FORMATS, read_run
from evaluator.public.bundle import load_benchmark
from tests.evaluator.small_bundle import write_small_bundle

FILES: Mapping[str, tuple[str, ...]] = {
    "CIRCO": ("circo/official_example.json.gz",),
    "CIRR": ("cirr/random_seed11.recall.json.gz", "cirr/random_seed11.recall_subset.json.gz"),
    "domain conversion": ("freedom/ltll.random_seed41.rankings.json.gz",),
    "FashionIQ": tuple(
        f"fashioniq/random_seed21.original_split.{name}.val.pred.json.gz" for name in ("dress", "shirt", "toptee")
    ),
    "GeneCIS": ("genecis/change_object.random_seed71.ranking.json.gz",),
    "i-CIR": ("icir/random_seed61.rankings.json.gz",),
    "PinPoint": ("pinpoint/odd_missing_half.json.gz",),
}
"""Family -> the files of an official run."""

OWN = "an organiser's"


@pytest.fixture(scope="session")
def bundles(
    circo_bundle,
    cirr_bundle,
    ltll_bundle,
    fashioniq_bundles,
    genecis_bundles,
    icir_bundle,
    pinpoint_bundle,
    tmp_path_factory,
) -> Mapping[str, Path]:
    """A benchmark of each family; beside them an organiser's own, with lists as they are and in PinPoint's format."""
    own = tmp_path_factory.mktemp("own")
    write_small_bundle(own / "lists", run_format="lists")
    write_small_bundle(own / "open", run_format="lists", gallery_policy="open", image_id_pattern="[a-z0-9./-]+")
    write_small_bundle(own / "wrapped", run_format="pinpoint")
    return {
        "CIRCO": circo_bundle,
        "CIRR": cirr_bundle,
        "domain conversion": ltll_bundle,
        "FashionIQ": fashioniq_bundles["original_split"],
        "GeneCIS": genecis_bundles["change_object"],
        "i-CIR": icir_bundle,
        "PinPoint": pinpoint_bundle,
        OWN: own / "lists",
        f"{OWN}, open": own / "open",
        f"{OWN}, in PinPoint's format": own / "wrapped",
    }


BENCHMARKS = (*FILES, OWN, f"{OWN}, open", f"{OWN}, in PinPoint's format")


def test_every_official_format_is_among_them():
    assert {entry.family for entry in FORMATS.values()} == {*FILES, "lists"}


FOREIGN = [(benchmark, family) for benchmark in BENCHMARKS for family in FILES if benchmark != family]


@pytest.mark.parametrize(("benchmark", "family"), FOREIGN)
@pytest.mark.parametrize("at_once", [False, True], ids=["the first file", "all files"])
def test_the_file_of_another_benchmark_is_named(shared, bundles, benchmark, family, at_once):
    paths = [shared / "golden" / name for name in FILES[family]][: None if at_once else 1]
    reading = read_run(paths, load_benchmark(bundles[benchmark]))
    assert reading.run is None
    assert set(reading.problems.counts) == {"benchmark-wrong"}
    shares_format = family == "PinPoint" and benchmark.endswith("PinPoint's format")
    for problem in reading.problems:
        if shares_format:
            assert "None of the file's 3,818 queries, such as \"" in problem.message
            assert problem.message.endswith("is a query of Small.")
        else:
            assert f"This looks like {_article(family)}" in problem.message


def _article(family: str) -> str:
    return {
        "i-CIR": "i-CIR rankings",
        "domain conversion": "rankings of domain conversion",
    }.get(family, f"a {family} result file")


@pytest.mark.parametrize("family", FILES)
def test_a_run_of_an_own_benchmark_is_no_run_of_a_public_one(bundles, family, tmp_path):
    path = tmp_path / "run.json"
    path.write_text('{"q0": ["i4", "i8"], "q1": ["i4", "i8"], "q2": ["i4", "i8"], "q3": ["i4", "i8"]}')
    reading = read_run(path, load_benchmark(bundles[family]))
    assert reading.run is None
