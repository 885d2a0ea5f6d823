"""Scoring official files of the largest benchmarks beside other ways of doing it."""

import pytest

from tests.performance.contest import Took
from tests.performance.targets import (
    canonical_beside_the_floor,
    growth,
    memory_beside_libraries,
    missed,
    speed_beside_the_set_loop,
    speed_over_libraries,
)
from tests.performance.workload import THREE_METRICS

AP, AP_AT_10, RECALL_AT_10 = THREE_METRICS
WORKLOADS = ("pinpoint", "icir")


@pytest.fixture(params=WORKLOADS)
def contest(request: pytest.FixtureRequest, contests: dict[str, dict[str, Took]]) -> dict[str, Took]:
    return contests[request.param]


def test_an_official_file_is_scored_four_times_as_fast_as_by_the_trec_libraries(contest):
    assert not missed(speed_over_libraries(contest))


def test_an_official_file_takes_half_the_memory_of_the_trec_libraries(contest):
    assert not missed(memory_beside_libraries(contest))


def test_an_official_file_is_scored_no_slower_than_by_a_loop_with_sets(contest):
    assert not missed(speed_beside_the_set_loop(contest))


def test_a_canonical_run_is_scored_in_three_times_what_touching_its_official_file_takes(contest):
    assert not missed(canonical_beside_the_floor(contest))


@pytest.mark.parametrize("name", ["set_loop", "pytrec_eval", "ir_measures", "ranx", "whole_report", "canonical"])
def test_everyone_computes_the_same_where_definitions_agree(contest, name):
    ours, theirs = contest["official"].scores, contest[name].scores
    shared = [metric for metric in THREE_METRICS if metric in theirs]
    assert shared == [AP, RECALL_AT_10] if "trec's mAP@10" in theirs else list(THREE_METRICS)
    assert [ours[metric] for metric in shared] == pytest.approx([theirs[metric] for metric in shared], rel=0, abs=1e-9)


def test_the_cost_of_an_official_file_grows_with_its_entries(reading):
    assert not missed(growth("official file", list(reading.values())))
