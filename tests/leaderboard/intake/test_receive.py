"""An upload is stored, recorded and counted, or refused with a reason its author can act on."""

import io
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from threading import Barrier

import pytest
from django.core.management import call_command
from django.db import IntegrityError, connection
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from leaderboard.intake import errors
from leaderboard.intake.receive import database_time, receive, shown_name
from leaderboard.intake.rules import check_window
from leaderboard.models import AuditEvent, Method, Split, Submission, SubmissionStatus, Team
from tests.cast import Cast, make_cast
from tests.leaderboard.submissions import accepted, evaluation_of, submission_in


def upload(cast: Cast, split: Split, content: bytes = b"{}") -> Submission:
    return receive(user=cast.alice, split=split, method=cast.method, stream=io.BytesIO(content), file_name="run.json")


def test_an_upload_waits_to_be_checked(cast: Cast, split: Split) -> None:
    submission = upload(cast, split)
    submission.refresh_from_db()
    assert submission.status == SubmissionStatus.RECEIVED
    assert (submission.team, submission.submitted_by) == (cast.team, cast.alice)
    assert submission.size_bytes == 2
    assert AuditEvent.objects.get(target_kind="submission").action == "received"


def test_a_worker_is_woken_once_the_upload_is_committed(
    cast: Cast, split: Split, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    with django_capture_on_commit_callbacks() as callbacks:
        upload(cast, split)
    assert len(callbacks) == 1


def test_an_empty_file_says_zero_bytes(cast: Cast, split: Split, places: Path) -> None:
    with pytest.raises(errors.EmptyFileError, match="0 bytes") as refused:
        upload(cast, split, b"")
    assert refused.value.code == "empty-file"
    assert not [path for path in (places / "artefacts").rglob("*") if path.is_file()]
    assert not Submission.objects.exists()


def test_a_file_over_the_limit_is_refused_while_it_arrives(cast: Cast, split: Split, settings: Settings) -> None:
    settings.UPLOAD_LIMIT_BYTES = 10

    class Endless(io.RawIOBase):
        n_read = 0

        def read(self, size: int = -1) -> bytes:
            self.n_read += size
            return b"x" * size

    stream = Endless()
    with pytest.raises(errors.FileTooLargeError):
        receive(user=cast.alice, split=split, method=cast.method, stream=stream, file_name="run.json")
    assert stream.n_read < 10_000_000
    assert not Submission.objects.exists()


def test_a_method_of_another_team_cannot_be_used(cast: Cast, split: Split) -> None:
    with pytest.raises(errors.NotYourTeamError):
        receive(user=cast.charlie, split=split, method=cast.method, stream=io.BytesIO(b"{}"), file_name="x")


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("run.json", "run.json"),
        ("../../etc/passwd", "passwd"),
        ("C:\\runs\\mine.json", "mine.json"),
        ("a\x00b\nc\u202egnp.json", "abcgnp.json"),
        ("", "upload"),
        ("/", "upload"),
        ("x" * 500, "x" * 120),
    ],
)
def test_a_file_name_is_shown_and_nothing_else(given: str, shown: str) -> None:
    assert shown_name(given) == shown


# ---- the window ----


def test_the_window_opens_and_closes_to_the_second(split: Split) -> None:
    at = database_time()
    second = timedelta(seconds=1)
    split.opens_at, split.closes_at = at, at + 10 * second
    for offset in (0, 9):
        check_window(split, at + offset * second)
    check_window(split, at + 10 * second - timedelta(microseconds=1))
    with pytest.raises(errors.NotOpenYetError, match="UTC"):
        check_window(split, at - second)
    for offset in (10, 11):
        with pytest.raises(errors.ClosedError, match="UTC"):
            check_window(split, at + offset * second)


def test_an_upload_outside_the_window_is_refused_before_it_is_read(cast: Cast, split: Split) -> None:
    split.closes_at = database_time()
    split.save()
    stream = io.BytesIO(b"{}")
    with pytest.raises(errors.ClosedError):
        receive(user=cast.alice, split=split, method=cast.method, stream=stream, file_name="run.json")
    assert stream.tell() == 0


def test_what_counts_is_when_the_file_has_arrived_and_a_late_one_is_not_kept(
    cast: Cast, split: Split, places: Path
) -> None:
    split.closes_at = database_time() + timedelta(days=1)
    split.save()

    class Slow(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            split.closes_at = database_time()
            return super().read(size)

    with pytest.raises(errors.ClosedError):
        receive(user=cast.alice, split=split, method=cast.method, stream=Slow(b"{}"), file_name="run.json")
    assert not Submission.objects.exists()
    assert not [path for path in (places / "artefacts").rglob("*") if path.is_file()]


# ---- the quota ----


@pytest.fixture
def one_a_week(split: Split) -> Split:
    split.quota_per_week = 1
    split.save()
    return split


def test_the_quota_says_when_the_next_place_is_free(cast: Cast, one_a_week: Split) -> None:
    first = upload(cast, one_a_week)
    with pytest.raises(errors.QuotaError) as refused:
        upload(cast, one_a_week)
    assert refused.value.resets_at == first.received_at + timedelta(days=7)
    assert errors.in_words(refused.value.resets_at) in refused.value.message


def test_a_place_is_free_again_after_seven_days(cast: Cast, one_a_week: Split) -> None:
    accepted(cast, one_a_week, received_at=database_time() - timedelta(days=7))
    upload(cast, one_a_week)


def test_the_quota_is_the_teams(cast: Cast, one_a_week: Split) -> None:
    upload(cast, one_a_week)
    with pytest.raises(errors.QuotaError):
        receive(user=cast.bob, split=one_a_week, method=cast.method, stream=io.BytesIO(b"{}"), file_name="x")
    receive(user=cast.charlie, split=one_a_week, method=cast.charlies_method, stream=io.BytesIO(b"{}"), file_name="x")


@pytest.mark.parametrize("n_of_ours", [1, 3])
def test_failures_that_are_not_the_authors_cost_nothing(cast: Cast, one_a_week: Split, n_of_ours: int) -> None:
    for _ in range(n_of_ours):
        submission_in(cast, one_a_week, SubmissionStatus.FAILED, failure_class="ours")
        evaluation_of(accepted(cast, one_a_week), status="failed", failure_class="organiser")
        submission_in(cast, one_a_week, SubmissionStatus.WITHDRAWN)
        submission_in(cast, one_a_week, SubmissionStatus.REJECTED)
    upload(cast, one_a_week)


def spend_accepted(cast: Cast, split: Split) -> None:
    accepted(cast, split)


def spend_withdrawn_after_acceptance(cast: Cast, split: Split) -> None:
    submission_in(cast, split, SubmissionStatus.WITHDRAWN, run_artefact_digest="1" * 64)


def spend_authors_failure(cast: Cast, split: Split) -> None:
    evaluation_of(accepted(cast, split), status="failed", failure_class="author")


@pytest.mark.parametrize("spend", [spend_accepted, spend_withdrawn_after_acceptance, spend_authors_failure])
def test_what_was_accepted_costs_a_place(spend: Callable[[Cast, Split], None], cast: Cast, one_a_week: Split) -> None:
    spend(cast, one_a_week)
    with pytest.raises(errors.QuotaError):
        upload(cast, one_a_week)


def test_refused_files_have_a_larger_limit_of_their_own(cast: Cast, one_a_week: Split) -> None:
    for _ in range(9):
        submission_in(cast, one_a_week, SubmissionStatus.REJECTED)
    upload(cast, one_a_week)
    Submission.objects.update(status=SubmissionStatus.REJECTED)
    with pytest.raises(errors.RefusedQuotaError):
        upload(cast, one_a_week)


class HeldOpen(io.BytesIO):
    """A stream that has arrived only when all others have, so that each was begun while a place was free."""

    def __init__(self, content: bytes, all_begun: Barrier) -> None:
        super().__init__(content)
        self._all_begun = all_begun

    def read(self, size: int | None = -1, /) -> bytes:
        chunk = super().read(size)
        if not chunk:
            self._all_begun.wait(30)
        return chunk


@pytest.mark.parametrize("same_content", [False, True])
@pytest.mark.django_db(transaction=True)
def test_of_fifty_simultaneous_uploads_with_one_place_left_exactly_one_is_taken_and_kept(
    same_content: bool, board: Path, settings: Settings, places: Path
) -> None:
    cast = make_cast()
    settings.SEALED_ROOT = places / "sealed"
    call_command("install_benchmark", str(board), verbosity=0)
    Split.objects.update(quota_per_week=3)
    split = Split.objects.get()
    accepted(cast, split)
    accepted(cast, split)

    all_begun = Barrier(50)

    def try_one(number: int) -> str:
        stream = HeldOpen(b"{}" if same_content else b"%d" % number, all_begun)
        try:
            receive(user=cast.alice, split=split, method=cast.method, stream=stream, file_name="run.json")
        except errors.IntakeError as error:
            return error.code
        finally:
            connection.close()
        return "taken"

    with ThreadPoolExecutor(50) as pool:
        outcomes = sorted(pool.map(try_one, range(50)))
    assert outcomes == ["quota-used"] * 49 + ["taken"]
    assert Submission.objects.filter(team=Team.objects.get(slug="wonderland")).count() == 3
    taken = Submission.objects.get(status=SubmissionStatus.RECEIVED)
    assert [path.name for path in (places / "artefacts").rglob("*") if path.is_file()] == [taken.artefact_digest]


@pytest.mark.django_db(transaction=True)
def test_what_the_database_refuses_in_the_end_is_not_kept(board: Path, settings: Settings, places: Path) -> None:
    settings.SEALED_ROOT = places / "sealed"
    call_command("install_benchmark", str(board), verbosity=0)
    cast, split = make_cast(), Split.objects.get()

    class MethodGoes(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            Method.objects.filter(pk=cast.method.pk).delete()
            return super().read(size)

    with pytest.raises(IntegrityError):
        receive(user=cast.alice, split=split, method=cast.method, stream=MethodGoes(b"{}"), file_name="run.json")
    assert not Submission.objects.exists()
    assert not [path for path in (places / "artefacts").rglob("*") if path.is_file()]
