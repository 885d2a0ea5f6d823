"""LTLL against what the organisers' evaluator printed for a random ranking."""

import csv
import json

import numpy as np
import pytest

from evaluator.formats.read import read_run
from evaluator.formats.write import TARGETS, write_run
from evaluator.score import score

NAMES = {"mAP": "mAP", "R@5": "recall@5", "P@5": "precision@5", "R@10": "recall@10", "P@10": "precision@10"}


@pytest.fixture(scope="module")
def report(ltll, ltll_bundle, freedom_cases):
    reading = read_run(freedom_cases.path("ltll.random_seed41.rankings"), ltll)
    assert not reading.problems.counts
    return score(reading.run, ltll, ltll_bundle / "sealed")


@pytest.fixture(scope="module")
def expected(freedom_cases):
    return freedom_cases.expected["ltll.random_seed41"]


def test_each_pair_rounds_to_the_official_numbers(report, expected):
    pairs = expected["metrics_per_pair"]
    assert set(report.slices["pair"]) == set(pairs)
    for pair, metrics in pairs.items():
        for official, ours in NAMES.items():
            assert np.round(100 * report.slices["pair"][pair][ours].value, 2) == metrics[official], (pair, ours)


def test_the_unrounded_mean_of_each_pair_is_the_official_one(report, expected):
    for pair, value in expected["mAP_unrounded_percent"].items():
        assert 100 * report.slices["pair"][pair]["mAP"].value == pytest.approx(value, rel=1e-12)


def test_the_tables_average_is_rounded_twice(report, expected):
    printed = expected["tables_csv"]["mAP"].strip().splitlines()[-1].split(",")[-1]
    assert f"{100 * report.metrics['mAP_official'].value:.2f}" == printed
    assert report.metrics["mAP_official"].value == 0.0284
    for official, ours in NAMES.items():
        table = expected["tables_csv"][official].strip().splitlines()[-1].split(",")[-1]
        assert f"{100 * report.metrics[f'{ours}_official'].value:.2f}" == table
    assert f"{100 * report.metrics['mAP'].value:.2f}" != printed


def test_the_tables_hold_the_rounded_pairs_by_source_and_target(report, expected):
    for official, ours in NAMES.items():
        table = list(csv.DictReader(expected["tables_csv"][official].splitlines()))
        cells = {f"{row['']}-->{target}": cell for row in table for target, cell in row.items() if target and cell}
        for pair, values in report.slices["pair"].items():
            assert float(cells[pair]) == np.round(100 * values[ours].value, 2), (pair, ours)


def test_every_pair_weighs_the_same(report, expected):
    mean = np.mean(list(expected["mAP_unrounded_percent"].values()))
    assert 100 * report.metrics["mAP"].value == pytest.approx(mean, rel=1e-12)


def test_the_first_queries_have_the_official_average_precision(report, expected):
    values = dict(zip(report.query_ids, report.per_query["mAP"].tolist(), strict=True))
    for pair, official in expected["AP_first10"].items():
        found = [value for query, value in values.items() if query.startswith(f"{pair}|")][: len(official)]
        assert found == pytest.approx(official, rel=1e-12)


@pytest.mark.parametrize("target", TARGETS)
def test_a_run_survives_every_format(ltll, freedom_cases, tmp_path, target):
    run = read_run(freedom_cases.path("ltll.random_seed41.rankings"), ltll).run
    assert read_run(write_run(run, ltll, target, tmp_path / "run"), ltll).run.digest == run.digest


def test_a_run_is_written_as_it_was(ltll, freedom_cases, tmp_path):
    case = "ltll.random_seed41.rankings"
    (path,) = write_run(read_run(freedom_cases.path(case), ltll).run, ltll, "official", tmp_path / "run")
    assert json.loads(path.read_bytes())["rankings"] == freedom_cases.content(case)["rankings"]
