"""Scored submissions with chosen numbers, put straight into the database."""

from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from django.utils import timezone

from leaderboard.models import Evaluation, EvaluationStatus, Method, Score, Split, Submission, Visibility
from leaderboard.storage.artefacts import put_bytes
from tests.cast import Cast
from tests.leaderboard.submissions import accepted

PRIMARY = "mAP@10"
REPORT = b'{"primary": "mAP@10"}'
RECEIPT = b'{"format": "cirboard-receipt-1"}'
Numbers = Mapping[str, float | None]


def scored(
    cast: Cast,
    split: Split,
    name: str,
    numbers: Numbers,
    *,
    visibility: str = Visibility.PUBLIC,
    protocol: str = "official",
    rankable: bool = True,
    n: int = 12,
    slices: Mapping[tuple[str, str], Numbers] | None = None,
    method: Mapping[str, Any] | None = None,
    **columns: Any,
) -> Submission:
    """A submission of alice's team with these scores; every interval is the value plus and minus 0.01."""
    made = Method.objects.create(team=cast.team, slug=f"m-{uuid4().hex[:12]}", name=name, **(method or {}))
    published = timezone.now() if visibility == Visibility.PUBLIC else None
    submission = accepted(cast, split, method=made, visibility=visibility, published_at=published)
    add_scores(submission, numbers, protocol=protocol, rankable=rankable, n=n, slices=slices, **columns)
    return submission


def add_scores(
    submission: Submission,
    numbers: Numbers,
    *,
    protocol: str = "official",
    rankable: bool = True,
    n: int = 12,
    slices: Mapping[tuple[str, str], Numbers] | None = None,
    **columns: Any,
) -> Evaluation:
    """One more evaluation of it, scored."""
    evaluation = Evaluation.objects.create(
        **{
            "submission": submission,
            "split": submission.split,
            "protocol": protocol,
            "ground_truth_digest": submission.split.ground_truth_digest,
            "scoring_revision": 1,
            "status": EvaluationStatus.SCORED,
            "primary": PRIMARY,
            "rankable": rankable,
            "report_digest": put_bytes(REPORT).digest,
            "receipt_digest": put_bytes(RECEIPT).digest,
            "finished_at": timezone.now(),
            **columns,
        }
    )
    every = {("", ""): numbers, **(slices or {})}
    Score.objects.bulk_create(
        Score(
            evaluation=evaluation,
            axis=axis,
            slice=value,
            metric=metric,
            value=score,
            low=None if score is None else score - 0.01,
            high=None if score is None else score + 0.01,
            n=n,
        )
        for (axis, value), found in every.items()
        for metric, score in found.items()
    )
    return evaluation
