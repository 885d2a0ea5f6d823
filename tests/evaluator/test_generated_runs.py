"""The files that speed is measured on, and the page about it, at a size that takes seconds."""

import json
from pathlib import Path

import pytest

from evaluator.public.bundle import load_benchmark
from tests.performance.contest import compete, make, run_module
from tests.performance.hostile_files import KINDS, write_hostile
from tests.performance.performance_page import Results, page
from tests.performance.workload import THREE_METRICS, Workload

CONTESTANTS = ("floor", "set_loop", "canonical", "official", "whole_report")
N_QUERIES, DEPTH = 120, 20


@pytest.fixture(scope="module")
def workloads(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Workload]:
    folder = tmp_path_factory.mktemp("runs")
    return {
        "pinpoint": make("pinpoint", folder / "pinpoint", n_queries=N_QUERIES, n_images=1009, depth=DEPTH),
        "icir": make("icir", folder / "icir", n_queries=30, n_instances=6, n_images=1500),
    }


@pytest.fixture(scope="module")
def results(workloads: dict[str, Workload]) -> Results:
    contests = {name: compete(workload, CONTESTANTS, rounds=1) for name, workload in workloads.items()}
    pinpoint = workloads["pinpoint"]
    write_hostile(pinpoint, "unknown")
    return Results(
        contests=contests,
        sizes={name: workload.official.stat().st_size for name, workload in workloads.items()},
        reading={100: 1.0, 200: 2.0},
        reports=[json.loads(run_module("report_times", str(pinpoint.folder), "1"))],
        hostile={"unknown": json.loads(run_module("hostile_files", "unknown", str(pinpoint.folder)))},
        rounds=1,
    )


def test_a_generated_run_is_made_again_byte_for_byte(workloads, tmp_path):
    again = make("pinpoint", tmp_path / "again", n_queries=N_QUERIES, n_images=1009, depth=DEPTH)
    assert again.official.read_bytes() == workloads["pinpoint"].official.read_bytes()
    first, second = (load_benchmark(workload.bundle).manifest for workload in (workloads["pinpoint"], again))
    assert first == second


@pytest.mark.parametrize("name", ["pinpoint", "icir"])
def test_all_ways_of_scoring_a_generated_run_agree(results, name):
    contest = results.contests[name]
    for contestant in ("set_loop", "canonical", "whole_report"):
        for metric in THREE_METRICS:
            assert contest[contestant].scores[metric] == pytest.approx(contest["official"].scores[metric], abs=1e-12)
    assert 0 < contest["official"].scores["mAP@10"] < 1


def test_every_entry_of_a_hostile_file_is_a_problem(results):
    assert results.hostile["unknown"]["counts"] == {"image-unknown": N_QUERIES * DEPTH}


@pytest.mark.parametrize("kind", KINDS)
def test_hostile_files_have_as_many_entries_as_faultless_ones(workloads, kind):
    content = json.loads(write_hostile(workloads["pinpoint"], kind).read_bytes())
    assert sum(len(entry["retrieved_items"]) for entry in content.values()) == N_QUERIES * DEPTH


def test_the_page_has_a_row_for_everyone_and_says_who_was_not_installed(results):
    text = page(results)
    for title in ("the floor", "a loop with sets", "**CIRBoard**, official file", "**CIRBoard**, canonical run"):
        assert f"\n| {title} | " in text
    assert "| ranx | not installed |" in text
    assert "```" not in text


def test_the_page_names_no_place_of_the_machine(results):
    assert str(Path.home()) not in page(results)
