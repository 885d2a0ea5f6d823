import json
from itertools import permutations

import numpy as np
import pytest

from evaluator.statistics.fairness import fairness
from evaluator.statistics.gap_permutations import Pieces, gap_p_value
from evaluator.statistics.replicates import replicate_counts

NAMES = ("light", "middle", "dark", "UNKNOWN")


def measured(values, groups, units=None, strata=None, **changes):
    values, groups = np.asarray(values, float), np.asarray(groups)
    units = np.arange(len(values)) if units is None else np.asarray(units)
    options = {"names": NAMES, "benchmark": "fairness 1", "unknown": ["UNKNOWN"], "fewest_units": 2, **changes}
    counts = replicate_counts("fairness 1", "unit", int(units.max()) + 1, n_replicates=500)
    return fairness(values, groups, units, None if strata is None else np.asarray(strata), counts=counts, **options)


def row(result, name):
    return next(group for group in result.groups if group.group == name)


def test_each_group_has_its_score_size_and_interval():
    rng = np.random.default_rng(1)
    values, groups = rng.random(80), np.repeat([0, 1, 2, 3], 20)
    result = measured(values, groups, units=np.arange(80) // 2)
    for place, group in enumerate(result.groups):
        assert group.value == pytest.approx(values[groups == place].mean())
        assert (group.n, group.n_units) == (20, 10)
        assert group.low < group.value < group.high


def test_the_gap_is_between_the_highest_and_the_lowest_known_group():
    result = measured([0.9, 0.7, 0.5, 0.5, 0.2, 0.2, 0.0, 0.0], [0, 0, 1, 1, 2, 2, 3, 3])
    assert (result.gap.highest, result.gap.lowest) == ("light", "dark")
    assert result.gap.value == pytest.approx(0.6)
    assert row(result, "UNKNOWN").value == 0.0
    assert not row(result, "UNKNOWN").is_compared


def test_a_group_with_few_units_is_shown_but_in_no_gap_however_many_queries_it_has():
    result = measured(
        [1.0, 1.0, 0.5, 0.5, 0.0, 0.0, 0.0], [0, 0, 1, 1, 2, 2, 2], units=[0, 1, 2, 3, 4, 4, 4], fewest_units=2
    )
    dark = row(result, "dark")
    assert (dark.n, dark.n_units, dark.is_too_small, dark.value) == (3, 1, True, 0.0)
    assert (result.gap.lowest, result.gap.value) == ("middle", 0.5)


def test_a_group_without_queries_is_a_row_without_a_score():
    result = measured([1.0, 1.0, 0.5, 0.5], [0, 0, 1, 1])
    assert (row(result, "dark").value, row(result, "dark").n) == (None, 0)


@pytest.mark.parametrize("groups", [[0, 0, 3, 3], [3, 3, 3, 3], [-1, -1, -1, -1]])
def test_with_fewer_than_two_groups_to_compare_there_is_no_gap(groups):
    result = measured([1.0, 1.0, 0.5, 0.5], groups, strata=[0, 0, 1, 1])
    assert result.gap is None
    assert result.standardised_gap is None


def test_queries_without_a_group_are_in_no_row():
    result = measured([1.0, 1.0, 0.5, 0.5, 0.1], [0, 0, 1, 1, -1])
    assert sum(group.n for group in result.groups) == 4


def test_a_gap_that_the_mix_alone_makes_vanishes_when_standardised():
    # Cell 0 scores 1, cell 1 scores 0, in both groups; group 0 has mostly cell 0.
    groups = [0] * 10 + [1] * 10
    strata = [0] * 8 + [1] * 2 + [0] * 2 + [1] * 8
    result = measured([1.0 - cell for cell in strata], groups, strata=strata)
    assert result.gap.value == pytest.approx(0.6)
    assert result.standardised_gap.value == pytest.approx(0.0)
    assert (result.standardised_gap.p, result.covered) == (1.0, 1.0)
    assert row(result, "light").standardised == pytest.approx(row(result, "dark").standardised or 0.5)


def test_standardised_means_equal_those_by_hand():
    rng = np.random.default_rng(2)
    values, groups, strata = rng.random(300), rng.integers(0, 3, 300), rng.integers(0, 4, 300)
    result = measured(values, groups, strata=strata)
    for place in range(3):
        expected = sum(
            np.mean(strata == cell) * values[(strata == cell) & (groups == place)].mean() for cell in range(4)
        )
        assert result.groups[place].standardised == pytest.approx(expected)


def test_a_cell_that_a_compared_group_does_not_have_is_left_out_for_all():
    values, groups, strata = [1.0, 0.0, 0.5, 0.5, 0.9, 0.9], [0, 1, 0, 1, 0, 0], [0, 0, 1, 1, 2, 2]
    result = measured(values, groups, strata=strata)
    assert result.covered == pytest.approx(4 / 6)
    assert row(result, "light").standardised == pytest.approx(0.75)
    assert row(result, "middle").standardised == pytest.approx(0.25)


def test_without_a_common_cell_nothing_is_standardised():
    result = measured([1.0, 1.0, 0.0, 0.0], [0, 0, 1, 1], strata=[0, 0, 1, 1])
    assert (result.gap.value, result.standardised_gap, result.covered) == (1.0, None, 0.0)
    assert row(result, "light").standardised is None


def test_unknown_and_small_groups_do_not_take_part_in_the_mix():
    values, groups, strata = [1.0, 0.0, 0.5, 0.5, 0.0, 0.0], [0, 1, 0, 1, 3, 3], [0, 0, 1, 1, 0, 2]
    with_unknown = measured(values, groups, strata=strata)
    without = measured(values[:4], groups[:4], strata=strata[:4])
    assert with_unknown.standardised_gap == without.standardised_gap
    assert with_unknown.gap == without.gap


def test_the_p_value_is_the_share_of_all_labellings_within_the_error_of_sampling():
    values, labels = np.array([0.9, 0.8, 0.7, 0.3, 0.6, 0.1, 0.2]), np.array([0, 0, 0, 1, 1, 1, 1])
    gaps = [
        abs(values[np.array(order) == 0].mean() - values[np.array(order) == 1].mean())
        for order in permutations(labels.tolist())
    ]
    observed = abs(values[:3].mean() - values[3:].mean())
    expected = np.mean([gap >= observed - 1e-9 for gap in gaps])
    result = measured(values, labels)
    assert result.gap.p == pytest.approx(expected, abs=4 * np.sqrt(expected * (1 - expected) / 10_000))


def test_permutations_within_cells_keep_the_mix_of_every_group():
    # Whatever labels are permuted within a cell of one value, the gap stays; across cells it would not.
    pieces = Pieces(
        sums=np.array([1.0, 1.0, 1.0, 0.0, 0.0, 0.0]),
        sizes=np.ones(6),
        cells=np.array([3, 3, 3, 7, 7, 7]),
        groups=np.array([0, 0, 1, 0, 1, 1]),
        n_groups=2,
    )
    assert gap_p_value(pieces, "fairness 1", "test", 200) == 1.0


def test_whole_units_are_permuted_so_that_copies_of_queries_prove_nothing():
    values, groups = np.random.default_rng(3).random(40), np.repeat([0, 1], 20)
    once = measured(values, groups)
    six_times = measured(np.repeat(values, 6), np.repeat(groups, 6), units=np.repeat(np.arange(40), 6))
    assert once.gap.p == six_times.gap.p
    assert once.groups[0].low == six_times.groups[0].low


@pytest.mark.parametrize("n_cells", [1, 3])
def test_equal_groups_of_clusters_have_a_significant_gap_in_one_of_twenty_tables(n_cells):
    rng = np.random.default_rng(4)
    cells, p_values = np.repeat(np.arange(n_cells), 60 // n_cells), []
    for _ in range(600):
        # As many units of each group in every cell, in random order.
        labels = rng.permuted(np.tile(np.arange(60 // n_cells) % 3, (n_cells, 1)), axis=1).ravel()
        place = np.repeat(np.arange(60), rng.integers(1, 7, 60))
        scores = rng.beta(0.5, 1, 60) + cells / 5
        pieces = Pieces.of(scores[place], place, cells=cells, groups=labels, n_groups=3)
        p_values.append(gap_p_value(pieces, "null 1", "test", 500))
    assert 0.03 <= np.mean(np.array(p_values) <= 0.05) <= 0.075


def test_a_real_gap_is_found_although_its_mix_hides_it():
    rng = np.random.default_rng(5)
    strata, groups = np.array([0, 1] * 100), np.repeat([0, 1], 100)
    strata[:100], strata[100:] = np.arange(100) % 4 > 0, np.arange(100) % 4 == 0
    # Group 0 is better by 0.15 in either cell but has most of the hard one.
    values = 0.6 - 0.3 * strata + 0.15 * (groups == 0) + rng.normal(0, 0.1, 200)
    result = measured(values, groups, strata=strata)
    assert abs(result.gap.value) < 0.05
    assert result.standardised_gap.value == pytest.approx(0.15, abs=0.05)
    assert result.standardised_gap.p < 0.001


def test_a_unit_in_several_groups_counts_in_each():
    result = measured([1.0, 0.0, 1.0, 0.0], [0, 1, 0, 1], units=[0, 0, 1, 1])
    assert [group.n_units for group in result.groups] == [2, 2, 0, 0]


def test_the_result_is_json():
    result = measured([0.9, 0.7, 0.5, 0.5], [0, 0, 1, 1], strata=[0, 1, 0, 1])
    content = json.loads(json.dumps(result.to_json(), allow_nan=False))
    assert content["gap"] == {"value": result.gap.value, "highest": "light", "lowest": "middle", "p": result.gap.p}
    assert set(content) == {"groups", "gap", "standardised_gap", "covered", "fewest_units"}
    assert content["groups"][3]["is_unknown"]
