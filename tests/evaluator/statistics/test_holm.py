import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.statistics.holm import holm_adjusted


def by_hand(p_values):
    """Reject the smallest p at alpha / m, the next at alpha / (m - 1), and so on: the least alpha that rejects each."""
    adjusted = []
    for tested in p_values:
        least = 0.0
        for place, p in enumerate(sorted(p_values)):
            if p <= tested:
                least = max(least, (len(p_values) - place) * p)
        adjusted.append(min(1.0, least))
    return adjusted


@given(p_values=st.lists(st.integers(0, 64).map(lambda n: n / 64), min_size=1, max_size=12))
def test_adjusted_p_values_equal_those_by_hand(p_values):
    assert holm_adjusted(np.array(p_values)).tolist() == by_hand(p_values)


def test_a_family_of_one_is_not_adjusted():
    assert holm_adjusted(np.array([0.03])).tolist() == [0.03]


def test_a_test_that_was_not_made_costs_the_others_nothing():
    assert holm_adjusted(np.array([0.25, np.nan, 0.5])).tolist()[::2] == [0.5, 0.5]
    assert np.isnan(holm_adjusted(np.array([0.25, np.nan, 0.5]))[1])


def test_no_tests_give_no_p_values():
    assert holm_adjusted(np.array([])).tolist() == []


@pytest.mark.parametrize("p", [-0.1, 1.1])
def test_what_is_no_probability_is_refused(p):
    with pytest.raises(ValueError, match="between 0 and 1"):
        holm_adjusted(np.array([0.5, p]))


def test_at_most_one_family_in_twenty_has_a_false_alarm():
    p_values = np.random.default_rng(2).random((20_000, 9))
    p_values[:, :3] = 0.0
    alarms = np.array([(holm_adjusted(family)[3:] <= 0.05).any() for family in p_values])
    assert 0.04 <= alarms.mean() <= 0.055
