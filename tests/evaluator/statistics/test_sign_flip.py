import os
import subprocess
import sys
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from evaluator.statistics.sign_flip import flip_words, sign_flip_p_values, sums_by_unit


def p_of(differences, units=None, weights=None, *, name="test 1"):
    differences = np.asarray(differences, float)
    units = np.arange(len(differences)) if units is None else np.asarray(units)
    sums = sums_by_unit(differences[:, None], units, int(units.max()) + 1, weights)
    return sign_flip_p_values(sums, flip_words(name, "unit", len(sums)))[0]


@pytest.mark.parametrize("seed", range(8))
def test_few_units_give_the_exact_p_value_of_scipy(seed):
    rng = np.random.default_rng(seed)
    a, b = rng.random(10) + 0.1, rng.random(10)
    theirs = stats.permutation_test(
        (a, b), lambda x, y, axis: np.mean(x - y, axis=axis), permutation_type="samples", n_resamples=np.inf, axis=0
    )
    assert p_of(a - b) == pytest.approx(theirs.pvalue, abs=1e-12)


@given(
    rows=st.lists(
        st.tuples(st.integers(0, 4), st.integers(-8, 8), st.sampled_from([0.5, 1.0, 2.0])), min_size=1, max_size=12
    )
)
def test_p_values_equal_all_assignments_of_signs_to_whole_units(rows):
    units, values, weights = (np.array(column) for column in zip(*rows, strict=True))
    sums = [float((values * weights)[units == unit].sum()) for unit in range(5)]
    totals = [
        abs(sum(sign * value for sign, value in zip(signs, sums, strict=True))) for signs in product((1, -1), repeat=5)
    ]
    expected = np.mean([total >= abs(sum(sums)) for total in totals])
    assert p_of(values / 8, units, weights) == expected


def test_many_units_give_scipys_p_value_within_the_error_of_sampling():
    rng = np.random.default_rng(4)
    a, b = rng.random((2, 60))
    theirs = stats.permutation_test(
        (a + 0.05, b),
        lambda x, y, axis: np.mean(x - y, axis=axis),
        permutation_type="samples",
        n_resamples=50_000,
        vectorized=True,
        rng=np.random.default_rng(5),
        axis=0,
    )
    assert p_of(a + 0.05 - b) == pytest.approx(theirs.pvalue, abs=4 * np.sqrt(0.25 / 10_000))


def test_sampled_and_exact_p_values_agree():
    differences = np.random.default_rng(6).normal(0.2, 1, 13)
    sums = sums_by_unit(differences[:, None], np.arange(13), 13)
    words = flip_words("test 1", "unit", 13)
    exact, sampled = sign_flip_p_values(sums, words, 8192)[0], sign_flip_p_values(sums, words, 8191)[0]
    assert exact * 8192 == round(exact * 8192)
    assert sampled == pytest.approx(exact, abs=0.03)


def test_no_sampled_p_value_is_zero():
    assert p_of(np.ones(100)) == 1 / 10_001


def test_runs_that_agree_everywhere_have_p_1():
    assert p_of(np.zeros(100)) == 1.0


def test_swapping_the_runs_changes_no_bit():
    differences = np.random.default_rng(7).normal(0.1, 1, 200)
    assert p_of(differences) == p_of(-differences)


def test_copies_of_a_units_queries_make_nothing_more_significant():
    differences = np.random.default_rng(8).normal(0.1, 1, 40)
    assert p_of(np.repeat(differences, 6), np.repeat(np.arange(40), 6)) == p_of(differences)


def test_the_scale_of_the_weights_does_not_matter():
    rng = np.random.default_rng(9)
    differences, weights = rng.normal(0.1, 1, 80), rng.integers(1, 5, 80).astype(float)
    assert p_of(differences, weights=weights) == p_of(differences, weights=4 * weights)


def test_several_tests_at_once_give_what_each_gives_alone():
    sums = sums_by_unit(np.random.default_rng(10).normal(0.1, 1, (90, 3)), np.arange(90) // 3, 30)
    sums[10:, 1] = 0.0
    words = flip_words("test 1", "unit", 30)
    alone = [sign_flip_p_values(sums[:, [column]], words)[0] for column in range(3)]
    assert sign_flip_p_values(sums, words).tolist() == alone


def test_another_benchmark_unit_or_seed_flips_otherwise():
    words = flip_words("test 1", "unit", 30)
    assert not np.array_equal(words, flip_words("test 2", "unit", 30))
    assert not np.array_equal(words, flip_words("test 1", "query", 30))
    assert not np.array_equal(words, flip_words("test 1", "unit", 30, seed=2))


def test_every_sign_is_as_likely_as_the_other():
    words = flip_words("test 1", "unit", 100)
    share = np.bitwise_count(words).sum() / (words.size * 64)
    assert share == pytest.approx(0.5, abs=4 * np.sqrt(0.25 / (words.size * 64)))


def test_under_the_null_about_one_test_in_twenty_is_significant_and_real_differences_are_found():
    rng = np.random.default_rng(12)
    n_units, n_tests = 60, 4000
    # Clusters of unequal size with skewed scores: what retrieval gives.
    units = np.repeat(np.arange(n_units), rng.integers(1, 8, n_units))
    hardness = rng.beta(0.5, 1, (n_units, n_tests))[units]
    runs = np.clip(hardness + rng.laplace(0, 0.15, (2, *hardness.shape)), 0, 1)
    words = flip_words("null 1", "unit", n_units)
    null = sign_flip_p_values(sums_by_unit(runs[0] - runs[1], units, n_units), words)
    real = sign_flip_p_values(sums_by_unit(runs[0] - runs[1] + 0.05, units, n_units), words)
    assert 0.04 <= np.mean(null <= 0.05) <= 0.06
    assert np.mean(null <= 0.01) <= 0.015
    assert np.mean(real <= 0.05) >= 0.9


PRINT_P_VALUES = """
import numpy as np
from evaluator.statistics.sign_flip import flip_words, sign_flip_p_values, sums_by_unit

rng = np.random.default_rng(5)
differences = rng.normal(0.02, 1, (4000, 40))
sums = sums_by_unit(differences, rng.integers(0, 1300, 4000), 1300)
print(sign_flip_p_values(sums, flip_words("threads 1", "unit", 1300)).tobytes().hex())
"""


def test_the_number_of_threads_changes_no_bit():
    assert len({printed_with(n_threads) for n_threads in ("1", "2")}) == 1


def printed_with(n_threads):
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": n_threads, "OMP_NUM_THREADS": n_threads}
    done = subprocess.run(
        [sys.executable, "-c", PRINT_P_VALUES], env=environment, capture_output=True, text=True, check=True
    )
    assert len(done.stdout.strip()) == 40 * 16
    return done.stdout
