"""Every metric with a value per query against a few lines of plain Python, on drawn lists and judgements."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.metrics.registry import GROUP_METRICS, QUERY_METRICS

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


ORACLES = {
    "mAP@{k}": lambda case, k: average_precision(case.ranked, case.positives, k),
    "precision@{k}": lambda case, k: sum(image in case.positives for image in case.ranked[:k]) / k,
    "recall@{k}": lambda case, k: sum(image in case.positives for image in case.ranked[:k]) / len(case.positives),
    "target_recall@{k}": lambda case, k: case.ranked[:k].count(case.target),
    "negative_recall@{k}": negative_recall,
    "mAP@{k}_without_negatives": average_precision_without_negatives,
    "delta_mAP@{k}": lambda case, k: (
        average_precision_without_negatives(case, k) - average_precision(case.ranked, case.positives, k)
    ),
}
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


def test_every_registered_metric_has_an_oracle():
    assert set(ORACLES) == set(QUERY_METRICS)


@pytest.mark.parametrize("family", sorted(QUERY_METRICS))
@given(cases=CASES, k=st.integers(1, DEPTH + 3))
def test_a_metric_equals_its_oracle_even_with_repeats_and_short_lists(family, cases, k):
    computed = QUERY_METRICS[family].compute(ArrayLists(cases), k)
    assert computed.dtype == np.float64
    assert computed == pytest.approx([ORACLES[family](case, k) for case in cases], abs=1e-12)


@pytest.mark.parametrize("family", sorted(QUERY_METRICS))
@given(cases=CASES, k=st.integers(1, DEPTH), data=st.data())
def test_the_value_of_a_query_depends_on_that_query_alone(family, cases, k, data):
    order = data.draw(st.permutations(range(len(cases))))
    computed = QUERY_METRICS[family].compute(ArrayLists(cases), k)
    permuted = QUERY_METRICS[family].compute(ArrayLists([cases[row] for row in order]), k)
    assert np.array_equal(computed[list(order)], permuted)


@pytest.mark.parametrize("family", sorted(QUERY_METRICS))
@given(case=CASES.map(lambda cases: cases[0]), k=st.integers(1, DEPTH))
def test_a_rate_stays_within_zero_and_one_when_nothing_is_repeated(family, case, k):
    honest = Case(list(dict.fromkeys(case.ranked)), list(set(case.positives)), list(set(case.negatives)), case.target)
    (value,) = QUERY_METRICS[family].compute(ArrayLists([honest]), k)
    assert (-1 if family.startswith("delta") else 0) <= value <= 1


@pytest.mark.parametrize("family", sorted(QUERY_METRICS))
def test_a_cutoff_below_one_is_an_error(family):
    with pytest.raises(ValueError, match="cutoff"):
        QUERY_METRICS[family].compute(ArrayLists([Case([1], [1], [2], 1)]), 0)


@pytest.mark.parametrize("family", ["mAP@{k}", "recall@{k}", "mAP@{k}_without_negatives", "delta_mAP@{k}"])
def test_a_query_without_positives_is_an_error_where_they_divide(family):
    with pytest.raises(ValueError, match="position 0"):
        QUERY_METRICS[family].compute(ArrayLists([Case([1], [], [2], 1)]), 5)


GROUPED = st.lists(st.tuples(st.integers(0, 6), st.floats(0, 1)), min_size=1, max_size=30)
SPREADS = {
    "linguistic_range": lambda values: max(values) - min(values),
    "linguistic_std": lambda values: float(np.std(values)),
}


def test_every_registered_group_metric_has_an_oracle():
    assert set(SPREADS) == set(GROUP_METRICS)


@pytest.mark.parametrize("name", sorted(GROUP_METRICS))
@given(grouped=GROUPED)
def test_a_group_metric_equals_its_oracle_and_skips_single_queries(name, grouped):
    groups = np.array([group for group, _ in grouped])
    values = np.array([value for _, value in grouped])
    computed = GROUP_METRICS[name](values, groups, 7)
    sizes = Counter(groups.tolist())
    for group in range(7):
        if sizes[group] >= 2:
            assert computed[group] == pytest.approx(SPREADS[name](values[groups == group].tolist()), abs=1e-12)
        else:
            assert np.isnan(computed[group])
