"""A check ends in a verdict that holds every problem, or is tried again."""

from pathlib import Path

import pytest
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from evaluator.formats.isolated import CheckerError
from evaluator.public.run import load_run
from leaderboard.models import AuditEvent, Evaluation, Split, Submission, SubmissionStatus
from leaderboard.queue import lease
from leaderboard.queue.check_run import check_claimed
from leaderboard.storage import artefacts
from tests.board import run_file
from tests.cast import Cast
from tests.leaderboard.submissions import submission_in

HOSTILE = [
    b"\x00" * 1000,
    b"[" * 100_000,
    b"\x80\x04\x95.",
    b"PK\x03\x04",
    b'{"\\u0000": {"retrieved_items": ["\\u0000"]}}',
    b'{"\\ud800": {"retrieved_items": ["\\udfff", {"\\ud800": NaN}]}}',
    b'{"00001": {"retrieved_items": [1e999, -0.0, true, null, [[]]]}}',
    '{"\u202e00001": {"retrieved_items": "=cmd()"}}'.encode(),
]


def checked(cast: Cast, split: Split, content: bytes) -> Submission:
    stored = artefacts.put_bytes(content)
    submission = submission_in(cast, split, SubmissionStatus.RECEIVED, artefact_digest=stored.digest)
    work = lease.claim(Submission, submission.pk)
    assert work is not None
    check_claimed(work)
    submission.refresh_from_db()
    return submission


def test_a_good_file_becomes_a_canonical_run_and_one_evaluation_per_protocol(
    cast: Cast, split: Split, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    with django_capture_on_commit_callbacks() as wakes:
        submission = checked(cast, split, run_file())
    assert submission.status == SubmissionStatus.ACCEPTED
    run = load_run(artefacts.path(submission.run_artefact_digest))
    assert (run.digest, run.n_queries) == (submission.run_digest, 12)
    assert submission.n_entries == 12 * 50
    assert Evaluation.objects.filter(submission=submission, status="queued").count() == len(wakes) == 2


def test_a_bad_file_is_refused_with_every_problem(cast: Cast, split: Split) -> None:
    submission = checked(cast, split, run_file(n_queries=11))
    assert submission.status == SubmissionStatus.REJECTED
    assert submission.problems["n_errors"] == 1
    assert b"query-missing" in artefacts.path(submission.problems_csv_digest).read_bytes()
    assert AuditEvent.objects.get(target_kind="submission").action == "rejected"
    assert not Evaluation.objects.exists()


@pytest.mark.parametrize("content", HOSTILE)
def test_bytes_that_are_no_result_file_are_refused(content: bytes, cast: Cast, split: Split) -> None:
    submission = checked(cast, split, content)
    assert submission.status == SubmissionStatus.REJECTED
    assert submission.problems["n_errors"] >= 1


def test_a_missing_bundle_is_not_blamed_on_the_file(
    cast: Cast, split: Split, settings: Settings, tmp_path: Path
) -> None:
    settings.PUBLIC_ROOT = tmp_path / "elsewhere"
    with pytest.raises(CheckerError):
        checked(cast, split, run_file())
    assert Submission.objects.get().status == SubmissionStatus.CHECKING


def test_a_check_leaves_no_file_behind_but_artefacts(cast: Cast, split: Split, places: Path) -> None:
    checked(cast, split, run_file())
    assert not list((places / "artefacts" / artefacts.INCOMING).iterdir())
