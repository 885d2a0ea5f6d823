"""A check ends in a verdict that holds every problem, or is tried again."""

import hashlib
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from uuid import UUID, uuid4

import pytest
from django.core.management import call_command
from django.db import connection
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from evaluator.formats.isolated import CheckerError
from evaluator.public.run import load_run
from leaderboard.models import AuditEvent, Evaluation, Split, Submission, SubmissionStatus
from leaderboard.queue import lease
from leaderboard.queue.check_run import check_claimed, claim_check
from leaderboard.storage import artefacts
from tests.board import run_file
from tests.cast import Cast, make_cast
from tests.leaderboard.submissions import submission_in

CONTENT = b"[]"
DIGEST = hashlib.sha256(CONTENT).hexdigest()
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


def test_a_team_has_one_check_at_a_time_and_the_next_is_woken_by_its_end(
    cast: Cast, split: Split, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    first, second = (submission_in(cast, split, SubmissionStatus.RECEIVED, artefact_digest=DIGEST) for _ in range(2))
    charlies = {"team": cast.charlies_team, "method": cast.charlies_method}
    others = submission_in(cast, split, SubmissionStatus.RECEIVED, **charlies)
    artefacts.put_bytes(CONTENT)
    work = claim_check(first.pk)
    assert work is not None
    assert claim_check(second.pk) is None
    assert claim_check(others.pk) is not None
    with django_capture_on_commit_callbacks() as wakes:
        check_claimed(work)
    assert [wake.keywords for wake in wakes if isinstance(wake, partial)] == [{"submission_id": str(second.pk)}]
    assert claim_check(second.pk) is not None


@pytest.mark.django_db(transaction=True)
def test_of_simultaneous_claims_of_a_team_one_holds(board: Path, settings: Settings, places: Path) -> None:
    settings.SEALED_ROOT = places / "sealed"
    call_command("install_benchmark", str(board), verbosity=0)
    cast, split = make_cast(), Split.objects.get()
    rows = [submission_in(cast, split, SubmissionStatus.RECEIVED).pk for _ in range(8)]

    def claim(row: UUID) -> bool:
        try:
            return claim_check(row) is not None
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(claim, rows)) == 1


def test_what_is_not_there_is_not_claimed(db: None) -> None:  # noqa: ARG001 - the tables must be there
    assert claim_check(uuid4()) is None


def test_a_check_leaves_no_file_behind_but_artefacts(cast: Cast, split: Split, places: Path) -> None:
    checked(cast, split, run_file())
    assert not list((places / "artefacts" / artefacts.INCOMING).iterdir())
