"""How often 95 % intervals hold the truth, on values such as retrieval gives: in [0, 1], skewed, in clusters."""

import numpy as np
import pytest
from scipy import stats

from evaluator.statistics.difference import interval_of
from evaluator.statistics.intervals import percentile_ends, ratio_replicates
from evaluator.statistics.replicates import replicate_counts

N_TABLES = 2000
MEAN = np.array([[1, 0]])
SHAPES = {"skewed": (0.5, 1.5), "easy": (3.0, 1.0), "hard": (0.4, 1.6)}


def percentile_intervals(values, units, n_units, n_replicates=2000):
    """(N, T) observations of T tables to (T, 2) ends, all in one go since they share their draws."""
    counts = replicate_counts("coverage 1", "unit", n_units, n_replicates=n_replicates)
    columns = np.concatenate([np.ones((len(values), 1)), values], axis=1)
    ratios = np.stack([np.arange(1, columns.shape[1]), np.zeros(values.shape[1], int)], axis=1)
    return percentile_ends(ratio_replicates(columns, units, ratios, counts))


def clusters(rng, shape, n_units, *, n_tables=N_TABLES):
    """Units of 1 to 8 queries, each with its own level; the mean over queries of all such worlds is that of the shape."""
    units = np.repeat(np.arange(n_units), rng.integers(1, 9, n_units))
    level = rng.beta(*shape, (n_units, n_tables))[units]
    # Half of the queries are like their unit, half like any other.
    alike = rng.random(level.shape) < 0.5
    return np.where(alike, level, rng.beta(*shape, level.shape)), units


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("n_units", [50, 200])
def test_93_to_97_of_100_intervals_of_a_mean_over_clusters_hold_the_truth(shape, n_units):
    a, b = SHAPES[shape]
    values, units = clusters(np.random.default_rng(n_units), (a, b), n_units)
    ends = percentile_intervals(values, units, n_units)
    held = (ends[:, 0] <= a / (a + b)) & (a / (a + b) <= ends[:, 1])
    assert 0.93 <= held.mean() <= 0.97


@pytest.mark.parametrize("n_units", [50, 200])
def test_93_to_97_of_100_intervals_of_a_paired_difference_hold_the_truth(n_units):
    rng = np.random.default_rng(7)
    one, units = clusters(rng, SHAPES["skewed"], n_units)
    # The other run loses half of its score on a third of the queries.
    loss = one / 2 * (rng.random(one.shape) < 1 / 3)
    ends = percentile_intervals(loss, units, n_units)
    truth = 0.25 / 2 / 3
    held = (ends[:, 0] <= truth) & (truth <= ends[:, 1])
    assert 0.93 <= held.mean() <= 0.97


def test_the_interval_of_a_clustered_mean_is_scipys_percentile_interval():
    values, units = clusters(np.random.default_rng(9), SHAPES["skewed"], 60, n_tables=1)
    sums, sizes = np.bincount(units, values[:, 0]), np.bincount(units).astype(float)
    theirs = stats.bootstrap(
        (sums, sizes),
        lambda total, size, axis: total.sum(axis=axis) / size.sum(axis=axis),
        paired=True,
        method="percentile",
        n_resamples=40_000,
        rng=np.random.default_rng(10),
        vectorized=True,
    )
    ((low, high),) = percentile_intervals(values, units, 60, n_replicates=10_000)
    # Four standard errors of a 2.5 % quantile of 10,000 draws.
    tolerance = 4 * theirs.standard_error * np.sqrt(0.025 * 0.975 / 10_000) / stats.norm.pdf(stats.norm.ppf(0.025))
    assert (low, high) == pytest.approx(tuple(theirs.confidence_interval), abs=tolerance)


def test_93_to_97_of_100_intervals_of_a_composition_gain_hold_the_truth():
    rng, n_units = np.random.default_rng(11), 100
    counts = replicate_counts("coverage 1", "unit", n_units, n_replicates=1000).astype(float)
    # Text alone is the better single row; the mean of its scores is 1/4.
    truth, held = 0.125 + 0.75 * 0.4 - 0.25, []
    for _ in range(1500):
        text, image = rng.beta(0.5, 1.5, (2, n_units))
        image, score = 0.6 * image, text / 2 + 0.75 * rng.beta(2, 3, n_units)
        replicates = score @ counts / n_units - np.maximum(text @ counts, image @ counts) / n_units
        found = interval_of(score.mean() - max(text.mean(), image.mean()), replicates)
        held.append(found.low <= truth <= found.high)
    assert 0.93 <= np.mean(held) <= 0.97
