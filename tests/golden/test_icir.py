"""i-CIR's miniature in the official layout against what the organisers' evaluator printed for it."""

import csv
import io
import json

import pytest

from evaluator.formats.read import read_run
from evaluator.formats.write import TARGETS, write_run
from evaluator.score import score

CASES = ["perfect", "random_seed61"]


@pytest.fixture(scope="module", params=CASES)
def scored(request, icir_bundle, icir_cases):
    reading = read_run(icir_cases.path(f"{request.param}.rankings"), request.getfixturevalue("icir"))
    assert not reading.problems.counts
    report = score(reading.run, request.getfixturevalue("icir"), icir_bundle / "sealed")
    return report, icir_cases.expected[request.param]


def test_macro_micro_and_min_are_the_official_numbers(scored):
    report, expected = scored
    exact = expected["exact"]
    for metric, name in (("macro_mAP", "macro_mAP(mmAP)"), ("micro_mAP", "micro_mAP"), ("min_mAP", "minmAP")):
        assert 100 * report.metrics[metric].value == pytest.approx(exact[name], rel=1e-12)


def test_the_printed_numbers_are_these(scored):
    report, expected = scored
    printed = [line.strip() for line in expected["printed"]]
    for metric, words in (
        ("micro_mAP", "mAP:"),
        ("macro_mAP", "mmAP (mean per instance):"),
        ("min_mAP", "minmAP (mean of min per instance):"),
    ):
        assert f"{words} {round(100 * report.metrics[metric].value, 2)}%" in printed


def test_every_instance_has_its_mean(scored):
    report, expected = scored
    found = report.slices["instance"]
    assert set(found) == set(expected["per_instance_mean_AP"])
    for instance, mean in expected["per_instance_mean_AP"].items():
        assert found[instance]["macro_mAP"].value == pytest.approx(mean, rel=1e-12)
        assert found[instance]["micro_mAP"].value == pytest.approx(mean, rel=1e-12)


def test_every_query_has_its_average_precision(scored):
    report, expected = scored
    rows = csv.DictReader(io.StringIO(expected["APs_csv"]))
    official = {f"{row['Image Query']}|{row['Text Query']}": float(row["AP"]) for row in rows}
    assert dict(zip(report.query_ids, report.per_query["mAP"].tolist(), strict=True)) == pytest.approx(
        official, rel=1e-12
    )


@pytest.mark.parametrize("target", TARGETS)
def test_a_run_survives_every_format(icir, icir_cases, tmp_path, target):
    run = read_run(icir_cases.path("random_seed61.rankings"), icir).run
    assert read_run(write_run(run, icir, target, tmp_path / "run"), icir).run.digest == run.digest


@pytest.mark.parametrize("case", CASES)
def test_a_run_is_written_as_it_was(icir, icir_cases, tmp_path, case):
    run = read_run(icir_cases.path(f"{case}.rankings"), icir).run
    (path,) = write_run(run, icir, "official", tmp_path / "run")
    assert json.loads(path.read_bytes()) == icir_cases.content(f"{case}.rankings")
