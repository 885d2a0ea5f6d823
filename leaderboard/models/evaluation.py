"""Evaluations: one scoring of one accepted run under one protocol, and the scores it gave."""

import uuid
from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from leaderboard.models.benchmark import Split, digest_field
from leaderboard.models.leased import Leased
from leaderboard.models.submission import Submission


class EvaluationStatus(models.TextChoices):
    """Where the scoring is."""

    QUEUED = "queued", "waiting to be scored"
    RUNNING = "running", "being scored"
    SCORED = "scored", "scored"
    FAILED = "failed", "not scored"
    CANCELLED = "cancelled", "cancelled"


class Evaluation(Leased):
    """Pins everything that a score depends on, so that scoring twice gives one evaluation."""

    WAITING = EvaluationStatus.QUEUED
    WORKING = EvaluationStatus.RUNNING
    BROKEN = EvaluationStatus.FAILED

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    submission = models.ForeignKey(Submission, models.PROTECT, related_name="evaluations")
    split = models.ForeignKey(Split, models.PROTECT, related_name="evaluations")
    protocol = models.SlugField()
    ground_truth_digest = digest_field()
    scoring_revision = models.PositiveIntegerField()
    status = models.CharField(max_length=10, choices=EvaluationStatus.choices, default=EvaluationStatus.QUEUED)
    primary = models.CharField(max_length=40, blank=True)
    rankable = models.BooleanField(default=False)
    report_digest = digest_field(blank=True, help_text="artefact: the report as JSON")
    receipt_digest = digest_field(blank=True, help_text="artefact: the signed receipt")
    per_query_digest = digest_field(blank=True, help_text="artefact: npz with one array per metric")
    warnings = models.JSONField(default=list)
    created_at = models.DateTimeField(db_default=Now(), editable=False)
    started_at = models.DateTimeField(null=True, editable=False)
    finished_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["submission", "split", "protocol", "ground_truth_digest", "scoring_revision"],
                name="one_evaluation_of_a_kind",
            ),
            models.CheckConstraint(condition=Q(status__in=EvaluationStatus.values), name="evaluation_status_known"),
            models.CheckConstraint(
                condition=Q(status=EvaluationStatus.RUNNING) ^ Q(attempt=None), name="running_has_an_attempt"
            ),
            models.CheckConstraint(
                condition=Q(status=EvaluationStatus.SCORED) ^ Q(report_digest=""), name="scored_has_a_report"
            ),
            models.CheckConstraint(
                condition=Q(status=EvaluationStatus.FAILED) ^ Q(failure_class=""), name="failed_says_whose_fault"
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["status", "lease_until"], name="evaluation_work"),
            models.Index(fields=["split", "protocol", "status"], name="evaluation_rows"),
        ]

    def __str__(self) -> str:
        return f"{self.submission}, {self.protocol}"


class Score(models.Model):
    """One number of one evaluation. Written once; the database refuses to change it.

    ``axis`` and ``slice`` are "" for all queries.
    """

    evaluation = models.ForeignKey(Evaluation, models.PROTECT, related_name="scores")
    metric = models.CharField(max_length=60)
    axis = models.CharField(max_length=60, blank=True)
    slice = models.CharField(max_length=120, blank=True)
    value = models.FloatField(null=True)
    low = models.FloatField(null=True)
    high = models.FloatField(null=True)
    n = models.PositiveIntegerField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["evaluation", "axis", "slice", "metric"], name="one_score_of_a_kind")
        ]

    def __str__(self) -> str:
        # Without the value: what calls a score by its name must not tell it.
        return f"{self.metric} {self.axis} {self.slice}".strip()
