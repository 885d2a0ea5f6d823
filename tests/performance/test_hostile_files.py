"""Files in which a million entries are wrong are refused in bounded time and memory."""

import pytest

from tests.performance.hostile_files import KINDS
from tests.performance.targets import hostile_bounds, missed


@pytest.mark.parametrize("kind", KINDS)
def test_a_million_faults_are_counted_and_refused(hostile, kind):
    assert not hostile[kind]["accepted"]
    assert hostile[kind]["n_problems"] >= 990_000


def test_a_million_faults_take_a_third_of_the_time_and_half_the_memory_that_a_check_may(hostile):
    assert not missed(hostile_bounds(hostile))
