"""When a team may submit to a split: the window, and the quota of the last seven days."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, Q, QuerySet

from leaderboard.intake.errors import ClosedError, NotOpenYetError, QuotaError, RefusedQuotaError
from leaderboard.models import (
    Evaluation,
    EvaluationStatus,
    FailureClass,
    Split,
    Submission,
    SubmissionStatus,
    Team,
)

PERIOD = timedelta(days=7)
# Files that are refused cost no place, but somebody who uploads refused files all day holds up the others.
REFUSED_PER_PLACE = 10


@dataclass(frozen=True, slots=True)
class QuotaState:
    """How much of its quota a team has left, and when the next place becomes free (None: one is free)."""

    quota: int
    n_left: int
    resets_at: datetime | None


def check_window(split: Split, at: datetime) -> None:
    """Refuse before the first second of the window and from its end on.

    Raises:
        NotOpenYetError, ClosedError: With the moment, in its time zone.
    """
    if split.opens_at is not None and at < split.opens_at:
        raise NotOpenYetError(split, split.opens_at)
    if split.closes_at is not None and at >= split.closes_at:
        raise ClosedError(split, split.closes_at)


def check_quota(split: Split, team: Team, at: datetime) -> None:
    """Refuse if the team has no place left. Only under the team's row lock does the answer hold.

    Raises:
        QuotaError, RefusedQuotaError: With the moment at which the next place becomes free.
    """
    if split.quota_per_week is None:
        return
    state = quota_state(split, team, at)
    if state is not None and state.resets_at is not None:
        raise QuotaError(split, state.quota, state.resets_at)
    limit = max(1, split.quota_per_week) * REFUSED_PER_PLACE
    refused = _recent(split, team, at).filter(status=SubmissionStatus.REJECTED)
    if (frees_at := _place_frees_at(refused, limit)) is not None:
        raise RefusedQuotaError(split, limit, frees_at)


def quota_state(split: Split, team: Team, at: datetime) -> QuotaState | None:
    """How much is left to the team; None where the split has no quota."""
    if split.quota_per_week is None:
        return None
    counted = _recent(split, team, at).filter(_costs_a_place())
    n_left = max(0, split.quota_per_week - counted.count())
    resets_at = None if n_left else _place_frees_at(counted, split.quota_per_week) or at + PERIOD
    return QuotaState(split.quota_per_week, n_left, resets_at)


def _recent(split: Split, team: Team, at: datetime) -> QuerySet[Submission]:
    return Submission.objects.filter(split=split, team=team, received_at__gt=at - PERIOD)


def _costs_a_place() -> Q:
    """What was accepted or may yet be. What we or the organiser failed costs nothing, nor what was withdrawn unchecked."""
    not_the_authors_fault = Evaluation.objects.filter(
        submission=OuterRef("pk"),
        status=EvaluationStatus.FAILED,
        failure_class__in=[FailureClass.OURS, FailureClass.ORGANISER],
    )
    waiting = Q(status__in=[SubmissionStatus.RECEIVED, SubmissionStatus.CHECKING])
    accepted = Q(status__in=[SubmissionStatus.ACCEPTED, SubmissionStatus.WITHDRAWN]) & ~Q(run_artefact_digest="")
    return waiting | (accepted & ~Q(Exists(not_the_authors_fault)))


def _place_frees_at(counted: QuerySet[Submission], limit: int) -> datetime | None:
    """When the oldest of the last ``limit`` leaves the period; None if fewer were counted."""
    if limit == 0:
        return None
    newest = list(counted.order_by("-received_at").values_list("received_at", flat=True)[:limit])
    return newest[-1] + PERIOD if len(newest) == limit else None
