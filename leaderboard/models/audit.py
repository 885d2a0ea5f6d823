"""The record of who did what. The database refuses to change or delete a line of it."""

from typing import ClassVar

from django.db import models
from django.db.models.functions import Now

from leaderboard.models.account import User


class AuditEvent(models.Model):
    """One decision or change of state that people may ask about later."""

    at = models.DateTimeField(db_default=Now(), editable=False)
    actor = models.ForeignKey(User, models.PROTECT, null=True, related_name="+", help_text="empty: the server itself")
    action = models.CharField(max_length=40)
    target_kind = models.CharField(max_length=40)
    target_id = models.CharField(max_length=40)
    before = models.JSONField(default=dict)
    after = models.JSONField(default=dict)
    reason = models.TextField(blank=True)

    class Meta:
        ordering: ClassVar = ["-id"]
        indexes: ClassVar = [models.Index(fields=["target_kind", "target_id"], name="audit_target")]

    def __str__(self) -> str:
        return f"{self.action} {self.target_kind} {self.target_id}"
