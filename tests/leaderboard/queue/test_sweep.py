"""The sweeper gives back what a dead worker held, gives up what never ends, and wakes what nobody claimed."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db.models.functions import Now
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from leaderboard.models import AuditEvent, Evaluation, Split, Submission, SubmissionStatus
from leaderboard.queue.sweep import retry_pause, sweep
from tests.cast import Cast
from tests.leaderboard.submissions import accepted, evaluation_of, submission_in

SECOND = timedelta(seconds=1)


def checking(cast: Cast, split: Split, **columns: Any) -> Submission:
    return submission_in(cast, split, SubmissionStatus.CHECKING, **columns)


def test_an_expired_lease_goes_back_to_waiting(
    cast: Cast, split: Split, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    submission = checking(cast, split, lease_until=Now() - SECOND, n_attempts=1)
    with django_capture_on_commit_callbacks() as wakes:
        sweep()
    submission.refresh_from_db()
    assert (submission.status, submission.attempt, submission.lease_until) == ("received", None, None)
    assert len(wakes) == 1


def test_a_live_lease_is_left_alone(cast: Cast, split: Split) -> None:
    submission = checking(cast, split, lease_until=Now() + SECOND, n_attempts=1)
    sweep()
    submission.refresh_from_db()
    assert submission.status == SubmissionStatus.CHECKING


def test_what_never_ends_is_given_up_as_our_failure(cast: Cast, split: Split, settings: Settings) -> None:
    evaluation = evaluation_of(
        accepted(cast, split),
        status="running",
        attempt=uuid4(),
        lease_until=Now() - SECOND,
        n_attempts=settings.MAX_ATTEMPTS,
    )
    sweep()
    evaluation.refresh_from_db()
    assert (evaluation.status, evaluation.failure_class, evaluation.attempt) == ("failed", "ours", None)
    assert f"{settings.MAX_ATTEMPTS} times" in evaluation.failure
    assert AuditEvent.objects.get(target_id=str(evaluation.pk)).reason == evaluation.failure


def test_a_row_that_nobody_claimed_is_woken_once_in_a_while(
    cast: Cast, split: Split, settings: Settings, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    long_ago = Now() - timedelta(seconds=settings.REWAKE_S + 1)
    submission_in(cast, split, SubmissionStatus.RECEIVED, woken_at=long_ago)
    submission_in(cast, split, SubmissionStatus.RECEIVED, woken_at=Now())
    submission_in(cast, split, SubmissionStatus.RECEIVED)
    evaluation_of(accepted(cast, split), woken_at=long_ago)
    with django_capture_on_commit_callbacks() as wakes:
        sweep()
        sweep()
    assert len(wakes) == 3


def test_what_failed_twice_waits_longer_after_each_attempt(
    cast: Cast, split: Split, settings: Settings, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    pauses = [retry_pause(n_attempts).total_seconds() for n_attempts in range(1, settings.MAX_ATTEMPTS)]
    assert pauses == [0, 10, 40, 160]
    submission = checking(cast, split, lease_until=Now() - SECOND, n_attempts=3)
    with django_capture_on_commit_callbacks() as wakes:
        sweep()
        sweep()
    assert not wakes
    assert Submission.objects.filter(pk=submission.pk, status="received", woken_at__gt=Now() + 30 * SECOND).exists()
    Submission.objects.update(woken_at=Now() - timedelta(seconds=settings.REWAKE_S + 1))
    with django_capture_on_commit_callbacks() as wakes:
        sweep()
    assert len(wakes) == 1


def test_a_team_with_a_check_at_work_is_not_woken_and_keeps_nobody_from_it(
    cast: Cast, split: Split, settings: Settings, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    settings.REWAKE_LIMIT = 1
    checking(cast, split, lease_until=Now() + SECOND)
    for woken_at in (None, Now()):
        submission_in(cast, split, SubmissionStatus.RECEIVED, woken_at=woken_at)
    charlies = {"team": cast.charlies_team, "method": cast.charlies_method}
    waiting = submission_in(cast, split, SubmissionStatus.RECEIVED, **charlies)
    with django_capture_on_commit_callbacks() as wakes:
        sweep()
    assert len(wakes) == 1
    waiting.refresh_from_db()
    assert waiting.woken_at is not None


@pytest.mark.parametrize("status", ["accepted", "rejected", "withdrawn"])
def test_what_does_not_wait_is_not_woken(
    status: str, cast: Cast, split: Split, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    submission_in(cast, split, status, run_artefact_digest="0" * 64)
    with django_capture_on_commit_callbacks() as wakes:
        sweep()
    assert not wakes


def test_a_long_queue_is_woken_a_few_at_a_time_the_oldest_first(
    cast: Cast, split: Split, settings: Settings, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    settings.REWAKE_LIMIT = 2
    rows = [
        submission_in(cast, split, SubmissionStatus.RECEIVED, received_at=Now() - timedelta(minutes=minutes))
        for minutes in (1, 3, 2)
    ]
    with django_capture_on_commit_callbacks() as wakes:
        sweep()
        sweep()
    assert len(wakes) == 2
    for row in rows:
        row.refresh_from_db()
    assert [row.woken_at is not None for row in rows] == [False, True, True]
    # As soon as the workers have taken these, it is the next one's turn.
    Submission.objects.filter(woken_at__isnull=False).update(status=SubmissionStatus.WITHDRAWN)
    with django_capture_on_commit_callbacks() as wakes:
        sweep()
    assert len(wakes) == 1


def test_nothing_to_do_is_nothing_done(db: None) -> None:  # noqa: ARG001 - the tables must be there
    sweep()
    assert not Evaluation.objects.exists()
