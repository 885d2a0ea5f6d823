"""The page on metrics has one section for each, and its examples are what the functions give."""

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from evaluator.metrics.registry import compute
from evaluator.public.metric_names import PREFIXES, QUERY_FAMILIES, RELATIVE_SPREAD, ROUNDED, SPREADS, family_of

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
