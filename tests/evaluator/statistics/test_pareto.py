import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from evaluator.statistics.pareto import pareto_front

POINTS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=15)


def dominates(one, other):
    return one[0] >= other[0] and one[1] <= other[1] and one != other


@given(points=POINTS)
def test_the_front_holds_what_no_point_dominates(points):
    gains, costs = np.array([p[0] for p in points], float), np.array([p[1] for p in points], float)
    expected = [not any(dominates(other, point) for other in points) for point in points]
    assert pareto_front(gains, costs).tolist() == expected


def test_points_without_a_value_are_not_on_the_front_and_keep_nobody_off():
    front = pareto_front(np.array([0.9, np.nan, 0.5]), np.array([np.nan, 0.1, 0.2]))
    assert front.tolist() == [False, False, True]


def test_infinite_costs_and_ties_with_them_are_points_like_any_other():
    assert pareto_front(np.array([0.5, 0.5]), np.array([np.inf, np.inf])).tolist() == [True, True]
