"""GeneCIS's recall, number by number."""

import json

import pytest

from evaluator.formats.read import read_run
from evaluator.public.bundle import load_benchmark
from evaluator.score import score

TASKS = ["change_object", "focus_object"]


def test_these_are_all_cases(genecis_cases):
    assert sorted(genecis_cases.expected) == [f"{task}.random_seed71" for task in TASKS]


@pytest.mark.parametrize("task", TASKS)
def test_every_number_is_the_official_one(task, genecis_bundles, genecis_cases):
    benchmark = load_benchmark(genecis_bundles[task])
    reading = read_run(genecis_cases.folder / f"{task}.random_seed71.ranking.json.gz", benchmark)
    assert not reading.problems.counts
    report = score(reading.run, benchmark, genecis_bundles[task] / "sealed")
    expected = genecis_cases.expected[f"{task}.random_seed71"]
    for k in (1, 2, 3):
        assert report.metrics[f"recall@{k}"].value == pytest.approx(expected[f"Recall@{k}"], abs=1e-12)
        assert report.metrics[f"recall@{k}"].n == expected["n"]
    assert (report.bootstrap["unit"], report.bootstrap["n_units"]) == ("reference", 218)


@pytest.mark.parametrize("task", TASKS)
def test_the_identity_is_perfect_and_never_ranked(task, genecis_bundles, tmp_path):
    benchmark = load_benchmark(genecis_bundles[task])
    path = tmp_path / "run.json"
    path.write_text(json.dumps([list(range(15))] * len(benchmark.query_ids)))
    report = score(read_run(path, benchmark).run, benchmark, genecis_bundles[task] / "sealed")
    assert report.metrics["recall@1"].value == 1.0
    assert not report.rankable
    assert "uploads-unranked" in {warning.code for warning in report.warnings}
