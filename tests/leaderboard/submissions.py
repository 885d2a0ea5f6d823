"""Submissions in any state, put straight into the database."""

from typing import Any
from uuid import uuid4

from leaderboard.models import Evaluation, Split, Submission, SubmissionStatus
from tests.cast import Cast

DIGEST = "0" * 64


def submission_in(cast: Cast, split: Split, status: str, **columns: Any) -> Submission:
    """A submission of alice's in that status."""
    if status == SubmissionStatus.CHECKING:
        columns.setdefault("attempt", uuid4())
    return Submission.objects.create(
        **{
            "team": cast.team,
            "submitted_by": cast.alice,
            "method": cast.method,
            "split": split,
            "file_name": "run.json",
            "artefact_digest": DIGEST,
            "size_bytes": 1,
            "status": status,
            **columns,
        }
    )


def accepted(cast: Cast, split: Split, **columns: Any) -> Submission:
    """An accepted submission of alice's."""
    return submission_in(
        cast, split, SubmissionStatus.ACCEPTED, run_artefact_digest=DIGEST, run_digest=DIGEST, n_entries=1, **columns
    )


def evaluation_of(submission: Submission, protocol: str = "official", **columns: Any) -> Evaluation:
    """An evaluation, waiting unless told otherwise."""
    split = submission.split
    return Evaluation.objects.create(
        submission=submission,
        split=split,
        protocol=protocol,
        ground_truth_digest=split.ground_truth_digest,
        scoring_revision=1,
        **columns,
    )
