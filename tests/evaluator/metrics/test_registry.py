from pathlib import Path

import pytest

import evaluator.metrics
from evaluator.metrics.registry import GROUP_METRICS, QUERY_METRICS, RATIO_METRICS, MetricNameError, split_name

METRICS = Path(evaluator.metrics.__file__).parent
NOT_METRICS = {"__init__.py", "cutoff.py", "registry.py"}


@pytest.mark.parametrize("family", [*QUERY_METRICS, *RATIO_METRICS])
def test_a_family_with_any_cutoff_is_known(family):
    assert split_name(family.format(k=7)) == (family, 7)


@pytest.mark.parametrize("name", [*GROUP_METRICS])
def test_a_group_metric_has_no_cutoff(name):
    assert split_name(name) == (name, None)


@pytest.mark.parametrize(
    "name", ["", "mAP", "mAP@", "mAP@0", "mAP@ten", "mAP@-5", "MAP@5", "linguistic_range@5", "mAP@5_"]
)
def test_an_unknown_name_is_refused_with_the_known_ones(name):
    with pytest.raises(MetricNameError, match="linguistic_std"):
        split_name(name)


def test_each_metric_has_a_file_of_its_own():
    files = {path.name for path in METRICS.glob("*.py")} - NOT_METRICS
    assert len(files) == len(QUERY_METRICS) + len(GROUP_METRICS)


@pytest.mark.parametrize("path", sorted(METRICS.glob("*.py")), ids=lambda path: path.name)
def test_a_metric_says_where_it_comes_from_and_shows_an_example(path):
    text = path.read_text()
    assert path.name in NOT_METRICS or ("Source:" in text and "Example:" in text)
