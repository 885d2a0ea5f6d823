"""The page on metrics has one section for each, and its examples are what the functions give."""

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from evaluator.importers import circo, cirr, domain_conversion, icir, pinpoint
from evaluator.metrics.graded_recall import graded_recall_at_k
from evaluator.metrics.registry import GROUP_METRICS, compute
from evaluator.public.metric_names import (
    PREFIXES,
    QUERY_FAMILIES,
    RELATIVE_SPREAD,
    ROUNDED,
    SPREADS,
    family_of,
    parse_metric,
)
from evaluator.score import aggregation

PAGE = (Path(__file__).parents[3] / "docs" / "metrics.md").read_text(encoding="utf-8")
EXAMPLE = re.compile(r"^Example: `(\S+)`, list `([^`]*)`, n = (\d+)(?:, m = (\d+))?: ([0-9.]+)$", re.MULTILINE)
EXAMPLES = EXAMPLE.findall(PAGE)


@dataclass
class OneList:
    marks: list[str]
    n: int
    m: int
    grades: None = None
    attainable_precision: bool = False

    def _where(self, marks: str) -> np.ndarray:
        return np.array([[mark in marks for mark in self.marks]], bool)

    @property
    def positive_hits(self) -> np.ndarray:
        return self._where("+")

    @property
    def negative_hits(self) -> np.ndarray:
        return self._where("x")

    @property
    def target_hits(self) -> np.ndarray:
        return self._where("t")

    @property
    def n_positives(self) -> np.ndarray:
        return np.array([self.n])

    @property
    def n_negatives(self) -> np.ndarray:
        return np.array([self.m])


def test_every_metric_has_exactly_one_section():
    known = [*QUERY_FAMILIES, *SPREADS, RELATIVE_SPREAD, ROUNDED, *PREFIXES, "relative_delta_mAP@{k}"]
    assert sorted(re.findall(r"^### `([^`]+)`$", PAGE, re.MULTILINE)) == sorted(known)


def test_every_section_names_its_source():
    for section in re.split(r"^### ", PAGE, flags=re.MULTILINE)[1:]:
        assert "Source:" in section, section.splitlines()[0]


def test_every_metric_of_a_query_has_an_example():
    assert {family_of(name)[0] for name, *_ in EXAMPLES} == set(QUERY_FAMILIES)


@pytest.mark.parametrize(("name", "marks", "n", "m", "value"), EXAMPLES)
def test_an_example_is_what_the_function_gives(name, marks, n, m, value):
    (computed,) = compute(name, OneList(marks.split(), int(n), int(m or 0)))
    assert round(float(computed), 4) == float(value)


def numbers(text: str) -> np.ndarray:
    return np.array([float(number) for number in text.split()])


@pytest.mark.parametrize("family", QUERY_FAMILIES)
def test_an_empty_list_scores_zero(family):
    (computed,) = compute(family.format(k=5), OneList([], 3, 2))
    assert computed == 0


def test_the_three_denominators_are_those_of_the_example():
    marks = ["+", "-", "+", "-", "-"]
    assert [f"{float(found):.3f}" for found in re.findall(r"it is\s+(0\.\d+)", PAGE)] == [
        f"{float(value):.3f}"
        for value in (
            compute("mAP@5", OneList(marks, 10, 0))[0],
            compute("mAP_standard", OneList(marks, 10, 0))[0],
            compute("mAP_standard", OneList(marks, 2, 0))[0],
        )
    ]


@pytest.mark.parametrize(
    ("name", "marks", "n", "value"),
    re.findall(r"^Example: `(\S+)` of what was attainable, list `([^`]*)`, n = (\d+): ([0-9.]+)$", PAGE, re.MULTILINE),
)
def test_an_example_of_attainable_precision_is_what_the_function_gives(name, marks, n, value):
    (computed,) = compute(name, OneList(marks.split(), int(n), 0, attainable_precision=True))
    assert computed == float(value)


def test_the_example_of_soft_labels_is_what_the_function_gives():
    ((name, grades, value),) = re.findall(r"^Example: `(\S+)` of soft labels `([^`]*)`: ([0-9.]+)$", PAGE, re.MULTILINE)
    assert graded_recall_at_k(numbers(grades)[None], family_of(name)[1]).tolist() == [float(value)]


GROUPED = re.findall(r"^Example: `(\S+)`, groups (`.*`): ([0-9.]+)$", PAGE, re.MULTILINE)


def grouped(name: str, values: np.ndarray, groups: np.ndarray, n_groups: int) -> float:
    """Means over groups; ratios are of means over the groups that are compared."""
    metric = parse_metric(name)
    if metric.kind == "micro":
        return float(values.mean())
    if metric.kind == "relative_spread":
        ranges, means = (GROUP_METRICS[of](values, groups, n_groups) for of in ("linguistic_range", "macro"))
        return float(np.nanmean(ranges) / means[~np.isnan(ranges)].mean())
    return float(np.nanmean(GROUP_METRICS[name if metric.kind == "spread" else metric.kind](values, groups, n_groups)))


@pytest.mark.parametrize(("name", "groups", "value"), GROUPED)
def test_an_example_over_groups_is_what_the_function_gives(name, groups, value):
    each = [numbers(text) for text in re.findall(r"`([^`]*)`", groups)]
    of_query = np.repeat(np.arange(len(each)), [len(values) for values in each])
    assert round(grouped(name, np.concatenate(each), of_query, len(each)), 4) == float(value)


def found(values: np.ndarray) -> aggregation.Found:
    return aggregation.Found(("metric",), values.mean(keepdims=True), np.zeros((1, 1)), len(values), len(values))


@pytest.mark.parametrize(
    ("name", "above", "below", "value"),
    re.findall(r"^Example: `(\S+)`, values `([^`]*)` of .* and `([^`]*)` of .*: ([0-9.]+)$", PAGE, re.MULTILINE),
)
def test_an_example_of_a_ratio_is_a_quotient_of_means(name, above, below, value):
    assert parse_metric(name).kind in {"multi_image", "relative_delta"}
    ratio = aggregation.quotient(found(numbers(above)), found(numbers(below)), (name,))
    assert round(float(ratio.values[0]), 4) == float(value)


def test_the_example_of_the_rounded_mean_is_what_the_function_gives():
    ((pairs, value),) = re.findall(r"^Example: `mAP_official`, pairs `([^`]*)`: ([0-9.]+)$", PAGE, re.MULTILINE)
    computed = aggregation.rounded([found(np.array([pair])) for pair in numbers(pairs)])
    assert computed.values.tolist() == [float(value)]


def test_every_metric_has_an_example_that_is_run():
    shown = {parse_metric(name).kind for name, *_ in re.findall(r"^Example: `(\S+)`()", PAGE, re.MULTILINE)}
    assert shown == {
        "query",
        "spread",
        "relative_spread",
        "macro",
        "min",
        "micro",
        "multi_image",
        "relative_delta",
        "rounded",
    }
    assert {name for name, *_ in GROUPED} >= {*SPREADS, RELATIVE_SPREAD}


@pytest.mark.parametrize(
    ("title", "primary"),
    [
        ("CIRCO", circo.OFFICIAL.primary),
        ("CIRR", cirr.HARD.primary),
        ("domain conversion", domain_conversion.OFFICIAL.primary),
        ("i-CIR", icir.OFFICIAL.primary),
        ("PinPoint", pinpoint.OFFICIAL.primary),
    ],
)
def test_the_table_says_by_which_metric_a_benchmark_ranks(title, primary):
    ((_, _, ranks_by),) = re.findall(rf"^\| {title} \| ([^|]*) \| ([^|]*) \| (`[^|]*`)[^|]*\|", PAGE, re.MULTILINE)
    assert ranks_by == f"`{primary}`"
