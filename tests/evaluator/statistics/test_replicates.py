import hashlib

import numpy as np
import pytest

from evaluator.statistics.replicates import replicate_counts, stratified_counts


@pytest.mark.parametrize("n_units", [1, 2, 3, 220, 300])
def test_each_replicate_draws_as_many_units_as_there_are(n_units):
    counts = replicate_counts("benchmark 1", "query", n_units, n_replicates=500)
    assert counts.shape == (n_units, 500)
    assert (counts.sum(axis=0) == n_units).all()


def test_the_draws_are_these_on_every_machine_and_for_ever():
    counts = replicate_counts("benchmark 1", "query", 220, n_replicates=1000)
    digest = hashlib.sha256(np.ascontiguousarray(counts).tobytes()).hexdigest()
    assert digest == "10b834ad92b0c709150fc21a9192b3ca7c61b50211bd4f02fdc3a5ff6dfa2852"


def test_the_draws_do_not_depend_on_how_many_are_made_at_once():
    few = replicate_counts("benchmark 1", "query", 5000, n_replicates=10)
    many = replicate_counts("benchmark 1", "query", 5000, n_replicates=1000)
    assert np.array_equal(few, many[:, :10])


@pytest.mark.parametrize(
    "other",
    [("benchmark 2", "query", 220, 1), ("benchmark 1", "need", 220, 1), ("benchmark 1", "query", 220, 2)],
)
def test_another_benchmark_unit_or_seed_draws_otherwise(other):
    name, axis, n_units, seed = other
    counts = replicate_counts("benchmark 1", "query", 220, n_replicates=50)
    assert not np.array_equal(counts, replicate_counts(name, axis, n_units, seed=seed, n_replicates=50))


def test_every_unit_is_equally_likely():
    counts = replicate_counts("benchmark 1", "query", 40, n_replicates=10_000)
    means = counts.mean(axis=1)
    assert abs(means - 1).max() < 5 / np.sqrt(10_000)
    assert counts.astype(float).var() == pytest.approx(1 - 1 / 40, rel=0.02)


def test_nobody_can_change_the_shared_draws():
    counts = replicate_counts("benchmark 1", "query", 3, n_replicates=5)
    with pytest.raises(ValueError, match="read-only"):
        counts[0, 0] = 1


def test_strata_are_drawn_apart_and_keep_their_sizes():
    strata = (0, 1, 1, 0, 2, 1)
    counts = stratified_counts("benchmark 1", "unit", strata)
    for stratum, size in ((0, 2), (1, 3), (2, 1)):
        assert (counts[np.array(strata) == stratum].sum(axis=0) == size).all()
    assert np.corrcoef(counts[[0, 1]])[0, 1] == pytest.approx(0, abs=0.05)
