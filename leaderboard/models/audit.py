"""The record of who did what. The database refuses to change or delete a line of it."""

from collections.abc import Mapping
from typing import Any, ClassVar

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


def record_event(
    action: str,
    target: models.Model,
    *,
    actor: User | None = None,
    before: Mapping[str, Any] | None = None,
    after: Mapping[str, Any] | None = None,
    reason: str = "",
) -> AuditEvent:
    """Write one line. Call it in the transaction that makes the change, so that neither exists without the other."""
    return AuditEvent.objects.create(
        action=action,
        target_kind=target._meta.model_name or "",  # noqa: SLF001 - Django documents _meta as public
        target_id=str(target.pk),
        actor=actor,
        before=dict(before or {}),
        after=dict(after or {}),
        reason=reason,
    )
