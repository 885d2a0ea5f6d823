"""The database refuses to change what was written once."""

import pytest
from django.db import transaction

from leaderboard.models import AuditEvent, Evaluation, Score, Split, record_event
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


def test_a_scored_evaluation_can_be_neither_changed_nor_deleted(cast: Cast, split: Split) -> None:
    submission = accepted(cast, split)
    evaluation_of(submission, status="scored", report_digest="0" * 64)
    waiting = evaluation_of(submission, "clean")
    for change in (
        lambda: Evaluation.objects.update(status="queued", report_digest=""),
        lambda: Evaluation.objects.update(ground_truth_digest="1" * 64),
        lambda: Evaluation.objects.all().delete(),
    ):
        with pytest.raises(Exception, match="append-only"), transaction.atomic():
            change()
    assert Evaluation.objects.filter(pk=waiting.pk).update(status="cancelled") == 1


def test_a_score_can_be_neither_changed_nor_deleted(cast: Cast, split: Split) -> None:
    evaluation = evaluation_of(accepted(cast, split))
    Score.objects.create(evaluation=evaluation, metric="mAP@10", value=0.5, n=12)
    for change in (lambda: Score.objects.update(value=1.0), lambda: Score.objects.all().delete()):
        with pytest.raises(Exception, match="append-only"), transaction.atomic():
            change()
    assert Score.objects.get().value == 0.5
