import numpy as np
import pytest
from scipy import stats

from evaluator.statistics.composition_gain import Scored, composition_gain
from evaluator.statistics.difference import difference, interval_of
from evaluator.statistics.replicates import replicate_counts

N_UNITS = 120


def scored(values, name="difference 1"):
    counts = replicate_counts(name, "unit", len(values))
    return float(np.mean(values)), values @ counts.astype(float) / len(values)


def two_runs(seed):
    rng = np.random.default_rng(seed)
    hardness = rng.beta(0.5, 1, N_UNITS)
    return np.clip(hardness + rng.laplace(0.02, 0.1, (2, N_UNITS)), 0, 1)


def test_the_interval_of_a_difference_is_scipys_percentile_interval():
    a, b = two_runs(3)
    ours = difference(*(part for pair in zip(scored(a), scored(b), strict=True) for part in pair))
    theirs = stats.bootstrap(
        (a, b),
        lambda x, y, axis: np.mean(x - y, axis=axis),
        paired=True,
        method="percentile",
        n_resamples=40_000,
        rng=np.random.default_rng(4),
        vectorized=True,
    )
    # Four standard errors of a 2.5 % quantile of 10,000 draws.
    tolerance = 4 * theirs.standard_error * np.sqrt(0.025 * 0.975 / 10_000) / stats.norm.pdf(stats.norm.ppf(0.025))
    assert ours.value == pytest.approx(np.mean(a - b))
    assert ours.low == pytest.approx(theirs.confidence_interval.low, abs=tolerance)
    assert ours.high == pytest.approx(theirs.confidence_interval.high, abs=tolerance)


def test_a_paired_interval_is_narrower_than_two_intervals_suggest():
    a, b = (scored(values) for values in two_runs(5))
    paired = difference(a[0], b[0], a[1], b[1])
    alone = [interval_of(value, replicates) for value, replicates in (a, b)]
    assert paired.high - paired.low < sum(interval.high - interval.low for interval in alone) / 2


def test_swapping_the_runs_turns_value_and_interval_around():
    a, b = (scored(values) for values in two_runs(6))
    one, other = difference(a[0], b[0], a[1], b[1]), difference(b[0], a[0], b[1], a[1])
    assert (one.value, one.low, one.high) == (-other.value, -other.high, -other.low)


def test_a_run_and_itself_differ_by_zero_without_an_interval():
    value, replicates = scored(two_runs(7)[0])
    assert difference(value, value, replicates, replicates) == interval_of(0.0, np.zeros(10))
    assert interval_of(0.0, np.zeros(10)).low is None


def test_a_constant_difference_has_no_interval_although_subtraction_rounds():
    replicates = np.random.default_rng(8).random(1000)
    found = difference(0.3, 0.1, replicates + 0.2, replicates)
    assert (found.low, found.high) == (None, None)


def test_replicates_that_say_nothing_are_left_out():
    replicates = np.append(np.linspace(0, 1, 1000), np.nan)
    assert interval_of(0.5, replicates) == interval_of(0.5, replicates[:-1])


def test_the_gain_retakes_the_better_of_the_two_in_each_replicate():
    # Replicates in which either of the two can be the better one.
    text, image = np.array([0.2, 0.6, 0.4] * 100), np.array([0.6, 0.2, 0.4] * 100)
    gain = composition_gain(Scored(0.7, np.full(300, 0.7)), Scored(0.4, text), Scored(0.4, image))
    assert gain.value == pytest.approx(0.3)
    assert (gain.low, gain.high) == (pytest.approx(0.1, abs=1e-8), pytest.approx(0.3, abs=1e-8))


def test_a_clearly_better_single_row_alone_decides_the_gain():
    score, text = (scored(values) for values in two_runs(9))
    gain = composition_gain(Scored(*score), Scored(*text), Scored(0.0, np.zeros(10_000)))
    assert gain == difference(score[0], text[0], score[1], text[1])


@pytest.mark.parametrize("missing", ["text", "image", "both"])
def test_without_both_single_rows_there_is_no_gain(missing):
    row = Scored(0.5, np.linspace(0, 1, 100))
    assert composition_gain(row, None if missing != "image" else row, None if missing != "text" else row) is None
