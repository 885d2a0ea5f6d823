"""The database refuses to change what was written once."""

import pytest
from django.db import transaction

from leaderboard.models import AuditEvent, Score, Split, record_event
from tests.cast import Cast
from tests.leaderboard.submissions import accepted, evaluation_of


def test_an_audit_event_can_be_neither_changed_nor_deleted(cast: Cast) -> None:
    event = record_event("tested", cast.team, actor=cast.mona)
    for change in (
        lambda: AuditEvent.objects.update(reason="another"),
        lambda: AuditEvent.objects.all().delete(),
        event.delete,
    ):
        with pytest.raises(Exception, match="append-only"), transaction.atomic():
            change()
    assert AuditEvent.objects.get().reason == ""


def test_a_score_can_be_neither_changed_nor_deleted(cast: Cast, split: Split) -> None:
    evaluation = evaluation_of(accepted(cast, split))
    Score.objects.create(evaluation=evaluation, metric="mAP@10", value=0.5, n=12)
    for change in (lambda: Score.objects.update(value=1.0), lambda: Score.objects.all().delete()):
        with pytest.raises(Exception, match="append-only"), transaction.atomic():
            change()
    assert Score.objects.get().value == 0.5
