"""An upload becomes a stored artefact and a Submission that waits to be checked."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from django.conf import settings
from django.db import connection, transaction

from leaderboard.intake.errors import EmptyFileError, FileTooLargeError, NotYourTeamError
from leaderboard.intake.rules import check_quota, check_window
from leaderboard.models import Membership, Method, Split, Submission, Team, User, record_event
from leaderboard.queue.wake import wake_check
from leaderboard.storage import artefacts

LONGEST_NAME = 120


def receive(*, user: User, split: Split, method: Method, file_name: str, stream: artefacts.Readable) -> Submission:
    """Store an upload and record it; a worker is woken when the transaction is committed.

    Args:
        stream: What was uploaded.
        file_name: As the uploader called it. It is shown, and never used as a path.

    Raises:
        IntakeError: If the upload is not taken; nothing is recorded or kept then, and nothing counted.
    """
    check_may_submit(user, split, method)
    with arrived(stream) as upload, transaction.atomic():
        # One upload of a team after the other from here on, so that the quota is counted exactly. The window is
        # checked again, because what counts is when the file had arrived.
        team = Team.objects.select_for_update(no_key=True).get(pk=method.team_id)
        at = database_time()
        check_window(split, at)
        check_quota(split, team, at)
        submission = Submission.objects.create(
            team=team,
            submitted_by=user,
            method=method,
            split=split,
            file_name=shown_name(file_name),
            artefact_digest=upload.artefact.digest,
            size_bytes=upload.artefact.size_bytes,
            received_at=at,
            woken_at=at,
        )
        record_event("received", submission, actor=user, after={"artefact": upload.artefact.digest})
        wake_check(submission.pk)
        # Whatever the database may still object to, it says before the file is kept.
        connection.check_constraints()
        upload.keep()
    return submission


def check_may_submit(user: User, split: Split, method: Method) -> None:
    """Refuse before anything is read what would be refused afterwards.

    Raises:
        NotYourTeamError, NotOpenYetError, ClosedError, QuotaError: As `receive`.
    """
    if not Membership.objects.filter(team=method.team_id, user=user).exists():
        raise NotYourTeamError
    at = database_time()
    check_window(split, at)
    check_quota(split, method.team, at)


@contextmanager
def arrived(stream: artefacts.Readable) -> Iterator[artefacts.Staged]:
    """An upload within the limits, not kept yet: what the quota refuses must not stay on the disk.

    Raises:
        EmptyFileError, FileTooLargeError: Nothing is kept then.
    """
    try:
        with artefacts.staged(NonEmpty(stream), settings.UPLOAD_LIMIT_BYTES) as upload:
            yield upload
    except artefacts.ContentTooLargeError as error:
        raise FileTooLargeError(error.limit_bytes) from None


class NonEmpty:
    """A stream that holds at least one byte."""

    def __init__(self, stream: artefacts.Readable) -> None:
        self._stream = stream
        self._has_bytes = False

    def read(self, size: int, /) -> bytes:
        chunk = self._stream.read(size)
        self._has_bytes = self._has_bytes or bool(chunk)
        if not self._has_bytes:
            raise EmptyFileError
        return chunk


def shown_name(file_name: str) -> str:
    """The last part of a name as uploaded, without control characters, cut where it is too long."""
    last = file_name.replace("\\", "/").rsplit("/", 1)[-1]
    printable = "".join(character for character in last if character.isprintable()).strip()
    return printable[:LONGEST_NAME] or "upload"


def database_time() -> datetime:
    """Now, on the one clock that all processes share."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT statement_timestamp()")
        moment: datetime = cursor.fetchone()[0]
    return moment
