import os
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.statistics.intervals import percentile_ends, ratio_replicates
from evaluator.statistics.replicates import replicate_counts

MEAN = np.array([[1, 0]])


def percentile_intervals(values, units, ratios, counts):
    return percentile_ends(ratio_replicates(values, units, ratios, counts))


def with_ones(*columns):
    return np.stack([np.ones(len(columns[0])), *columns], axis=1)


ROWS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 64), st.integers(0, 4)), min_size=1, max_size=20)


@given(rows=ROWS)
def test_intervals_equal_exact_arithmetic_replicate_by_replicate(rows):
    counts = replicate_counts("oracle 1", "unit", 6, n_replicates=200)
    found = []
    for replicate in counts.T.tolist():
        numerator = sum(Fraction(value, 64) * replicate[unit] for unit, value, _ in rows)
        denominator = sum(weight * replicate[unit] for unit, _, weight in rows)
        if denominator:
            found.append(float(numerator / denominator))
    found.sort()
    units = np.array([unit for unit, _, _ in rows])
    values = with_ones(np.array([value / 64 for _, value, _ in rows]), np.array([float(row[2]) for row in rows]))
    ((low, high),) = percentile_intervals(values, units, np.array([[1, 2]]), counts)
    if not found or found[0] == found[-1]:
        assert np.isnan(low)
        assert np.isnan(high)
    else:
        cut = int(0.025 * len(found))
        assert (low, high) == (found[cut], found[-1 - cut])


def test_no_spread_gives_no_interval_instead_of_a_point():
    counts = replicate_counts("constant 1", "unit", 30, n_replicates=100)
    ends = percentile_intervals(with_ones(np.full(30, 1 / 3)), np.arange(30), MEAN, counts)
    assert np.isnan(ends).all()


def test_a_single_unit_gives_no_interval_however_much_it_varies_within():
    counts = replicate_counts("single 1", "unit", 30, n_replicates=100)
    ends = percentile_intervals(with_ones(np.array([0.1, 0.9])), np.array([3, 3]), MEAN, counts)
    assert np.isnan(ends).all()


def test_repeated_measurements_of_a_unit_do_not_narrow_its_interval():
    counts = replicate_counts("clusters 1", "unit", 50, n_replicates=2000)
    values = np.random.default_rng(3).random(50)
    once = percentile_intervals(with_ones(values), np.arange(50), MEAN, counts)
    six_times = percentile_intervals(with_ones(np.repeat(values, 6)), np.repeat(np.arange(50), 6), MEAN, counts)
    assert np.array_equal(once, six_times)


@given(seed=st.integers(0, 2**32 - 1))
def test_the_order_of_observations_changes_no_bit(seed):
    rng = np.random.default_rng(seed)
    counts = replicate_counts("order 1", "unit", 12, n_replicates=300)
    values, units, order = with_ones(rng.random(40)), rng.integers(0, 12, 40), rng.permutation(40)
    one = percentile_intervals(values, units, MEAN, counts)
    other = percentile_intervals(values[order], units[order], MEAN, counts)
    assert np.array_equal(one, other, equal_nan=True)


def test_about_95_of_100_intervals_hold_the_truth():
    rng = np.random.default_rng(11)
    counts = replicate_counts("coverage 1", "unit", 60, n_replicates=1000)
    held = 0
    for _ in range(400):
        means = rng.beta(2, 3, 60)
        queries = np.repeat(means, 4) + rng.normal(0, 0.05, 240)
        ((low, high),) = percentile_intervals(with_ones(queries), np.repeat(np.arange(60), 4), MEAN, counts)
        held += low <= 0.4 <= high
    assert 0.91 <= held / 400 <= 0.98


PRINT_DIGEST = """
import hashlib
import numpy as np
from evaluator.statistics.intervals import percentile_ends, ratio_replicates
from evaluator.statistics.replicates import replicate_counts

rng = np.random.default_rng(5)
values = np.column_stack([np.ones(4000), rng.random((4000, 40))])
ratios = np.array([(column, 0) for column in range(1, 41)] + [(1, 2)])
counts = replicate_counts("threads 1", "unit", 1300, n_replicates=3000)
ends = percentile_ends(ratio_replicates(values, rng.integers(0, 1300, 4000), ratios, counts))
print(hashlib.sha256(ends.tobytes()).hexdigest())
"""


def test_the_number_of_threads_changes_no_bit():
    digests = {_digest_with(n_threads) for n_threads in ("1", "2")}
    assert len(digests) == 1
    assert len(digests.pop()) == 64


def _digest_with(n_threads):
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": n_threads, "OMP_NUM_THREADS": n_threads}
    done = subprocess.run(
        [sys.executable, "-c", PRINT_DIGEST], env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


@pytest.mark.parametrize("scale", [1.0, 11.0])
def test_values_above_one_are_as_exact(scale):
    counts = replicate_counts("large 1", "unit", 20, n_replicates=100)
    values = np.arange(20) * scale / 32
    ((low, high),) = percentile_intervals(with_ones(values), np.arange(20), MEAN, counts)
    means = np.sort((values @ counts.astype(float)) / 20)
    assert (low, high) == (means[2], means[-3])


def test_what_belongs_to_no_unit_is_in_every_denominator():
    counts = replicate_counts("extra 1", "unit", 20, n_replicates=100)
    values = with_ones(np.ones(20))
    assert (ratio_replicates(values, np.arange(20), MEAN, counts, extra=5.0) == 20 / 25).all()


@given(
    replicates=st.lists(
        st.lists(st.sampled_from([0.0, 0.25, 0.5, np.nan]), min_size=50, max_size=50), min_size=1, max_size=4
    )
)
def test_the_ends_are_those_of_the_sorted_replicates_that_say_something(replicates):
    for row, (low, high) in zip(replicates, percentile_ends(np.array(replicates)), strict=True):
        kept = sorted(value for value in row if not np.isnan(value))
        cut = int(0.025 * len(kept))
        if not kept or kept[0] == kept[-1]:
            assert np.isnan([low, high]).all()
        else:
            assert (low, high) == (kept[cut], kept[-1 - cut])
