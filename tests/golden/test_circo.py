"""CIRCO's official evaluator, number by number."""

import pytest

from evaluator.formats.read import read_run
from evaluator.public.bundle import load_benchmark
from evaluator.score import score

ACCEPTED = [
    "official_example",
    "random_seed20240501",
    "perfect",
    "odd_string_ids",
    "odd_100_predictions",
    "odd_empty_lists",
    "odd_first_100_queries_only",
    "odd_mixed_type_duplicates_q0",
    "odd_reference_image_first_q0",
    "odd_unknown_id_q0",
]
"""What the official code gives numbers for; `bad_empty_object` too, but they are NaN."""

COUNTS = {"official_example", "random_seed20240501", "perfect", "odd_string_ids"}
"""What our validator accepts as it is."""


def test_these_are_all_accepted_cases(circo_cases):
    accepted = {name for name, case in circo_cases.expected.items() if case["exit_code"] == 0}
    assert accepted == {*ACCEPTED, "bad_empty_object"}


@pytest.mark.parametrize("name", ACCEPTED)
def test_every_number_is_the_official_one(name, circo_bundle, circo_cases):
    benchmark = load_benchmark(circo_bundle)
    reading = read_run(circo_cases.path(name), benchmark, lenient=True)
    report = score(reading.run, benchmark, circo_bundle / "sealed", lenient=True)
    exact = circo_cases.expected[name]["exact"]
    for k, value in exact["mAP"].items():
        assert report.metrics[f"mAP@{k}"].value == pytest.approx(value, abs=1e-12)
    for k, value in exact["Recall"].items():
        assert report.metrics[f"target_recall@{k}"].value == pytest.approx(value, abs=1e-12)
    found = {aspect: metrics["mAP@10"].value for aspect, metrics in report.slices["aspect"].items()}
    assert found == pytest.approx(exact["semantic_mAP@10"], abs=1e-12)
    assert not report.rankable


@pytest.mark.parametrize("name", sorted(COUNTS))
def test_an_honest_file_has_the_same_report_without_leniency(name, circo_bundle, circo_cases):
    benchmark = load_benchmark(circo_bundle)
    strict = score(read_run(circo_cases.path(name), benchmark).run, benchmark, circo_bundle / "sealed")
    lenient_run = read_run(circo_cases.path(name), benchmark, lenient=True).run
    lenient = score(lenient_run, benchmark, circo_bundle / "sealed", lenient=True)
    assert strict.metrics == lenient.metrics
    assert strict.digests == lenient.digests
    assert strict.rankable


def test_an_open_gallery_is_said(circo_bundle, circo_cases):
    benchmark = load_benchmark(circo_bundle)
    run = read_run(circo_cases.path("odd_string_ids"), benchmark).run
    report = score(run, benchmark, circo_bundle / "sealed")
    assert [warning.code for warning in report.warnings] == ["gallery-open", "interval-none", "interval-rough"]
    interval = report.metrics["mAP@10"]
    assert interval.low < interval.value < interval.high
    assert interval.n == 220
