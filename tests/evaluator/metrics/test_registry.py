from pathlib import Path

import pytest

import evaluator.metrics
from evaluator.metrics.registry import CUTOFF_METRICS, GROUP_METRICS, WHOLE_METRICS
from evaluator.public.metric_names import (
    CUTOFF_FAMILIES,
    PREFIXES,
    SPREADS,
    WHOLE_FAMILIES,
    MetricNameError,
    family_of,
    parse_metric,
)

METRICS = Path(evaluator.metrics.__file__).parent
NOT_METRICS = {"__init__.py", "cutoff.py", "found.py", "registry.py"}


def test_every_name_has_a_function_and_every_function_a_name():
    assert list(CUTOFF_METRICS) == list(CUTOFF_FAMILIES)
    assert list(WHOLE_METRICS) == list(WHOLE_FAMILIES)
    assert list(GROUP_METRICS) == [*SPREADS, "macro", "min"]


@pytest.mark.parametrize("family", CUTOFF_FAMILIES)
def test_a_family_with_any_cutoff_is_known(family):
    assert family_of(family.format(k=7)) == (family, 7)


@pytest.mark.parametrize("name", [*SPREADS, *WHOLE_FAMILIES, "relative_linguistic_range", "mAP_official"])
def test_some_metrics_have_no_cutoff(name):
    assert parse_metric(name).name == name


@pytest.mark.parametrize("prefix", PREFIXES)
@pytest.mark.parametrize("base", ["mAP", "mAP_standard", "mAP@10", "delta_mAP@5"])
def test_a_prefix_says_how_the_values_of_queries_are_put_together(prefix, base):
    metric = parse_metric(prefix + base)
    assert (metric.kind, metric.base) == (PREFIXES[prefix], base)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "mAP@",
        "mAP@0",
        "mAP@ten",
        "mAP@-5",
        "mAP@٣",
        "MAP@5",
        "mAP@5@5",
        "linguistic_range@5",
        "mAP@5_",
        "macro_",
        "macro_macro_mAP",
        "relative_delta_mAP",
    ],
)
def test_an_unknown_name_is_refused_with_the_known_ones(name):
    with pytest.raises(MetricNameError, match="linguistic_std"):
        parse_metric(name)


def test_each_metric_has_a_file_of_its_own():
    files = {path.name for path in METRICS.glob("*.py")} - NOT_METRICS
    # Recall has two names and two rules, precision one name and two rules.
    assert len(files) == len(CUTOFF_METRICS) + len(WHOLE_METRICS) + len(GROUP_METRICS) + 1


@pytest.mark.parametrize("path", sorted(METRICS.glob("*.py")), ids=lambda path: path.name)
def test_a_metric_says_where_it_comes_from_and_shows_an_example(path):
    text = path.read_text()
    assert path.name in NOT_METRICS or ("Source:" in text and "Example:" in text)
