"""Check an uploaded file: hostile bytes become a canonical run, in a process that can be killed.

Loaded by the control worker, which has no ground truth.
"""

import logging
from uuid import UUID

from celery import shared_task
from django.conf import settings
from django.db import transaction
from django.db.models.functions import Now

from evaluator.formats.isolated import check_file
from evaluator.formats.limits import Limits
from leaderboard.models import Submission, SubmissionStatus, Team, record_event
from leaderboard.queue import lease
from leaderboard.queue.wake import wake_check, wake_scoring
from leaderboard.results.verdict import Verdict, plan_evaluations
from leaderboard.storage import artefacts

logger = logging.getLogger(__name__)


class CheckCrashedError(Exception):
    """The check ended without a verdict, and not because the file asked for too much."""


@shared_task(name="check_run")
def check_run(*, submission_id: str) -> None:
    """Claim, check, write."""
    work = claim_check(UUID(submission_id))
    if work is None:
        return
    with lease.held(work):
        try:
            check_claimed(work)
        except lease.LeaseLostError as error:
            logger.warning("%s; its verdict is dropped", error)


@transaction.atomic
def claim_check(submission_id: UUID) -> lease.Claim | None:
    """Take a waiting submission, unless its team has another one at work: one team must not hold all slots.

    What has to wait is woken by the end of the other check, or by the sweeper.
    """
    team = Team.objects.select_for_update(no_key=True, of=("self",)).filter(submissions=submission_id).first()
    if team is None or team.submissions.filter(status=SubmissionStatus.CHECKING).exists():
        return None
    return lease.claim(Submission, submission_id)


def check_claimed(work: lease.Claim) -> None:
    """Check one claimed submission and write the verdict.

    Raises:
        CheckCrashedError, CheckerError: It is tried again then, and given up as our failure in the end.
    """
    submission = Submission.objects.select_related("split__version__benchmark").get(pk=work.id)
    with artefacts.scratch_folder() as scratch:
        run = scratch / "run.npz"
        outcome = check_file(
            artefacts.path(submission.artefact_digest),
            settings.PUBLIC_ROOT / submission.split.folder,
            run,
            limits=Limits(
                packed_bytes=settings.UPLOAD_LIMIT_BYTES,
                cpu_s=settings.CHECK_CPU_LIMIT_S,
                wall_s=settings.CHECK_LIMIT_S,
            ),
        )
        if outcome.failure == "crashed":
            raise CheckCrashedError(f"submission {submission.pk}: {outcome.detail}")
        verdict = Verdict.of(outcome, run)
    lease.commit(lambda: _finish(work, submission, verdict))


def _finish(work: lease.Claim, submission: Submission, verdict: Verdict) -> None:
    status = SubmissionStatus.ACCEPTED if verdict.accepted else SubmissionStatus.REJECTED
    lease.finish(work, status, **verdict.columns)
    record_event(status, submission, before={"status": SubmissionStatus.CHECKING}, after={"status": status})
    if verdict.accepted:
        for evaluation in plan_evaluations(submission, submission.split):
            wake_scoring(evaluation.pk)
    waiting = Submission.objects.filter(team=submission.team_id, status=SubmissionStatus.RECEIVED)
    following = waiting.exclude(woken_at__gt=Now()).order_by("received_at").first()
    if following is not None:
        wake_check(following.pk)
