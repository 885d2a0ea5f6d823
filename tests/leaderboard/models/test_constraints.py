"""States that make no sense cannot be written, whoever writes them."""

from typing import Any
from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction

from leaderboard.models import Evaluation, Score, Split, Submission
from tests.cast import Cast
from tests.leaderboard.submissions import accepted, evaluation_of


@pytest.mark.parametrize(
    ("constraint", "columns"),
    [
        ("submission_status_known", {"status": "lost"}),
        ("visibility_known", {"visibility": "secret"}),
        ("accepted_has_a_run", {"run_artefact_digest": ""}),
        ("checking_has_an_attempt", {"status": "checking"}),
        ("checking_has_an_attempt", {"attempt": uuid4()}),
        ("unchecked_says_whose_fault", {"status": "failed"}),
    ],
)
def test_a_submission_in_an_impossible_state_is_refused(
    constraint: str, columns: dict[str, Any], cast: Cast, split: Split
) -> None:
    submission = accepted(cast, split)
    with pytest.raises(IntegrityError, match=constraint):
        Submission.objects.filter(pk=submission.pk).update(**columns)


@pytest.mark.parametrize(
    ("constraint", "columns"),
    [
        ("evaluation_status_known", {"status": "lost"}),
        ("running_has_an_attempt", {"status": "running"}),
        ("running_has_an_attempt", {"attempt": uuid4()}),
        ("scored_has_a_report", {"status": "scored"}),
        ("scored_has_a_report", {"report_digest": "0" * 64}),
        ("failed_says_whose_fault", {"status": "failed"}),
        ("failed_says_whose_fault", {"failure_class": "ours"}),
    ],
)
def test_an_evaluation_in_an_impossible_state_is_refused(
    constraint: str, columns: dict[str, Any], cast: Cast, split: Split
) -> None:
    evaluation = evaluation_of(accepted(cast, split))
    with pytest.raises(IntegrityError, match=constraint):
        Evaluation.objects.filter(pk=evaluation.pk).update(**columns)


def test_what_an_evaluation_pins_exists_once(cast: Cast, split: Split) -> None:
    submission = accepted(cast, split)
    evaluation_of(submission)
    evaluation_of(submission, "clean")
    with pytest.raises(IntegrityError, match="one_evaluation_of_a_kind"):
        evaluation_of(submission)


def test_a_score_exists_once(cast: Cast, split: Split) -> None:
    evaluation = evaluation_of(accepted(cast, split))
    Score.objects.create(evaluation=evaluation, metric="mAP@10", value=0.5, n=12)
    Score.objects.create(evaluation=evaluation, metric="mAP@10", axis="kind", slice="odd", value=0.5, n=6)
    with pytest.raises(IntegrityError, match="one_score_of_a_kind"), transaction.atomic():
        Score.objects.create(evaluation=evaluation, metric="mAP@10", value=0.6, n=12)
