"""Decisions about a submission: publish, decline, hide, withdraw.

Each is one conditional UPDATE and one audit event in one transaction: of two moderators who decide at the same moment
one is told that the other was faster.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

from django.db import transaction
from django.db.models.functions import Now

from leaderboard.models import (
    Evaluation,
    EvaluationStatus,
    Membership,
    Moderation,
    Submission,
    SubmissionStatus,
    User,
    Visibility,
    record_event,
)


class DecisionError(Exception):
    """A decision that is not possible. ``code`` is stable, the message is for whoever decided."""

    code: ClassVar[str] = "not-possible"


class NotAllowedError(DecisionError):
    """The decision is not this person's to make."""

    code = "not-allowed"


class WrongStateError(DecisionError):
    """The submission is not in a state in which this can be decided."""

    code = "wrong-state"


class ReasonMissingError(DecisionError):
    """A decision against an author needs a reason that the author can read."""

    code = "reason-missing"

    def __init__(self) -> None:
        super().__init__("Give a reason: the team will read it.")


@dataclass(frozen=True, slots=True)
class Change:
    """What one decision does: from one of these visibilities to that one."""

    action: str
    possible_from: tuple[Visibility, ...]
    to: Visibility


APPROVE = Change("approved", (Visibility.REQUESTED,), Visibility.PUBLIC)
DECLINE = Change("declined", (Visibility.REQUESTED, Visibility.PUBLIC), Visibility.DECLINED)
HIDE = Change("hidden", (Visibility.PUBLIC,), Visibility.HIDDEN)
RESTORE = Change("restored", (Visibility.HIDDEN,), Visibility.PUBLIC)
PUBLISH = Change("published", (Visibility.PRIVATE,), Visibility.PUBLIC)
REQUEST = Change("publication requested", (Visibility.PRIVATE, Visibility.DECLINED), Visibility.REQUESTED)


def request_publication(submission: Submission, actor: User, reason: str = "") -> None:
    """The team wants it public: at once where moderators look afterwards, else when one has approved.

    What was declined once is looked at again before it is public, whatever the split's rule.
    """
    _check_member(submission, actor)
    if submission.status == SubmissionStatus.ACCEPTED and not has_score(submission):
        raise WrongStateError("It has no score yet, so there is nothing to make public. Wait until it is scored.")
    looked_at_before = submission.split.moderation == Moderation.BEFORE
    was_declined = submission.visibility == Visibility.DECLINED
    _change(REQUEST if looked_at_before or was_declined else PUBLISH, submission, actor, reason)


def has_score(submission: Submission) -> bool:
    """Whether there is anything to make public."""
    return Evaluation.objects.filter(submission=submission, status=EvaluationStatus.SCORED).exists()


def approve(submission: Submission, actor: User, reason: str = "") -> None:
    """A moderator makes it public."""
    _check_moderator(actor)
    _change(APPROVE, submission, actor, reason)


def decline(submission: Submission, actor: User, reason: str) -> None:
    """A moderator says no, before or after it was public."""
    _check_moderator(actor)
    _check_reason(reason)
    _change(DECLINE, submission, actor, reason)


def hide(submission: Submission, actor: User, reason: str) -> None:
    """A moderator takes a public submission out of sight."""
    _check_moderator(actor)
    _check_reason(reason)
    _change(HIDE, submission, actor, reason)


def restore(submission: Submission, actor: User, reason: str = "") -> None:
    """A moderator makes a hidden submission public again."""
    _check_moderator(actor)
    _change(RESTORE, submission, actor, reason)


def withdraw(submission: Submission, actor: User, reason: str = "") -> None:
    """The team takes it back, for good. Whatever is still being worked on is cancelled."""
    _check_member(submission, actor)
    before = {"status": submission.status, "visibility": submission.visibility}
    # A moderator's decision stays readable; everything else is private again.
    kept = submission.visibility in {Visibility.HIDDEN, Visibility.DECLINED}
    after = {
        "status": SubmissionStatus.WITHDRAWN,
        "visibility": submission.visibility if kept else Visibility.PRIVATE,
    }
    if submission.status == SubmissionStatus.WITHDRAWN:
        raise WrongStateError("It is withdrawn already.")
    with transaction.atomic():
        _update(submission, before, {**after, "attempt": None, "lease_until": None})
        Evaluation.objects.filter(
            submission=submission, status__in=[EvaluationStatus.QUEUED, EvaluationStatus.RUNNING]
        ).update(status=EvaluationStatus.CANCELLED, attempt=None, lease_until=None, finished_at=Now())
        record_event("withdrawn", submission, actor=actor, before=before, after=after, reason=reason)
    submission.refresh_from_db()


def _change(change: Change, submission: Submission, actor: User, reason: str) -> None:
    if submission.status != SubmissionStatus.ACCEPTED:
        raise WrongStateError(f"Only an accepted submission can be {change.action}; this one is {_status(submission)}.")
    if submission.visibility not in change.possible_from:
        raise WrongStateError(f"It cannot be {change.action} now: it is {_visibility(submission)}.")
    before, after = {"visibility": submission.visibility}, {"visibility": change.to}
    extra: dict[str, Any] = {"decision_reason": reason}
    if change.to == Visibility.PUBLIC:
        extra["published_at"] = Now()
    with transaction.atomic():
        _update(submission, {**before, "status": SubmissionStatus.ACCEPTED}, {**after, **extra})
        record_event(change.action, submission, actor=actor, before=before, after=after, reason=reason)
    submission.refresh_from_db()


def _update(submission: Submission, before: dict[str, Any], after: dict[str, Any]) -> None:
    if Submission.objects.filter(pk=submission.pk, **before).update(**after) != 1:
        raise WrongStateError("Somebody else changed it a moment ago. Look at it again.")


def _check_member(submission: Submission, actor: User) -> None:
    if not Membership.objects.filter(team=submission.team_id, user=actor).exists():
        raise NotAllowedError("Only members of the team can decide that.")


def _check_moderator(actor: User) -> None:
    if not (actor.is_staff and actor.is_active):
        raise NotAllowedError("Only a moderator can decide that.")


def _check_reason(reason: str) -> None:
    if not reason.strip():
        raise ReasonMissingError


def _status(submission: Submission) -> str:
    return SubmissionStatus(submission.status).label


def _visibility(submission: Submission) -> str:
    return Visibility(submission.visibility).label
