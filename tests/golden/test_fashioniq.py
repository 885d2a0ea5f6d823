"""FashionIQ's recall by category and over all, on both galleries, number by number."""

import pytest

from evaluator.formats.read import read_run
from evaluator.public.bundle import load_benchmark
from evaluator.score import score

CATEGORIES = ["dress", "shirt", "toptee"]
GALLERIES = ["original_split", "val_split"]
FLOAT32 = 2e-7
"""How far a fraction may lie from a per cent that was printed from single precision."""


@pytest.fixture(scope="module")
def files_of(fashioniq_cases):
    """Case name -> its files, category by category."""
    return lambda name: sorted(fashioniq_cases.folder.glob(f"{name}.*.val.pred.json.gz"))


@pytest.fixture(scope="module")
def report_of(fashioniq_bundles, files_of):
    """Gallery -> report of the run on three categories, each made once."""
    made = {}

    def report_of(gallery):
        if gallery not in made:
            bundle = fashioniq_bundles[gallery]
            benchmark = load_benchmark(bundle)
            reading = read_run(files_of(f"random_seed21.{gallery}"), benchmark)
            assert set(reading.problems.counts) == {"reference-in-list"}
            made[gallery] = score(reading.run, benchmark, bundle / "sealed")
        return made[gallery]

    return report_of


def check_category(metrics, expected):
    for k in (10, 50):
        found = metrics[f"recall@{k}"]
        assert found.value == expected["hits"][str(k)] / expected["queries"]
        assert found.value == pytest.approx(expected["official"][f"fiq_recall_at{k}"] / 100, abs=FLOAT32)
        assert found.n == expected["queries"]


def test_these_are_all_cases(fashioniq_cases):
    assert set(fashioniq_cases.expected) == {
        *(f"random_seed21.{gallery}" for gallery in GALLERIES),
        "noisy_oracle_seed22.original_split",
    }


@pytest.mark.parametrize("gallery", GALLERIES)
def test_queries_and_galleries_have_the_official_sizes(gallery, fashioniq_bundles, fashioniq_cases):
    benchmark = load_benchmark(fashioniq_bundles[gallery])
    expected = fashioniq_cases.expected[f"random_seed21.{gallery}"]
    galleries = benchmark.gallery_table.column("gallery_id").to_pylist()
    queries = benchmark.query_table.column("gallery_id").to_pylist()
    for category in CATEGORIES:
        assert galleries.count(category) == expected[category]["gallery"]
        assert queries.count(category) == expected[category]["queries"]


@pytest.mark.parametrize("gallery", GALLERIES)
@pytest.mark.parametrize("category", CATEGORIES)
def test_a_category_has_the_official_numbers(gallery, category, report_of, fashioniq_cases):
    expected = fashioniq_cases.expected[f"random_seed21.{gallery}"][category]
    check_category(report_of(gallery).slices["category"][category], expected)


@pytest.mark.parametrize("gallery", GALLERIES)
def test_the_overall_value_is_the_unweighted_mean_of_the_categories(gallery, report_of, fashioniq_cases):
    expected = fashioniq_cases.expected[f"random_seed21.{gallery}"]
    for k in (10, 50):
        found = report_of(gallery).metrics[f"recall@{k}"]
        of_hits = [expected[category]["hits"][str(k)] / expected[category]["queries"] for category in CATEGORIES]
        assert found.value == pytest.approx(sum(of_hits) / 3, abs=1e-12)
        assert found.value == pytest.approx(expected["average"][f"fiq_recall_at{k}"] / 100, abs=FLOAT32)
        assert found.low < found.value < found.high
    both = sum(report_of(gallery).metrics[f"recall@{k}"].value for k in (10, 50)) / 2
    assert both == pytest.approx(expected["average"]["mean_of_both"] / 100, abs=FLOAT32)


def test_intervals_draw_candidates_within_categories(report_of):
    report = report_of("original_split")
    assert (report.bootstrap["unit"], report.bootstrap["n_units"]) == ("candidate", 1331 + 1541 + 1454)
    assert report.protocol == "original_split"


def test_one_category_alone_is_refused_and_lenient_gives_its_slice(fashioniq_bundles, files_of, fashioniq_cases):
    bundle = fashioniq_bundles["original_split"]
    benchmark = load_benchmark(bundle)
    files = files_of("noisy_oracle_seed22.original_split")
    refused = read_run(files, benchmark)
    assert refused.problems.counts["group-missing"] == 2
    assert "query-missing" not in refused.problems.counts
    assert refused.run is None
    report = score(read_run(files, benchmark, lenient=True).run, benchmark, bundle / "sealed", lenient=True)
    assert set(report.slices["category"]) == {"dress"}
    expected = fashioniq_cases.expected["noisy_oracle_seed22.original_split"]["dress"]
    check_category(report.slices["category"]["dress"], expected)
    assert not report.rankable


def test_a_run_over_the_original_gallery_does_not_pass_for_one_over_the_other(fashioniq_bundles, files_of):
    reading = read_run(files_of("random_seed21.original_split"), load_benchmark(fashioniq_bundles["val_split"]))
    assert {"image-unknown"} <= set(reading.problems.counts)
    assert reading.run is None
