"""PinPoint's official evaluator, number by number, and the clean protocol against plain Python."""

import json
from collections import defaultdict

import numpy as np
import pyarrow.parquet as pq
import pytest

from evaluator.formats.read import read_run
from evaluator.public.bundle import load_benchmark
from evaluator.public.run import run_from_lists
from evaluator.score import score

ACCEPTED = [
    "random_seed31",
    "perfect",
    "odd_missing_half",
    "odd_top10_only",
    "odd_duplicate_positive_x50",
    "odd_extra_and_unknown",
    "odd_empty_lists",
    "odd_key_missing",
    "mini_300_noisy_oracle",
]
OFFICIAL_NAMES = {
    "ling_sens_range": "linguistic_range",
    "ling_sens_std": "linguistic_std",
    "delta_mAP@10_noNeg": "delta_mAP@10",
    "pct_increase_mAP@10_noNeg": "relative_delta_mAP@10",
    **{f"NegRecall@{k}": f"negative_recall@{k}" for k in (1, 5, 10, 50)},
    **{f"mAP@{k}_noNeg": f"mAP@{k}_without_negatives" for k in (1, 5, 10, 50)},
    **{f"{name}@{k}": f"{name}@{k}" for name in ("mAP", "precision", "recall") for k in (1, 5, 10, 50)},
}
AXES = {
    "is_single": "declared_single",
    "has_second_image": "images",
    "query_category": "query_category",
    "l1_interest": "interest",
    "skin_tone_bucket": "skin_tone",
    "length_category": "length",
    "is_question": "question",
    "is_imperative": "imperative",
}
FLAGS = {"True": "yes", "False": "no"}
BREAKDOWN_NAMES = {
    "ap10": "mAP@10",
    "p10": "precision@10",
    "r10": "recall@10",
    "neg10": "negative_recall@10",
    "ap10_noneg": "mAP@10_without_negatives",
}


@pytest.fixture(scope="module")
def reports(pinpoint_bundle, pinpoint_cases):
    """Case name -> lenient report, each made once."""
    benchmark = load_benchmark(pinpoint_bundle)
    made = {}

    def report_of(name):
        if name not in made:
            reading = read_run(pinpoint_cases.path(name), benchmark, lenient=True)
            made[name] = score(reading.run, benchmark, pinpoint_bundle / "sealed", lenient=True)
        return made[name]

    return report_of


def test_these_are_all_accepted_cases(pinpoint_cases):
    assert {name for name, case in pinpoint_cases.expected.items() if case.get("exact")} == set(ACCEPTED)


@pytest.mark.parametrize("name", ACCEPTED)
def test_every_number_is_the_official_one(name, reports, pinpoint_cases):
    report = reports(name)
    exact = dict(pinpoint_cases.expected[name]["exact"])
    del exact["model"]
    assert report.metrics["mAP@10"].n == exact.pop("total_queries")
    found = {official: report.metrics[OFFICIAL_NAMES[official]].value for official in exact}
    assert found == pytest.approx(exact, abs=1e-12)
    assert not report.rankable


@pytest.mark.parametrize("name", ["random_seed31", "perfect"])
def test_an_honest_file_has_the_same_numbers_without_leniency(name, pinpoint_bundle, pinpoint_cases, reports):
    benchmark = load_benchmark(pinpoint_bundle)
    report = score(read_run(pinpoint_cases.path(name), benchmark).run, benchmark, pinpoint_bundle / "sealed")
    assert report.metrics == reports(name).metrics
    assert report.slices == reports(name).slices
    assert report.digests == reports(name).digests
    assert report.rankable


def test_slices_are_the_official_breakdowns(reports, pinpoint_cases):
    n_checked = 0
    for name, axes in pinpoint_cases.expected["_derived_breakdowns"].items():
        assert set(axes) == set(AXES)
        for official_axis, values in axes.items():
            found = reports(name).slices[AXES[official_axis]]
            assert len(found) == len(values)
            for official_value, expected in values.items():
                value = FLAGS.get(official_value, official_value)
                if official_axis == "has_second_image":
                    value = "multi" if value == "yes" else "single"
                for short, metric in BREAKDOWN_NAMES.items():
                    assert found[value][metric].value == pytest.approx(expected[short], abs=1e-12)
                    assert found[value][metric].n == expected["n"]
                    n_checked += 1
    assert n_checked > 200


def test_ten_images_per_query_leave_deeper_metrics_open_and_the_row_ranked(pinpoint_bundle, pinpoint_cases, reports):
    benchmark = load_benchmark(pinpoint_bundle)
    run = read_run(pinpoint_cases.path("odd_top10_only"), benchmark).run
    report = score(run, benchmark, pinpoint_bundle / "sealed")
    withheld = {name for name, found in report.metrics.items() if found.value is None}
    assert withheld == {name for name in report.metrics if "@50" in name or "without" in name or "delta" in name}
    assert report.rankable
    assert "lists-short" in {warning.code for warning in report.warnings}
    assert report.metrics["mAP@10"] == reports("odd_top10_only").metrics["mAP@10"]
    assert report.metrics["linguistic_range"] == reports("odd_top10_only").metrics["linguistic_range"]


def test_the_derived_needs_are_the_expected_partition(pinpoint_bundle, shared):
    table = pq.read_table(pinpoint_bundle / "sealed" / "slices.parquet").to_pydict()
    assert set(table["axis"]) == {"need"}
    ours = defaultdict(set)
    for query, need in zip(table["query_id"], table["value"], strict=True):
        ours[need].add(f"query_{query}")
    expected = defaultdict(set)
    for query, need in _read_needs(shared).items():
        expected[need].add(query)
    assert {frozenset(queries) for queries in ours.values()} == {frozenset(queries) for queries in expected.values()}
    assert len(ours) == 1333


def _read_needs(shared):
    return json.loads((shared / "golden" / "pinpoint" / "needs.json").read_bytes())


@pytest.mark.parametrize("name", ["odd_missing_half", "perfect"])
def test_the_clean_protocol_equals_plain_python(name, pinpoint_bundle, pinpoint_cases, shared):
    lists = {query: entry["retrieved_items"] for query, entry in pinpoint_cases.content(name).items()}
    benchmark = load_benchmark(pinpoint_bundle)
    report = score(run_from_lists(lists), benchmark, pinpoint_bundle / "sealed", "clean", lenient=True)
    oracle = CleanOracle(shared, lists)
    for metric, values in oracle.values.items():
        found = dict(zip(report.query_ids, report.per_query[metric].tolist(), strict=True))
        assert found == pytest.approx(values, abs=1e-12)
        assert report.metrics[metric].value == pytest.approx(np.mean(list(values.values())), abs=1e-12)
    assert report.metrics["linguistic_range"].value == pytest.approx(np.mean(oracle.spreads(np.ptp)), abs=1e-12)
    assert report.metrics["linguistic_std"].value == pytest.approx(np.mean(oracle.spreads(np.std)), abs=1e-12)
    assert report.metrics["linguistic_std"].n == len(oracle.spreads(np.std))
    if name == "perfect":
        assert report.metrics["mAP@10"].n == 7633
        assert "queries-dropped" in {warning.code for warning in report.warnings}


class CleanOracle:
    """The clean protocol written out query by query."""

    def __init__(self, shared, lists):
        self.values = defaultdict(dict)
        self.needs = _read_needs(shared)
        for row in pq.read_table(shared / "data" / "pinpoint" / "pinpoint_licensed.parquet").to_pylist():
            query = row["query_id"].removeprefix("query_")
            positives = set(row["positive_candidates"]) - set(row["negative_candidates"])
            negatives = set(row["negative_candidates"]) - set(row["positive_candidates"]) - {None}
            if query in lists and positives:
                references = {row["query_image_signature"], row["query_image_signature2"]}
                ranked = [image for image in dict.fromkeys(lists[query]) if image not in references]
                self._add(query, ranked, positives, negatives)

    def _add(self, query, ranked, positives, negatives):
        kept = [image for image in ranked if image not in negatives]
        for k in (1, 10, 50):
            found = [image in positives for image in ranked[:k]]
            self.values[f"mAP@{k}"][query] = _ap(found, len(positives), k)
            without = _ap([image in positives for image in kept[:k]], len(positives), k)
            self.values[f"mAP@{k}_without_negatives"][query] = without
            self.values[f"precision@{k}"][query] = sum(found) / k
            self.values[f"recall@{k}"][query] = sum(found) / len(positives)
            n_bad = len(negatives.intersection(ranked[:k]))
            self.values[f"negative_recall@{k}"][query] = n_bad / min(len(negatives), k) if negatives else 0.0

    def spreads(self, spread):
        groups = defaultdict(list)
        for query, value in self.values["mAP@10"].items():
            groups[self.needs[f"query_{query}"]].append(value)
        return [spread(values) for values in groups.values() if len(values) > 1]


def _ap(found, n_positives, k):
    n_found, total = 0, 0.0
    for rank, hit in enumerate(found, start=1):
        n_found += hit
        total += n_found / rank if hit else 0.0
    return total / min(n_positives, k)
