from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluator.public.bundle import load_benchmark
from evaluator.public.lists import RunMismatchError
from evaluator.public.manifest import ManifestError
from evaluator.public.run import Run, run_from_lists
from evaluator.score import GroundTruthError, score
from tests.evaluator.small_bundle import CLEAN, IMAGES, LIST_LENGTH, OFFICIAL, QUERIES, write_small_bundle

FULL = {
    "q0": ["i4", "i6", "i5", "i0", "i1", "i2"],
    "q1": ["i7", "i4", "i1", "i0", "i2", "i3"],
    "q2": ["i9", "i2", "i8", "i0", "i1", "i3"],
    "q3": ["i10", "i0", "i1", "i2", "i3", "i4"],
}


@pytest.fixture
def bundle(tmp_path):
    write_small_bundle(tmp_path / "small")
    return tmp_path / "small"


@pytest.fixture(scope="module")
def kept_bundle(tmp_path_factory):
    out = tmp_path_factory.mktemp("kept") / "small"
    write_small_bundle(out)
    return out


def score_lists(bundle, lists, protocol=None, *, lenient=False):
    return score(run_from_lists(lists), load_benchmark(bundle), bundle / "sealed", protocol, lenient=lenient)


def codes(report):
    return [warning.code for warning in report.warnings]


def test_judged_images_count_as_often_as_they_are_listed(bundle):
    report = score_lists(bundle, FULL)
    by_query = dict(zip(report.query_ids, report.per_query["mAP@2"], strict=True))
    assert by_query == {"q0": 1 / 2, "q1": 1.0, "q2": 1 / 4, "q3": 1.0}
    assert report.per_query["recall@6"].tolist() == [2 / 3, 1.0, 1.0, 1.0]
    assert report.per_query["negative_recall@2"].tolist() == [1 / 2, 1.0, 1.0, 1.0]
    assert report.per_query["target_recall@2"].tolist() == [0.0, 1.0, 0.0, 0.0]


def test_deleting_hard_negatives_moves_the_rest_up_and_can_cost_a_positive(bundle):
    report = score_lists(bundle, FULL)
    assert report.per_query["mAP@2_without_negatives"].tolist() == [1.0, 1 / 2, 1.0, 0.0]
    assert report.per_query["delta_mAP@2"].tolist() == [1 / 2, -1 / 2, 3 / 4, -1.0]
    relative = report.metrics["relative_delta_mAP@2"].value
    assert relative == pytest.approx((1 / 2 - 1 / 2 + 3 / 4 - 1) / (1 / 2 + 1 + 1 / 4 + 1))


def test_wordings_are_compared_within_their_need_and_single_ones_skipped(bundle):
    report = score_lists(bundle, FULL)
    assert report.metrics["linguistic_range"].value == 1 / 2
    assert report.metrics["linguistic_std"].value == 1 / 4
    assert report.metrics["linguistic_range"].n == 1


def test_the_clean_protocol_counts_once_deletes_references_and_drops_queries_left_bare(bundle):
    report = score_lists(bundle, FULL, "clean")
    assert report.query_ids == ("q0", "q1", "q2")
    assert report.metrics["mAP@2"].n == 3
    assert report.per_query["recall@6"].tolist() == [1.0, 1.0, 1 / 2]
    assert report.per_query["mAP@2"].tolist() == [1 / 2, 1 / 2, 1 / 4]
    assert report.per_query["negative_recall@2"].tolist() == [1.0, 0.0, 1.0]
    assert report.slices["colour"]["red"]["mAP@2"].n == 3
    assert "queries-dropped" in codes(report)


def test_slices_may_overlap_and_may_be_sealed(bundle):
    slices = score_lists(bundle, FULL).slices
    assert list(slices) == ["colour", "secret"]
    assert {value: metrics["mAP@2"].n for value, metrics in slices["colour"].items()} == {"blue": 1, "red": 4}
    assert slices["secret"]["left"]["mAP@2"].value == 3 / 4
    assert slices["secret"]["right"]["linguistic_range"].value is None
    assert slices["secret"]["right"]["linguistic_range"].n == 0


def test_lists_shorter_than_a_cutoff_leave_its_metrics_open(bundle):
    report = score_lists(bundle, {query: images[:4] for query, images in FULL.items()})
    withheld = {name for name, found in report.metrics.items() if found.value is None}
    assert withheld == {"mAP@6", "recall@6", "mAP@2_without_negatives", "delta_mAP@2", "relative_delta_mAP@2"}
    assert report.rankable
    assert "lists-short" in codes(report)
    assert set(report.per_query) == {"mAP@2", "precision@2", "target_recall@2", "negative_recall@2"}


def test_one_list_too_short_for_the_primary_metric_takes_the_rank(bundle):
    report = score_lists(bundle, {**FULL, "q2": ["i8"]})
    assert report.metrics["mAP@2"].value is None
    assert report.metrics["linguistic_range"].value is None
    assert not report.rankable


def test_lists_too_short_for_every_metric_still_give_a_report(bundle):
    report = score_lists(bundle, {query: images[:1] for query, images in FULL.items()})
    assert {found.value for found in report.metrics.values()} == {None}
    assert report.per_query == {}


def test_leniency_computes_what_short_lists_leave_open_and_takes_the_rank(bundle):
    report = score_lists(bundle, {**FULL, "q2": ["i8"]}, lenient=True)
    assert all(found.value is not None for found in report.metrics.values())
    assert not report.rankable
    assert codes(report)[:2] == ["lenient", "lists-short"]


@pytest.mark.parametrize(
    ("lists", "message"),
    [
        ({"q0": ["i4"]}, "3 queries have no list, the first is 'q1'"),
        ({**FULL, "q9": ["i4"]}, "one is 'q9'"),
        ({**FULL, "q2": []}, "'q2' holds 0 images, not 1 to 6"),
        ({**FULL, "q2": list(IMAGES[:7])}, "'q2' holds 7 images"),
        ({**FULL, "q2": ["i8", "i8"]}, "'q2' holds an image more than once"),
        ({**FULL, "q2": ["elsewhere"]}, "1 entries are not in the gallery"),
        ({"other": ["i1"]}, "none of the 4 queries"),
    ],
)
def test_a_run_that_breaks_a_rule_is_refused_with_the_reason(bundle, lists, message):
    with pytest.raises(RunMismatchError, match=message):
        score_lists(bundle, lists)


def test_an_image_of_another_querys_gallery_is_outside(tmp_path):
    queries = [*QUERIES[:3], replace(QUERIES[3], gallery_id="other")]
    galleries = [*(("all", image) for image in IMAGES), *(("other", image) for image in IMAGES[6:])]
    write_small_bundle(tmp_path / "two", queries, galleries)
    score_lists(tmp_path / "two", {**FULL, "q3": ["i10", "i9"]})
    with pytest.raises(RunMismatchError, match="1 entries are not in the gallery of their query"):
        score_lists(tmp_path / "two", {**FULL, "q3": ["i10", "i5"]})


def test_leniency_scores_what_there_is_and_says_so(bundle):
    lists = {"q0": ["i4"] * 7, "q1": ["elsewhere", "i4"], "q9": ["i1"]}
    report = score_lists(bundle, lists, lenient=True)
    assert report.per_query["mAP@2"].tolist() == [1.0, 1 / 4]
    assert codes(report)[:7] == [
        "lenient",
        "queries-missing",
        "queries-extra",
        "images-unknown",
        "images-repeated",
        "lists-short",
        "lists-long",
    ]
    assert report.metrics["mAP@2"].n == 2


def test_a_short_list_ends_where_it_ends(bundle):
    report = score_lists(bundle, {"q0": ["i0"], "q1": ["i4", "i7"], "q2": [], "q3": ["i10"]}, lenient=True)
    assert report.per_query["mAP@2"].tolist() == [0.0, 1.0, 0.0, 1.0]


def test_even_leniency_needs_one_query(bundle):
    with pytest.raises(RunMismatchError, match="none of the 4 queries"):
        score_lists(bundle, {}, lenient=True)


def test_repeats_count_once_under_the_clean_protocol_even_leniently(bundle):
    report = score_lists(bundle, {**FULL, "q0": ["i4", "i4", "i0"]}, "clean", lenient=True)
    assert report.per_query["mAP@2"][0] == 1 / 2


def test_queries_that_all_lose_their_positives_give_no_value(bundle):
    report = score_lists(bundle, {"q3": FULL["q3"]}, "clean", lenient=True)
    assert {(found.value, found.low, found.n) for found in report.metrics.values()} == {(None, None, 0)}
    assert report.slices == {"colour": {}, "secret": {}}


def test_an_unknown_protocol_is_refused(bundle):
    with pytest.raises(ManifestError, match="official, clean"):
        score_lists(bundle, FULL, "other")


def test_ground_truth_of_another_bundle_is_refused(bundle, tmp_path):
    write_small_bundle(tmp_path / "other", QUERIES[::-1])
    theirs = (tmp_path / "other" / "sealed" / "slices.parquet").read_bytes()
    (bundle / "sealed" / "slices.parquet").write_bytes(theirs)
    with pytest.raises(GroundTruthError, match="not that of this Small val"):
        score_lists(bundle, FULL)


def test_absent_ground_truth_is_refused(bundle, tmp_path):
    with pytest.raises(GroundTruthError, match="install the bundle again"):
        score(run_from_lists(FULL), load_benchmark(bundle), tmp_path / "nowhere")


def test_ground_truth_that_others_hold_cannot_be_scored(tmp_path):
    benchmark = write_small_bundle(tmp_path / "external", ground_truth="external")
    with pytest.raises(GroundTruthError, match=r"send the file to them \(https://example.org\)"):
        score(run_from_lists(FULL), benchmark, tmp_path / "external" / "sealed")


def test_an_open_gallery_takes_unknown_images_as_unjudged(tmp_path):
    write_small_bundle(tmp_path / "open", gallery_policy="open")
    report = score_lists(tmp_path / "open", {**FULL, "q2": ["elsewhere", *FULL["q2"][1:]]})
    assert report.rankable
    assert codes(report)[0] == "gallery-open"


def test_few_units_and_no_spread_are_said(bundle):
    report = score_lists(bundle, dict.fromkeys(FULL, ["i11"] * 1 + list(IMAGES[:5])))
    assert report.metrics["precision@2"].low is None
    assert {"interval-none", "interval-rough"} <= set(codes(report))


def test_digests_and_draws_are_in_the_report(bundle):
    report = score_lists(bundle, FULL)
    digests = load_benchmark(bundle).manifest.digests
    assert report.digests["ground_truth"] == digests.ground_truth
    assert report.digests["run"] == run_from_lists(FULL).digest
    assert report.bootstrap == {"seed": 1, "replicates": 10_000, "unit": "need", "n_units": 3, "other_units": {}}
    assert set(report.to_json()["metrics"]["mAP@2"]) == {"value", "low", "high", "n"}


DRAWN = st.fixed_dictionaries(
    {
        query: st.lists(st.sampled_from(IMAGES), min_size=LIST_LENGTH, max_size=LIST_LENGTH, unique=True)
        for query in FULL
    }
)
FEW = settings(max_examples=20, deadline=None)


@FEW
@given(lists=DRAWN, data=st.data())
def test_neither_the_order_of_queries_nor_that_of_the_vocabulary_matters(kept_bundle, lists, data):
    order = data.draw(st.permutations(list(lists)))
    ids = data.draw(st.permutations(list(IMAGES)))
    straight = run_from_lists(lists)
    permuted = run_from_lists({query: lists[query] for query in order})
    recoded = Run(
        permuted.query_ids,
        _array(ids),
        permuted.offsets,
        np.array([ids.index(image) for query in order for image in lists[query]], np.int32),
    )
    benchmark = load_benchmark(kept_bundle)
    one = score(straight, benchmark, kept_bundle / "sealed").to_json()
    other = score(recoded, benchmark, kept_bundle / "sealed").to_json()
    assert {**one, "timings": {}} == {**other, "timings": {}}


def _array(ids):
    return run_from_lists({"q": ids}).image_ids


@FEW
@given(lists=DRAWN)
def test_the_clean_value_of_a_query_ignores_where_its_references_stand(kept_bundle, lists):
    moved = {
        query: [image for image in images if image != f"i{query[1]}"] + [f"i{query[1]}"]
        for query, images in lists.items()
    }
    cut = {query: images[:LIST_LENGTH] for query, images in moved.items()}
    one = score_lists(kept_bundle, lists, "clean")
    other = score_lists(kept_bundle, cut, "clean")
    assert np.array_equal(one.per_query["mAP@2"], other.per_query["mAP@2"])


def test_protocols_share_units_and_replicates(bundle):
    assert OFFICIAL.metrics == CLEAN.metrics
    official, clean = score_lists(bundle, FULL), score_lists(bundle, FULL, "clean")
    assert official.bootstrap == clean.bootstrap
