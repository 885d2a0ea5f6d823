"""Submissions: what a team handed in, whether it was accepted, and who may see it."""

import uuid
from typing import TYPE_CHECKING, ClassVar, Self

from django.db import models
from django.db.models import Case, Q, Value, When
from django.db.models.functions import Now

from leaderboard.models.account import Team, User
from leaderboard.models.benchmark import Split, digest_field
from leaderboard.models.leased import Leased
from leaderboard.models.method import Method

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser


class SubmissionStatus(models.TextChoices):
    """Acceptance of the file. What is scored has a status of its own."""

    RECEIVED = "received", "waiting to be checked"
    CHECKING = "checking", "being checked"
    ACCEPTED = "accepted", "accepted"
    REJECTED = "rejected", "refused"
    FAILED = "failed", "not checked"
    WITHDRAWN = "withdrawn", "withdrawn"


class Visibility(models.TextChoices):
    """Who may see a submission and its results."""

    PRIVATE = "private", "private to the team"
    REQUESTED = "requested", "waiting for a moderator"
    PUBLIC = "public", "public"
    DECLINED = "declined", "declined"
    HIDDEN = "hidden", "hidden by a moderator"


class SubmissionQuerySet(models.QuerySet["Submission"]):
    """The one place that says who sees what: every page, view and export goes through it."""

    def visible_to(self, user: "User | AnonymousUser") -> Self:
        """Public rows for all, a team's own for its members, everything for staff."""
        if not user.is_authenticated:
            return self.filter(visibility=Visibility.PUBLIC)
        if user.is_staff:
            return self
        own = Q(team__in=Team.objects.filter(members=user))
        return self.filter(Q(visibility=Visibility.PUBLIC) | own)

    def as_seen_by(self, user: "User | AnonymousUser") -> Self:
        """`visible_to`, with what stays the team's business in columns that are empty for others.

        ``seen_file_name`` and ``seen_reason``: a public result does not publish what its author called the file.
        """
        teams = Team.objects.filter(members=user) if user.is_authenticated else Team.objects.none()
        is_insider = Q(pk__isnull=False) if user.is_staff else Q(team__in=teams)
        seen = {"seen_file_name": "file_name", "seen_reason": "decision_reason"}
        return self.visible_to(user).annotate(
            **{
                name: Case(When(is_insider, then=column), default=Value(""), output_field=models.TextField())
                for name, column in seen.items()
            }
        )

    def owned_by(self, user: User) -> Self:
        """What a member of the team may change."""
        return self.filter(team__in=Team.objects.filter(members=user))


class Submission(Leased):
    """One uploaded run."""

    WAITING = SubmissionStatus.RECEIVED
    WORKING = SubmissionStatus.CHECKING
    BROKEN = SubmissionStatus.FAILED

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    team = models.ForeignKey(Team, models.PROTECT, related_name="submissions")
    submitted_by = models.ForeignKey(User, models.PROTECT, related_name="submissions")
    method = models.ForeignKey(Method, models.PROTECT, related_name="submissions")
    split = models.ForeignKey(Split, models.PROTECT, related_name="submissions")
    file_name = models.CharField(max_length=120, help_text="as the uploader called it; shown, never used as a path")
    artefact_digest = digest_field()
    size_bytes = models.PositiveBigIntegerField()
    status = models.CharField(max_length=10, choices=SubmissionStatus.choices, default=SubmissionStatus.RECEIVED)
    visibility = models.CharField(max_length=10, choices=Visibility.choices, default=Visibility.PRIVATE)
    decision_reason = models.TextField(blank=True, help_text="shown to the team")
    problems = models.JSONField(default=dict, help_text="as evaluator.formats.outcome.report_of")
    problems_csv_digest = digest_field(blank=True)
    run_artefact_digest = digest_field(blank=True, help_text="the canonical run's file")
    run_digest = digest_field(blank=True, help_text="over the ranked ids, whatever the file's format")
    n_entries = models.PositiveBigIntegerField(null=True)
    received_at = models.DateTimeField(db_default=Now(), editable=False)
    checked_at = models.DateTimeField(null=True, editable=False)
    published_at = models.DateTimeField(null=True, editable=False)

    objects = SubmissionQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(status__in=SubmissionStatus.values), name="submission_status_known"),
            models.CheckConstraint(condition=Q(visibility__in=Visibility.values), name="visibility_known"),
            models.CheckConstraint(
                condition=~Q(visibility=Visibility.PUBLIC) | Q(status=SubmissionStatus.ACCEPTED),
                name="only_accepted_is_public",
            ),
            models.CheckConstraint(
                condition=Q(status=SubmissionStatus.CHECKING) ^ Q(attempt=None), name="checking_has_an_attempt"
            ),
            models.CheckConstraint(
                condition=~Q(status=SubmissionStatus.ACCEPTED) | ~Q(run_artefact_digest=""), name="accepted_has_a_run"
            ),
            models.CheckConstraint(
                condition=~Q(status=SubmissionStatus.FAILED) | ~Q(failure_class=""), name="unchecked_says_whose_fault"
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["status", "lease_until"], name="submission_work"),
            models.Index(fields=["split", "visibility"], name="submission_rows"),
            models.Index(fields=["team", "split", "received_at"], name="submission_quota"),
        ]

    def __str__(self) -> str:
        return f"{self.method} on {self.split}"
