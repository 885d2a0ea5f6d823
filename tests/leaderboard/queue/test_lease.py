"""A row is claimed once, kept by heartbeats, and finished only by the attempt that holds it."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection, transaction
from django.db.models.functions import Now
from pytest_django import Settings

from leaderboard.models import FailureClass, Split, Submission, SubmissionStatus
from leaderboard.queue import lease
from tests.cast import Cast, make_cast
from tests.leaderboard.submissions import submission_in


def waiting(cast: Cast, split: Split) -> Submission:
    return submission_in(cast, split, SubmissionStatus.RECEIVED)


def claimed(submission: Submission) -> lease.Claim:
    work = lease.claim(Submission, submission.pk)
    assert work is not None
    return work


def has_live_lease(submission: Submission) -> bool:
    return Submission.objects.filter(pk=submission.pk, lease_until__gt=Now()).exists()


def test_a_claim_takes_an_attempt_and_a_lease(cast: Cast, split: Split, settings: Settings) -> None:
    submission = waiting(cast, split)
    work = claimed(submission)
    submission.refresh_from_db()
    assert (submission.status, submission.attempt, submission.n_attempts) == ("checking", work.attempt, 1)
    lease_end = Now() + timedelta(seconds=settings.LEASE_S)
    assert Submission.objects.filter(lease_until__gt=Now(), lease_until__lte=lease_end).exists()


@pytest.mark.parametrize("status", sorted(set(SubmissionStatus.values) - {SubmissionStatus.RECEIVED}))
def test_only_what_waits_can_be_claimed(status: str, cast: Cast, split: Split) -> None:
    columns = {"failed": {"failure_class": "ours"}, "accepted": {"run_artefact_digest": "0" * 64}}
    submission = submission_in(cast, split, status, **columns.get(status, {}))
    assert lease.claim(Submission, submission.pk) is None


def test_finishing_frees_the_row(cast: Cast, split: Split) -> None:
    submission = waiting(cast, split)
    lease.finish(claimed(submission), SubmissionStatus.REJECTED, n_entries=3)
    submission.refresh_from_db()
    assert (submission.status, submission.attempt, submission.lease_until) == ("rejected", None, None)
    assert submission.n_entries == 3


def test_failing_says_whose_fault_it_is(cast: Cast, split: Split) -> None:
    submission = waiting(cast, split)
    lease.fail(claimed(submission), FailureClass.OURS, "the disk is full")
    submission.refresh_from_db()
    assert (submission.status, submission.failure_class, submission.failure) == ("failed", "ours", "the disk is full")


def test_an_attempt_that_was_replaced_cannot_finish(cast: Cast, split: Split) -> None:
    submission = waiting(cast, split)
    first = claimed(submission)
    Submission.objects.update(status=SubmissionStatus.RECEIVED, attempt=None)
    second = claimed(submission)
    with pytest.raises(lease.LeaseLostError), transaction.atomic():
        lease.finish(first, SubmissionStatus.REJECTED)
    lease.finish(second, SubmissionStatus.REJECTED)
    with pytest.raises(lease.LeaseLostError):
        lease.finish(second, SubmissionStatus.REJECTED)


def test_what_was_withdrawn_cannot_be_finished(cast: Cast, split: Split) -> None:
    work = claimed(waiting(cast, split))
    Submission.objects.update(status=SubmissionStatus.WITHDRAWN, attempt=None)
    with pytest.raises(lease.LeaseLostError):
        lease.finish(work, SubmissionStatus.REJECTED)


# ---- with real transactions ----


@pytest.fixture
def installed(transactional_db: None, board: Path, settings: Settings, places: Path) -> tuple[Cast, Split]:  # noqa: ARG001
    settings.SEALED_ROOT = places / "sealed"
    call_command("install_benchmark", str(board), verbosity=0)
    return make_cast(), Split.objects.get()


def test_finishing_outside_a_transaction_is_a_mistake(installed: tuple[Cast, Split]) -> None:
    work = claimed(waiting(*installed))
    with pytest.raises(transaction.TransactionManagementError):
        lease.finish(work, SubmissionStatus.REJECTED)


def test_of_many_simultaneous_claims_one_holds(installed: tuple[Cast, Split]) -> None:
    submission = waiting(*installed)

    def claim(_: int) -> bool:
        try:
            return lease.claim(Submission, submission.pk) is not None
        finally:
            connection.close()

    with ThreadPoolExecutor(16) as pool:
        assert sum(pool.map(claim, range(16))) == 1
    submission.refresh_from_db()
    assert submission.n_attempts == 1


def await_that(reached: Callable[[], bool]) -> None:
    """Look again until it is so."""
    deadline = time.monotonic() + 10
    while not reached():
        assert time.monotonic() < deadline


def test_a_held_lease_is_prolonged(installed: tuple[Cast, Split], settings: Settings) -> None:
    settings.HEARTBEAT_S = 0.02
    submission = waiting(*installed)
    work = claimed(submission)
    with lease.held(work):
        Submission.objects.update(lease_until=Now())
        await_that(lambda: has_live_lease(submission))


def test_heartbeats_go_on_after_the_database_cut_them_off(installed: tuple[Cast, Split], settings: Settings) -> None:
    settings.HEARTBEAT_S = 0.02
    submission = waiting(*installed)
    with lease.held(claimed(submission)):
        for _ in range(2):
            cut_off_all_others()
            Submission.objects.update(lease_until=Now())
            await_that(lambda: has_live_lease(submission))


def cut_off_all_others() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


def test_a_result_outlives_a_database_that_went_away(installed: tuple[Cast, Split]) -> None:
    submission = waiting(*installed)
    work = claimed(submission)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        own_pid = cursor.fetchone()[0]
    with ThreadPoolExecutor(1) as pool:
        pool.submit(terminate, own_pid).result()
    lease.commit(lambda: lease.finish(work, SubmissionStatus.REJECTED))
    submission.refresh_from_db()
    assert submission.status == SubmissionStatus.REJECTED


def terminate(pid: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s, 5000)", [pid])
    connection.close()


def test_work_that_raises_ends_its_lease_at_once(installed: tuple[Cast, Split]) -> None:
    submission = waiting(*installed)
    with pytest.raises(ZeroDivisionError), lease.held(claimed(submission)):
        raise ZeroDivisionError
    submission.refresh_from_db()
    assert submission.status == SubmissionStatus.CHECKING
    assert not has_live_lease(submission)


def test_an_interrupted_finish_leaves_everything_as_it_was(installed: tuple[Cast, Split]) -> None:
    submission = waiting(*installed)
    work = claimed(submission)

    def write() -> None:
        lease.finish(work, SubmissionStatus.REJECTED)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        lease.commit(write)
    submission.refresh_from_db()
    assert (submission.status, submission.attempt) == (SubmissionStatus.CHECKING, work.attempt)
