from dataclasses import replace

import numpy as np
import pytest

from evaluator.public.bundle import load_benchmark
from evaluator.public.common_queries import on_common_queries
from evaluator.public.lists import RunMismatchError
from evaluator.public.manifest import LanguageRule, ResamplingUnit
from evaluator.public.run import run_from_lists
from evaluator.score import score
from evaluator.score.comparison import ComparisonError, compare
from evaluator.score.observations import layout_of
from evaluator.sealed.ground_truth import load_ground_truth
from tests.evaluator.small_bundle import IMAGES, OFFICIAL, write_small_bundle

GOOD = {
    "q0": ["i4", "i5", "i1", "i0", "i3", "i2"],
    "q1": ["i7", "i4", "i1", "i0", "i2", "i3"],
    "q2": ["i8", "i2", "i9", "i0", "i1", "i3"],
    "q3": ["i10", "i0", "i1", "i2", "i3", "i4"],
}
POOR = {query: [image for image in IMAGES if image != "i10"][:6] for query in GOOD}


def written(folder, **changes):
    write_small_bundle(folder / "small", **changes)
    return folder / "small"


def scored(bundle, lists, protocol="official", *, lenient=False):
    return score(run_from_lists(lists), load_benchmark(bundle), bundle / "sealed", protocol, lenient=lenient)


def compared(bundle, one, other, protocol="official", *, lenient=False):
    reports = (scored(bundle, lists, protocol, lenient=lenient) for lists in (one, other))
    return compare(*reports, load_benchmark(bundle), bundle / "sealed", protocol)


def of(comparison, metric):
    return next(found for found in comparison.differences if found.metric == metric)


def test_values_and_difference_are_those_of_the_reports(tmp_path):
    bundle = written(tmp_path)
    found = of(compared(bundle, GOOD, POOR), "mAP@2")
    a, b = (scored(bundle, lists).metrics["mAP@2"].value for lists in (GOOD, POOR))
    assert (found.a, found.b, found.value) == (a, b, a - b)
    assert (found.n, found.unit, found.n_units, found.is_rough) == (4, "need", 3, True)


def test_the_test_flips_whole_units(tmp_path):
    # Three needs that all favour the same run: 2 of 8 assignments of signs are as extreme.
    found = of(compared(written(tmp_path), GOOD, POOR), "mAP@6")
    assert found.p == 2 / 8


def test_the_interval_is_that_of_the_difference_in_shared_replicates(tmp_path):
    bundle = written(tmp_path)
    a, b = scored(bundle, GOOD), scored(bundle, POOR)
    found = of(compared(bundle, GOOD, POOR), "mAP@6")
    inside = np.sort(a.replicates["mAP@6"] - b.replicates["mAP@6"])
    assert found.low == pytest.approx(inside[250], abs=2**-30)
    assert found.high == pytest.approx(inside[-251], abs=2**-30)


def test_a_run_and_itself_do_not_differ(tmp_path):
    for found in compared(written(tmp_path), GOOD, GOOD).differences:
        assert found.value in {0.0, None}
        assert found.low is None
        assert found.p in {1.0, None}


def test_ratios_have_an_interval_and_no_test(tmp_path):
    found = of(compared(written(tmp_path), GOOD, POOR), "relative_delta_mAP@2")
    assert found.value is not None
    assert found.p is None


def test_only_the_primary_metric_is_not_exploratory(tmp_path):
    comparison = compared(written(tmp_path), GOOD, POOR)
    assert [found.metric for found in comparison.differences if not found.is_exploratory] == ["mAP@2"]


def test_metrics_that_short_lists_cannot_give_are_not_compared(tmp_path):
    short = {query: images[:2] for query, images in POOR.items()}
    found = of(compared(written(tmp_path), GOOD, short), "mAP@6")
    assert (found.b, found.value, found.low, found.p) == (None, None, None, None)
    assert found.a is not None


METRICS = ("mAP@2", "macro_mAP@2", "min_mAP@2", "micro_mAP@2", "mAP", "mAP_official", "linguistic_range")
WIDE = replace(
    OFFICIAL,
    metrics=METRICS,
    macro="need",
    average_over="secret",
    language=LanguageRule("secret", "mAP@2"),
)


@pytest.mark.parametrize("unit", ["need", "secret", "query"])
@pytest.mark.parametrize("metric", METRICS)
def test_every_metric_that_is_tested_is_the_weighted_mean_of_its_observations(tmp_path, metric, unit):
    bundle = written(tmp_path, protocols=(WIDE,), resampling=ResamplingUnit(unit, unit))
    benchmark, report = load_benchmark(bundle), scored(bundle, GOOD)
    layout = layout_of(benchmark, load_ground_truth(bundle / "sealed"), WIDE, report.query_ids)
    found = layout.observations(report, metric)
    # Each part is rounded to 2 decimals of a per cent, and so is their mean.
    rounding = 1e-4 if metric == "mAP_official" else 1e-12
    assert np.average(found.values, weights=found.weights) == pytest.approx(report.metrics[metric].value, abs=rounding)
    assert found.weights.mean() == pytest.approx(1.0)
    assert found.units.max() < found.n_units


def test_a_group_that_spans_units_is_flipped_itself(tmp_path):
    bundle = written(tmp_path, protocols=(WIDE,), resampling=ResamplingUnit("need", "need"))
    comparison = compared(bundle, GOOD, POOR)
    assert (of(comparison, "macro_mAP@2").unit, of(comparison, "macro_mAP@2").n_units) == ("need", 3)
    assert of(comparison, "linguistic_range").unit in {"need", "secret"}
    smaller = written(tmp_path / "other", protocols=(WIDE,), resampling=ResamplingUnit("query", "query"))
    assert of(compared(smaller, GOOD, POOR), "macro_mAP@2").unit == "need"


def test_reports_of_other_queries_protocols_or_benchmarks_are_refused(tmp_path):
    bundle, other = written(tmp_path), written(tmp_path / "other", version="2")
    benchmark, report = load_benchmark(bundle), scored(bundle, GOOD)
    few = scored(bundle, {"q0": GOOD["q0"]}, lenient=True)
    for different, message in (
        (few, "different queries"),
        (scored(bundle, GOOD, "clean"), "under the protocol 'official'"),
        (scored(other, GOOD), "different benchmarks or versions"),
    ):
        with pytest.raises(ComparisonError, match=message):
            compare(report, different, benchmark, bundle / "sealed", "official")


def test_a_comparison_is_json_with_all_metrics(tmp_path):
    content = compared(written(tmp_path), GOOD, POOR).to_json()
    assert [found["metric"] for found in content["differences"]] == list(OFFICIAL.metrics)
    assert (content["protocol"], content["primary"], content["n_queries"]) == ("official", "mAP@2", 4)


def test_two_runs_are_cut_to_the_queries_that_both_answer():
    one, other = on_common_queries(
        run_from_lists({"q1": ["a", "b"], "q2": ["c"], "q3": ["d", "a"]}),
        run_from_lists({"q3": ["x"], "q1": ["y", "z"]}),
    )
    assert one.query_ids == ("q1", "q3")
    assert [one.ranked(row) for row in range(2)] == [["a", "b"], ["d", "a"]]
    assert one.digest == run_from_lists({"q1": ["a", "b"], "q3": ["d", "a"]}).digest
    assert [other.ranked(row) for row in range(2)] == [["x"], ["y", "z"]]


def test_runs_without_a_common_query_cannot_be_cut():
    with pytest.raises(RunMismatchError, match="no query is answered by both"):
        on_common_queries(run_from_lists({"q1": ["a"]}), run_from_lists({"q2": ["a"]}))
