import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from evaluator.statistics.rank_intervals import rank_intervals
from evaluator.statistics.replicates import replicate_counts

N_UNITS = 80


def rows_of(means, seed, n_units=N_UNITS, noise=0.15):
    """Scores per unit of rows that share what makes a unit hard."""
    rng = np.random.default_rng(seed)
    hardness = rng.beta(0.5, 1, n_units) - 1 / 3
    return np.array(means)[:, None] + hardness + rng.laplace(0, noise / np.sqrt(2), (len(means), n_units))


def ranked(values, n_replicates=2000):
    counts = replicate_counts("ranks 1", "unit", values.shape[1], n_replicates=n_replicates)
    return rank_intervals(values.mean(axis=1), values @ counts.astype(float) / values.shape[1], values.shape[1])


def by_hand(points, replicates):
    """All pairs one by one."""
    n = len(points)
    pairs = [(i, j) for i in range(n) for j in range(n) if i != j]
    errors = {(i, j): np.std(replicates[i] - replicates[j], ddof=1) for i, j in pairs}
    usable = [pair for pair in pairs if errors[pair] > 1e-9]
    largest = np.max(
        [abs(replicates[i] - replicates[j] - (points[i] - points[j])) / errors[i, j] for i, j in usable], axis=0
    )
    quantile = np.sort(largest)[int(np.ceil(0.95 * (len(largest) - 1)))]
    critical = np.sqrt(N_UNITS / (N_UNITS - 1)) * stats.t.ppf(stats.norm.cdf(quantile), N_UNITS - 1)
    wins = {(i, j) for i, j in usable if points[i] - points[j] > critical * errors[i, j]}
    best = [1 + sum((j, i) in wins for j in range(n)) for i in range(n)]
    worst = [n - sum((i, j) in wins for j in range(n)) for i in range(n)]
    leader = int(np.argmax(points))
    return best, worst, [(leader, i) not in wins for i in range(n)]


@pytest.mark.parametrize("seed", range(6))
def test_ranks_equal_those_of_all_pairs_one_by_one(seed):
    values = rows_of(np.random.default_rng(seed).normal(0.4, 0.1, 7), seed)
    values[3] = values[5]
    counts = replicate_counts("ranks 1", "unit", N_UNITS, n_replicates=500)
    points, replicates = values.mean(axis=1), values @ counts.astype(float) / N_UNITS
    found = rank_intervals(points, replicates, N_UNITS)
    assert (found.best.tolist(), found.worst.tolist(), found.tied.tolist()) == by_hand(points, replicates)


def test_a_clear_order_gives_each_row_one_rank():
    found = ranked(rows_of([0.2, 0.8, 0.5], 1, noise=0.02))
    assert found.best.tolist() == found.worst.tolist() == [3, 1, 2]
    assert found.tied.tolist() == [False, True, False]


def test_identical_rows_share_their_ranks_and_are_tied():
    values = rows_of([0.8, 0.3], 2, noise=0.02)[[0, 0, 1]]
    found = ranked(values)
    assert found.best.tolist() == [1, 1, 3]
    assert found.worst.tolist() == [2, 2, 3]
    assert found.tied.tolist() == [True, True, False]


def test_rows_that_differ_alike_on_every_unit_are_told_apart_only_if_there_are_units_enough():
    many, few = rows_of([0.5], 3)[0], rows_of([0.5], 3, n_units=5)[0]
    apart, tied = ranked(np.stack([many, many + 0.1])), ranked(np.stack([few, few + 0.1]))
    assert apart.critical is None
    assert (apart.best.tolist(), apart.worst.tolist(), apart.tied.tolist()) == ([2, 1], [2, 1], [False, True])
    assert (tied.best.tolist(), tied.worst.tolist(), tied.tied.tolist()) == ([1, 1], [2, 2], [True, True])


def test_a_perfect_row_is_better_than_one_that_finds_nothing():
    found = ranked(np.stack([np.zeros(N_UNITS), np.ones(N_UNITS)]))
    assert found.best.tolist() == found.worst.tolist() == [2, 1]


def test_one_unit_tells_nothing_apart():
    found = rank_intervals(np.array([0.1, 0.9]), np.repeat([[0.1], [0.9]], 100, axis=1), 1)
    assert found.tied.all()


def test_rounding_of_nearly_equal_rows_does_not_widen_the_intervals_of_others():
    values = rows_of([0.3, 0.35, 0.6], 4)
    shifted = np.concatenate([values, values[:1] + 1 / 3])
    assert ranked(shifted).critical == pytest.approx(ranked(values).critical, rel=0.2)


def test_a_single_row_has_rank_1():
    found = ranked(rows_of([0.4], 5))
    assert (found.best.tolist(), found.worst.tolist(), found.tied.tolist()) == ([1], [1], [True])
    assert found.critical is None


def test_no_rows_have_no_ranks():
    found = rank_intervals(np.empty(0), np.empty((0, 100)), 50)
    assert (found.best.tolist(), found.worst.tolist(), found.tied.tolist()) == ([], [], [])


def test_a_row_without_a_score_is_not_ranked_and_changes_nothing_for_others():
    values = rows_of([0.2, 0.8, 0.5], 6)
    counts = replicate_counts("ranks 1", "unit", N_UNITS, n_replicates=500)
    points, replicates = values.mean(axis=1), values @ counts.astype(float) / N_UNITS
    alone = rank_intervals(points, replicates, N_UNITS)
    more = rank_intervals(np.insert(points, 1, np.nan), np.insert(replicates, 1, np.nan, axis=0), N_UNITS)
    assert (more.best[1], more.worst[1], more.tied[1]) == (0, 0, False)
    assert np.delete(more.best, 1).tolist() == alone.best.tolist()
    assert np.delete(more.worst, 1).tolist() == alone.worst.tolist()
    assert more.critical == alone.critical


def test_replicates_that_say_nothing_about_a_row_are_left_out_for_all():
    values = rows_of([0.2, 0.8, 0.5], 7)
    counts = replicate_counts("ranks 1", "unit", N_UNITS, n_replicates=500)
    points, replicates = values.mean(axis=1), values @ counts.astype(float) / N_UNITS
    broken = replicates.copy()
    broken[2, :10] = np.nan
    one, other = (rank_intervals(points, used, N_UNITS) for used in (broken, replicates[:, 10:]))
    assert one.critical == other.critical
    assert one.best.tolist() == other.best.tolist()


def test_rows_of_which_no_replicate_says_anything_may_have_any_rank():
    found = rank_intervals(np.array([0.1, 0.9]), np.full((2, 100), np.nan), 50)
    assert (found.best.tolist(), found.worst.tolist()) == ([1, 1], [2, 2])


@given(seed=st.integers(0, 2**32 - 1), n_rows=st.integers(1, 9))
def test_the_order_of_rows_changes_no_rank(seed, n_rows):
    rng = np.random.default_rng(seed)
    values, order = rows_of(rng.normal(0.4, 0.1, n_rows), seed, 20), rng.permutation(n_rows)
    one, other = ranked(values, 200), ranked(values[order], 200)
    assert one.best[order].tolist() == other.best.tolist()
    assert one.worst[order].tolist() == other.worst.tolist()
    assert (one.critical or 0.0) == pytest.approx(other.critical or 0.0, rel=1e-12)


@given(seed=st.integers(0, 2**32 - 1))
def test_every_rank_interval_holds_the_rank_in_the_table_and_ties_mean_that_rank_1_is_possible(seed):
    rng = np.random.default_rng(seed)
    values = rows_of(rng.choice([0.3, 0.35, 0.6], 8), seed, 25)
    found = ranked(values, 200)
    ranks = (-values.mean(axis=1)).argsort().argsort() + 1
    assert (found.best <= ranks).all()
    assert (ranks <= found.worst).all()
    assert found.tied[found.best == 1].all()


def test_all_true_ranks_lie_in_their_intervals_in_95_of_100_tables():
    means = np.array([0.5, 0.5, 0.5, 0.45, 0.45, 0.4, 0.3, 0.3])
    # Of rows that are truly equal each may stand anywhere among them.
    first = (means[:, None] < means).sum(axis=1) + 1
    last = (means[:, None] <= means).sum(axis=1)
    held = []
    for seed in range(600):
        found = ranked(rows_of(means, seed), 1000)
        held.append((found.best <= first).all() and (last <= found.worst).all())
    assert np.mean(held) >= 0.94


def test_no_two_equal_rows_of_eight_are_told_apart_in_about_95_of_100_tables():
    alarms = [(ranked(rows_of([0.4] * 8, seed, 50), 1000).best > 1).any() for seed in range(3000, 6000)]
    assert 0.04 <= np.mean(alarms) <= 0.06


PRINT_RANKS = """
import numpy as np
from evaluator.statistics.rank_intervals import rank_intervals

rng = np.random.default_rng(5)
points = rng.random(30)
found = rank_intervals(points, points[:, None] + rng.normal(0, 0.05, (30, 4000)), 50)
print(found.critical.hex(), found.best.tolist(), found.worst.tolist())
"""


def test_the_number_of_threads_changes_no_bit():
    assert len({printed_with(n_threads) for n_threads in ("1", "2")}) == 1


def printed_with(n_threads):
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": n_threads, "OMP_NUM_THREADS": n_threads}
    done = subprocess.run(
        [sys.executable, "-c", PRINT_RANKS], env=environment, capture_output=True, text=True, check=True
    )
    assert "[" in done.stdout
    return done.stdout
