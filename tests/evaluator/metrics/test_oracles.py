"""Every metric with a value per query against a few lines of plain Python, on drawn lists and judgements."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from math import log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.metrics.average_precision_standard import average_precision_standard as average_precision_standard_of
from evaluator.metrics.average_precision_trapezoid import average_precision_trapezoid as average_precision_trapezoid_of
from evaluator.metrics.registry import CUTOFF_METRICS, GROUP_METRICS, WHOLE_METRICS, compute

DEPTH = 12
IMAGES = st.integers(0, 20)


@dataclass
class Case:
    """One query: its list and what is judged, each image as often as it is listed."""

    ranked: list[int]
    positives: list[int]
    negatives: list[int]
    target: int


@dataclass
class ArrayLists:
    """The same queries as the arrays that metrics see."""

    cases: list[Case]
    positive_hits: np.ndarray = field(init=False)
    negative_hits: np.ndarray = field(init=False)
    target_hits: np.ndarray = field(init=False)
    n_positives: np.ndarray = field(init=False)
    n_negatives: np.ndarray = field(init=False)
    grades: np.ndarray | None = None
    attainable_precision: bool = False

    def __post_init__(self):
        self.positive_hits = self._hits(lambda case: case.positives)
        self.negative_hits = self._hits(lambda case: case.negatives)
        self.target_hits = self._hits(lambda case: [case.target])
        self.n_positives = np.array([len(case.positives) for case in self.cases])
        self.n_negatives = np.array([len(case.negatives) for case in self.cases])

    def _hits(self, judged: Callable[[Case], list[int]]) -> np.ndarray:
        hits = np.zeros((len(self.cases), DEPTH), bool)
        for row, case in enumerate(self.cases):
            for rank, image in enumerate(case.ranked):
                hits[row, rank] = image in judged(case)
        return hits


def average_precision(ranked, positives, k):
    found, total = 0, 0.0
    for rank, image in enumerate(ranked[:k], start=1):
        if image in positives:
            found += 1
            total += found / rank
    return total / min(len(positives), k)


def average_precision_without_negatives(case, k):
    return average_precision([image for image in case.ranked if image not in case.negatives], case.positives, k)


def negative_recall(case, k):
    n_found = sum(image in case.negatives for image in case.ranked[:k])
    return n_found / min(len(case.negatives), k) if case.negatives else 0.0


def average_precision_trapezoid(ranked, positives):
    found, total = 0, 0.0
    for rank, image in enumerate(ranked):
        if image in positives:
            before = found / rank if rank else 1.0
            found += 1
            total += (before + found / (rank + 1)) / 2
    return total / (len(positives) + 1e-5)


def average_precision_standard(ranked, positives):
    precisions = [
        sum(other in positives for other in ranked[:rank]) / rank
        for rank, image in enumerate(ranked, start=1)
        if image in positives
    ]
    return sum(precisions) / len(positives)


def reciprocal_rank(ranked, positives):
    return next((1 / rank for rank, image in enumerate(ranked, start=1) if image in positives), 0.0)


def ndcg(ranked, positives, k):
    gained = sum(1 / log2(rank + 1) for rank, image in enumerate(ranked[:k], start=1) if image in positives)
    return gained / sum(1 / log2(rank + 1) for rank in range(1, min(len(positives), k) + 1))


def share_found(case, k):
    return sum(image in case.positives for image in case.ranked[:k]) / len(case.positives)


ORACLES = {
    "mAP@{k}": lambda case, k: average_precision(case.ranked, case.positives, k),
    "precision@{k}": lambda case, k: sum(image in case.positives for image in case.ranked[:k]) / k,
    "recall@{k}": share_found,
    "recall_subset@{k}": share_found,
    "hit_rate@{k}": lambda case, k: float(any(image in case.positives for image in case.ranked[:k])),
    "target_recall@{k}": lambda case, k: case.ranked[:k].count(case.target),
    "negative_recall@{k}": negative_recall,
    "negative_share@{k}": lambda case, k: sum(image in case.negatives for image in case.ranked[:k]) / k,
    "nDCG@{k}": lambda case, k: ndcg(case.ranked, case.positives, k),
    "mAP@{k}_without_negatives": average_precision_without_negatives,
    "delta_mAP@{k}": lambda case, k: (
        average_precision_without_negatives(case, k) - average_precision(case.ranked, case.positives, k)
    ),
    "mAP": lambda case, _k: average_precision_trapezoid(case.ranked, case.positives),
    "mAP_standard": lambda case, _k: average_precision_standard(case.ranked, case.positives),
    "reciprocal_rank": lambda case, _k: reciprocal_rank(case.ranked, case.positives),
}
QUERY_METRICS = [*CUTOFF_METRICS, *WHOLE_METRICS]
DIVIDE_BY_POSITIVES = [
    "mAP@{k}",
    "recall@{k}",
    "nDCG@{k}",
    "mAP",
    "mAP_standard",
    "mAP@{k}_without_negatives",
    "delta_mAP@{k}",
]
CASES = st.lists(
    st.builds(
        Case,
        ranked=st.lists(IMAGES, max_size=DEPTH),
        positives=st.lists(IMAGES, min_size=1, max_size=8),
        negatives=st.lists(IMAGES, max_size=8),
        target=IMAGES,
    ),
    min_size=1,
    max_size=5,
)


def values(family, cases, k):
    return compute(family.format(k=k), ArrayLists(cases))


def test_every_registered_metric_has_an_oracle():
    assert list(ORACLES) == QUERY_METRICS


@pytest.mark.parametrize("family", QUERY_METRICS)
@given(cases=CASES, k=st.integers(1, DEPTH + 3))
def test_a_metric_equals_its_oracle_even_with_repeats_and_short_lists(family, cases, k):
    computed = values(family, cases, k)
    assert computed.dtype == np.float64
    assert computed == pytest.approx([ORACLES[family](case, k) for case in cases], abs=1e-12)


@pytest.mark.parametrize("family", QUERY_METRICS)
@given(cases=CASES, k=st.integers(1, DEPTH), data=st.data())
def test_the_value_of_a_query_depends_on_that_query_alone(family, cases, k, data):
    order = data.draw(st.permutations(range(len(cases))))
    assert np.array_equal(values(family, cases, k)[list(order)], values(family, [cases[row] for row in order], k))


@pytest.mark.parametrize("family", QUERY_METRICS)
@given(cases=CASES, k=st.integers(1, DEPTH), data=st.data())
def test_other_names_for_the_images_change_nothing(family, cases, k, data):
    names = data.draw(st.permutations(range(100, 121)))
    renamed = [
        Case(
            [names[image] for image in case.ranked],
            [names[image] for image in case.positives],
            [names[image] for image in case.negatives],
            names[case.target],
        )
        for case in cases
    ]
    assert np.array_equal(values(family, cases, k), values(family, renamed, k))


@pytest.mark.parametrize("family", QUERY_METRICS)
@given(cases=CASES, k=st.integers(1, DEPTH), n=st.integers(1, 5))
def test_unjudged_images_at_the_end_change_nothing(family, cases, k, n):
    longer = [
        Case([*case.ranked, *range(1000, 1000 + n)][:DEPTH], case.positives, case.negatives, case.target)
        for case in cases
    ]
    assert np.array_equal(values(family, cases, k), values(family, longer, k))


@pytest.mark.parametrize("family", QUERY_METRICS)
@given(case=CASES.map(lambda cases: cases[0]), k=st.integers(1, DEPTH))
def test_a_rate_stays_within_zero_and_one_when_nothing_is_repeated(family, case, k):
    honest = Case(list(dict.fromkeys(case.ranked)), list(set(case.positives)), list(set(case.negatives)), case.target)
    (value,) = values(family, [honest], k)
    assert (-1 if family.startswith("delta") else 0) <= value <= 1 + 1e-12


@pytest.mark.parametrize("family", CUTOFF_METRICS)
def test_a_cutoff_below_one_is_an_error(family):
    with pytest.raises(ValueError, match="cutoff"):
        CUTOFF_METRICS[family](ArrayLists([Case([1], [1], [2], 1)]), 0)


@pytest.mark.parametrize("family", DIVIDE_BY_POSITIVES)
def test_a_query_without_positives_is_an_error_where_they_divide(family):
    with pytest.raises(ValueError, match="position 0"):
        values(family, [Case([1], [], [2], 1)], 5)


@given(
    grades=st.lists(st.lists(st.sampled_from([-1.0, 0.0, 0.5, 1.0]), min_size=4, max_size=4), min_size=1, max_size=5),
    k=st.integers(1, 6),
)
def test_with_grades_recall_is_the_best_grade_found(grades, k):
    lists = ArrayLists([Case([], [1], [], 1) for _ in grades])
    lists.grades = np.array(grades)
    assert compute(f"recall@{k}", lists).tolist() == [max(0.0, *row[:k]) for row in grades]


@given(cases=CASES, k=st.integers(1, DEPTH))
def test_precision_can_divide_by_what_was_attainable(cases, k):
    lists = ArrayLists(cases)
    lists.attainable_precision = True
    expected = [sum(i in case.positives for i in case.ranked[:k]) / min(k, len(case.positives)) for case in cases]
    assert compute(f"precision@{k}", lists) == pytest.approx(expected, abs=1e-12)


def test_the_trapezoid_and_the_standard_form_equal_the_reference_code(shared):
    golden = np.load(shared / "golden" / "metrics" / "icir_ap.npz", allow_pickle=False)
    hits = golden["correct"].astype(bool)
    n_positives = hits.sum(axis=1)
    assert average_precision_trapezoid_of(hits, n_positives) == pytest.approx(golden["ap_trapezoid"], rel=1e-12)
    assert average_precision_standard_of(hits, n_positives) == pytest.approx(
        golden["ap_standard_noninterpolated"], rel=1e-12
    )


GROUPED = st.lists(st.tuples(st.integers(0, 6), st.floats(0, 1)), min_size=1, max_size=30)
GROUP_ORACLES = {
    "linguistic_range": (2, lambda values: max(values) - min(values)),
    "linguistic_std": (2, lambda values: float(np.std(values))),
    "worst_paraphrase": (2, min),
    "macro": (1, lambda values: sum(values) / len(values)),
    "min": (1, min),
}


def test_every_registered_group_metric_has_an_oracle():
    assert list(GROUP_ORACLES) == list(GROUP_METRICS)


@pytest.mark.parametrize("name", GROUP_METRICS)
@given(grouped=GROUPED)
def test_a_group_metric_equals_its_oracle_and_skips_groups_that_are_too_small(name, grouped):
    groups = np.array([group for group, _ in grouped])
    values = np.array([value for _, value in grouped])
    computed = GROUP_METRICS[name](values, groups, 7)
    fewest, oracle = GROUP_ORACLES[name]
    sizes = Counter(groups.tolist())
    for group in range(7):
        if sizes[group] >= fewest:
            assert computed[group] == pytest.approx(oracle(values[groups == group].tolist()), abs=1e-12)
        else:
            assert np.isnan(computed[group])
