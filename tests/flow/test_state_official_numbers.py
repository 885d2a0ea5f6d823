"""Official files travel through real workers and come out with the official evaluators' numbers, and soon."""

import json
import statistics
import time
from pathlib import Path
from typing import Any

import pytest

from evaluator.importers.bundle_writer import write_bundle
from evaluator.importers.circo import read_circo
from evaluator.importers.pinpoint import read_pinpoint
from leaderboard.models import Score, Submission
from tests.flow.board_stack import BoardStack, assert_scored_exactly_once

VISIBLE_WITHIN_S = 2.0
N_UPLOADS = 10


def test_circos_example_gets_the_official_numbers_within_two_seconds(
    shared: Path, server_as_shipped: BoardStack, tmp_path: Path
) -> None:
    write_bundle(tmp_path / "circo", read_circo(shared / "data/circo", "val"))
    run = (shared / "golden/circo/official_example.json.gz").read_bytes()
    server = server_as_shipped.with_bundle(tmp_path / "circo", run)
    elapsed_s = []
    for _ in range(N_UPLOADS):
        begun = time.monotonic()
        submission = server.upload()
        server.await_scored(submission, within_s=30)
        elapsed_s.append(time.monotonic() - begun)
    assert_scored_exactly_once(submission, server.split)
    expected = expected_of(shared, "circo", "official_example")
    overall = scores_of(submission)
    assert {k: overall[f"mAP@{k}"] for k in expected["mAP"]} == pytest.approx(expected["mAP"], abs=1e-12)
    assert {k: overall[f"target_recall@{k}"] for k in expected["Recall"]} == pytest.approx(
        expected["Recall"], abs=1e-12
    )
    rows = Score.objects.filter(evaluation__submission=submission, axis="aspect", metric="mAP@10")
    assert dict(rows.values_list("slice", "value")) == pytest.approx(expected["semantic_mAP@10"], abs=1e-12)
    assert statistics.median(elapsed_s) < VISIBLE_WITHIN_S, elapsed_s


def test_pinpoints_full_file_gets_the_official_numbers(
    shared: Path, server_as_shipped: BoardStack, tmp_path: Path
) -> None:
    write_bundle(tmp_path / "pinpoint", read_pinpoint(shared / "data/pinpoint"))
    run = (shared / "golden/pinpoint/random_seed31.json.gz").read_bytes()
    server = server_as_shipped.with_bundle(tmp_path / "pinpoint", run)
    submission = server.upload()
    server.await_scored(submission, within_s=60)
    assert_scored_exactly_once(submission, server.split)
    expected = expected_of(shared, "pinpoint", "random_seed31")
    overall = scores_of(submission)
    for k in (1, 5, 10, 50):
        for name in ("mAP", "precision", "recall"):
            assert overall[f"{name}@{k}"] == pytest.approx(expected[f"{name}@{k}"], abs=1e-12)
        assert overall[f"negative_recall@{k}"] == pytest.approx(expected[f"NegRecall@{k}"], abs=1e-12)
    assert overall["linguistic_range"] == pytest.approx(expected["ling_sens_range"], abs=1e-12)


def expected_of(shared: Path, benchmark: str, case: str) -> dict[str, Any]:
    """What the official evaluator printed, at full precision."""
    cases = json.loads((shared / "golden" / benchmark / "expected.json").read_bytes())
    exact: dict[str, Any] = cases[case]["exact"]
    return exact


def scores_of(submission: Submission) -> dict[str, float | None]:
    rows = Score.objects.filter(evaluation__submission=submission, evaluation__protocol="official", axis="")
    return dict(rows.values_list("metric", "value"))
