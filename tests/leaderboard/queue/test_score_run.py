"""Scoring writes what the report says, once, and says whose fault it is when it cannot."""

import json
from pathlib import Path

import numpy as np
import pytest
from django.core.exceptions import ImproperlyConfigured
from pytest_django import Settings

from evaluator import SCORING_REVISION
from evaluator.formats.read import read_run
from evaluator.public.bundle import load_benchmark
from evaluator.public.run import save_run
from evaluator.score import score
from leaderboard.models import AuditEvent, Evaluation, EvaluationStatus, Score, Split, Submission
from leaderboard.queue import lease
from leaderboard.queue.score_run import RunDamagedError, score_claimed, score_run
from leaderboard.results.verdict import plan_evaluations
from leaderboard.storage import artefacts
from tests.board import run_file
from tests.cast import Cast
from tests.leaderboard.submissions import DIGEST, submission_in


@pytest.fixture
def submission(
    cast: Cast, split: Split, board: Path, settings: Settings, signing_key: Path, tmp_path: Path
) -> Submission:
    """An accepted run in a process that has the sealed root and the signing key."""
    settings.SEALED_ROOT = signing_key.parent / "sealed"
    (tmp_path / "run.json").write_bytes(run_file())
    run = read_run(tmp_path / "run.json", load_benchmark(board)).run
    assert run is not None
    save_run(tmp_path / "run.npz", run)
    stored = artefacts.put_file(tmp_path / "run.npz")
    return submission_in(cast, split, "accepted", run_artefact_digest=stored.digest, run_digest=run.digest)


def planned(submission: Submission, protocol: str = "official") -> Evaluation:
    plan_evaluations(submission, submission.split)
    return Evaluation.objects.get(submission=submission, protocol=protocol)


def scored(evaluation: Evaluation) -> Evaluation:
    """Score it as the task does, on this test's own connection."""
    work = lease.claim(Evaluation, evaluation.pk)
    assert work is not None
    score_claimed(work)
    evaluation.refresh_from_db()
    return evaluation


def test_every_aggregate_of_the_report_is_one_row(submission: Submission, board: Path) -> None:
    evaluation = scored(planned(submission))
    run = read_run_of(submission)
    report = score(run, load_benchmark(board), board / "sealed", "official")
    expected = {("", "", name): estimate for name, estimate in report.metrics.items()}
    for axis, values in report.slices.items():
        for value, metrics in values.items():
            expected |= {(axis, value, name): estimate for name, estimate in metrics.items()}
    rows = {(row.axis, row.slice, row.metric): row for row in Score.objects.filter(evaluation=evaluation)}
    assert rows.keys() == expected.keys()
    for key, estimate in expected.items():
        row = rows[key]
        assert (row.value, row.low, row.high, row.n) == (estimate.value, estimate.low, estimate.high, estimate.n)
    assert (evaluation.status, evaluation.primary, evaluation.rankable) == ("scored", "mAP@10", report.rankable)


def read_run_of(submission: Submission):
    from evaluator.public.run import load_run

    return load_run(artefacts.path(submission.run_artefact_digest))


def test_the_report_and_the_values_per_query_are_stored_beside_the_rows(submission: Submission) -> None:
    evaluation = scored(planned(submission))
    report = json.loads(artefacts.path(evaluation.report_digest).read_bytes())
    value = Score.objects.get(evaluation=evaluation, axis="", metric="mAP@10").value
    assert report["metrics"]["mAP@10"]["value"] == value
    assert report["digests"]["run"] == submission.run_digest
    with np.load(artefacts.path(evaluation.per_query_digest), allow_pickle=False) as arrays:
        assert len(arrays["query_ids"]) == submission.split.n_queries
        assert arrays["mAP@10"].mean() == pytest.approx(value, abs=1e-12)


def test_each_protocol_is_planned_once(submission: Submission) -> None:
    first = plan_evaluations(submission, submission.split)
    assert plan_evaluations(submission, submission.split) == first
    assert sorted(evaluation.protocol for evaluation in first) == ["clean", "official"]
    assert {evaluation.scoring_revision for evaluation in first} == {SCORING_REVISION}


def test_nothing_is_planned_where_only_the_organisers_have_the_ground_truth(submission: Submission) -> None:
    submission.split.ground_truth = "external"
    assert plan_evaluations(submission, submission.split) == []


def test_a_second_message_scores_nothing_again(submission: Submission) -> None:
    evaluation = scored(planned(submission))
    n_scores = Score.objects.count()
    score_run(evaluation_id=str(evaluation.pk))
    assert Score.objects.count() == n_scores
    assert AuditEvent.objects.filter(action="scored").count() == 1


@pytest.mark.parametrize("damage", ["missing", "damaged", "another"])
def test_faulty_ground_truth_is_the_organisers_failure_and_tells_nothing(
    damage: str, submission: Submission, places: Path
) -> None:
    truth = places / "sealed" / submission.split.folder / "ground_truth.parquet"
    if damage == "missing":
        truth.unlink()
    elif damage == "damaged":
        truth.write_bytes(truth.read_bytes()[:100])
    else:
        (truth.parent / "slices.parquet").replace(truth)
    evaluation = scored(planned(submission))
    assert (evaluation.status, evaluation.failure_class) == (EvaluationStatus.FAILED, "organiser")
    assert "parquet" not in evaluation.failure
    assert str(places) not in evaluation.failure
    assert not Score.objects.exists()


def test_a_run_that_breaks_a_protocols_rule_is_the_authors_failure(
    submission: Submission, tmp_path: Path, board: Path
) -> None:
    (tmp_path / "short.json").write_bytes(run_file(n_queries=11))
    run = read_run(tmp_path / "short.json", load_benchmark(board), lenient=True).run
    assert run is not None
    save_run(tmp_path / "short.npz", run)
    digest = artefacts.put_file(tmp_path / "short.npz").digest
    Submission.objects.update(run_artefact_digest=digest, run_digest=run.digest)
    evaluation = scored(planned(submission))
    assert (evaluation.status, evaluation.failure_class) == (EvaluationStatus.FAILED, "author")
    assert evaluation.failure


def test_a_run_that_the_disk_changed_is_not_scored(submission: Submission) -> None:
    Submission.objects.update(run_digest="1" * 64)
    work = lease.claim(Evaluation, planned(submission).pk)
    assert work is not None
    with pytest.raises(RunDamagedError):
        score_claimed(work)
    assert not Score.objects.exists()


def test_a_lost_run_is_tried_again_and_not_blamed_on_anybody(submission: Submission) -> None:
    Submission.objects.update(run_artefact_digest=DIGEST)
    work = lease.claim(Evaluation, planned(submission).pk)
    assert work is not None
    with pytest.raises(artefacts.ArtefactMissingError):
        score_claimed(work)


def test_without_a_signing_key_nothing_is_scored(submission: Submission, settings: Settings) -> None:
    settings.SIGNING_KEY = None
    work = lease.claim(Evaluation, planned(submission).pk)
    assert work is not None
    with pytest.raises(ImproperlyConfigured, match="CIRBOARD_SIGNING_KEY"):
        score_claimed(work)
    assert not Score.objects.exists()


def test_without_a_sealed_root_nothing_is_scored(submission: Submission, settings: Settings) -> None:
    settings.SEALED_ROOT = None
    work = lease.claim(Evaluation, planned(submission).pk)
    assert work is not None
    with pytest.raises(ImproperlyConfigured, match="CIRBOARD_SEALED_ROOT"):
        score_claimed(work)


def test_the_ranking_metrics_replicates_and_units_are_kept_for_later_ranks(submission: Submission, board: Path) -> None:
    evaluation = scored(planned(submission))
    report = score(read_run_of(submission), load_benchmark(board), board / "sealed", "official")
    with np.load(artefacts.path(evaluation.per_query_digest), allow_pickle=False) as arrays:
        assert arrays["replicates"].dtype == np.float64
        np.testing.assert_array_equal(arrays["replicates"], report.replicates["mAP@10"])
        assert len(arrays["replicates"]) == report.bootstrap["replicates"]
        assert arrays["n_units"] == report.bootstrap["n_units"] == 12
