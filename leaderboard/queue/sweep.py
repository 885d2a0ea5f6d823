"""What recovery rests on: give back what a dead worker held, and wake again what nobody claimed."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from celery import shared_task
from django.conf import settings
from django.db import OperationalError, transaction
from django.db.models import Q
from django.db.models.functions import Now

from leaderboard.models import Evaluation, FailureClass, Leased, Submission, SubmissionStatus, record_event
from leaderboard.queue.lease import rows_of
from leaderboard.queue.wake import wake_check, wake_scoring

logger = logging.getLogger(__name__)
GAVE_UP = "This server tried {n_attempts} times and did not finish. It was not the file's fault; nothing was counted."


@dataclass(frozen=True, slots=True)
class Lane:
    """One kind of work, how its workers are woken, and which rows need not be because they could not be claimed."""

    kind: type[Leased]
    wake: Callable[[UUID], None]
    age: str
    held_back: Q


OF_A_TEAM_AT_WORK = Q(team__in=Submission.objects.filter(status=SubmissionStatus.CHECKING).values("team"))
LANES = (
    Lane(Submission, wake_check, "received_at", held_back=OF_A_TEAM_AT_WORK),
    Lane(Evaluation, wake_scoring, "created_at", held_back=Q(pk__in=[])),
)


@shared_task(name="sweep")
def sweep() -> None:
    """Every few seconds, by beat."""
    try:
        for lane in LANES:
            take_back(lane)
            wake_waiting(lane)
    except OperationalError as error:
        logger.warning("no sweep while the database is away: %s", str(error).strip())


@transaction.atomic
def take_back(lane: Lane) -> None:
    """Requeue rows whose lease has run out, and give up those that were tried often enough."""
    expired = (
        rows_of(lane.kind)
        .select_for_update(skip_locked=True, no_key=True)
        .filter(status=lane.kind.WORKING, lease_until__lt=Now())
        .order_by("lease_until")
    )
    for row in expired:
        if row.n_attempts >= settings.MAX_ATTEMPTS:
            _give_up(row)
        else:
            _requeue(row, lane)


@transaction.atomic
def wake_waiting(lane: Lane) -> None:
    """Send another message for the oldest rows that nobody claimed for a while: theirs was lost, or is far behind.

    Only a few each time: a long queue must not flood the broker with messages for work that is merely waiting.
    """
    waiting = rows_of(lane.kind).filter(status=lane.kind.WAITING).exclude(lane.held_back)
    since = Now() - timedelta(seconds=settings.REWAKE_S)
    n_more = settings.REWAKE_LIMIT - waiting.filter(woken_at__gte=since, woken_at__lte=Now()).count()
    if n_more > 0:
        overdue = waiting.filter(Q(woken_at=None) | Q(woken_at__lt=since))
        overdue = overdue.select_for_update(skip_locked=True, no_key=True)
        _wake(lane, list(overdue.order_by(lane.age).values_list("pk", flat=True)[:n_more]))


def _requeue(row: Leased, lane: Lane) -> None:
    logger.warning("%s %s lost its worker in attempt %d", lane.kind.__name__, row.pk, row.n_attempts)
    pause = retry_pause(row.n_attempts)
    again_at = Now() + pause
    rows_of(row.__class__).filter(pk=row.pk).update(
        status=row.WAITING, attempt=None, lease_until=None, woken_at=again_at
    )
    if not pause:
        lane.wake(row.pk)


def retry_pause(n_attempts: int) -> timedelta:
    """How long to wait after that many attempts: not at all after a first one, whose worker may have been killed.

    Then longer each time, so that what passes by itself, such as a full disk, has minutes to do so.
    """
    return timedelta(seconds=settings.RETRY_PAUSE_S * 4 ** (n_attempts - 2)) if n_attempts > 1 else timedelta()


def _give_up(row: Leased) -> None:
    failure = GAVE_UP.format(n_attempts=row.n_attempts)
    rows_of(row.__class__).filter(pk=row.pk).update(
        status=row.BROKEN, attempt=None, lease_until=None, failure=failure, failure_class=FailureClass.OURS
    )
    record_event("failed", row, before={"status": row.WORKING}, after={"status": row.BROKEN}, reason=failure)


def _wake(lane: Lane, ids: Sequence[UUID]) -> None:
    rows_of(lane.kind).filter(pk__in=ids).update(woken_at=Now())
    for row_id in ids:
        lane.wake(row_id)
