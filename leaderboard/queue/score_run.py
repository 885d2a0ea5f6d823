"""Score an accepted run. The one module of the server that can reach ground truth; only the score worker loads it.

It reads the canonical run that the checking worker made, never the uploaded bytes.
"""

import logging
from functools import lru_cache
from pathlib import Path
from uuid import UUID

from celery import shared_task
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db.models.functions import Now

from evaluator.public.bundle import Benchmark, BundleError, load_benchmark
from evaluator.public.lists import RunMismatchError
from evaluator.public.manifest import ManifestError
from evaluator.public.run import load_run
from evaluator.report import Report
from evaluator.score import score
from evaluator.sealed.ground_truth import GroundTruthError
from leaderboard.models import Evaluation, EvaluationStatus, FailureClass, record_event
from leaderboard.queue import lease
from leaderboard.results import receipts, scores
from leaderboard.storage import artefacts

logger = logging.getLogger(__name__)
# Whatever the error says stays in the log: a message to authors must not describe ground truth.
ORGANISERS_FAULT = (
    "The benchmark's files on this server are missing or damaged, so this run could not be scored. "
    "The organiser has to install the benchmark again; the run is kept and nothing was counted."
)


class OrganiserError(Exception):
    """The benchmark as installed cannot be scored."""


class RunDamagedError(Exception):
    """The stored run is not the one that was accepted."""


@shared_task(name="score_run", time_limit=settings.SCORE_LIMIT_S)
def score_run(*, evaluation_id: str) -> None:
    """Claim, score, write."""
    work = lease.claim(Evaluation, UUID(evaluation_id), started_at=Now())
    if work is None:
        return
    with lease.held(work):
        try:
            score_claimed(work)
        except lease.LeaseLostError as error:
            logger.warning("%s; its result is dropped", error)


def score_claimed(work: lease.Claim) -> None:
    """Score one claimed evaluation and write its end."""
    evaluation = Evaluation.objects.select_related("submission", "split__version__benchmark").get(pk=work.id)
    try:
        report = make_report(evaluation)
    except OrganiserError as error:
        logger.error("evaluation %s cannot be scored: %s", evaluation.pk, error)
        lease.commit(lambda: _fail(work, evaluation, FailureClass.ORGANISER, ORGANISERS_FAULT))
        return
    except RunMismatchError as error:
        # Said of the run and the benchmark's public side alone, so its author may read it.
        message = str(error)
        lease.commit(lambda: _fail(work, evaluation, FailureClass.AUTHOR, message))
        return
    stored = scores.StoredReport.of(report, evaluation.split)
    receipt = receipts.StoredReceipt.of(report, evaluation)
    lease.commit(lambda: _finish(work, evaluation, report, stored, receipt))


def make_report(evaluation: Evaluation) -> Report:
    """Score the evaluation's run.

    Raises:
        OrganiserError: If the bundle's public or sealed side cannot be used, or is not the one that was pinned.
        RunMismatchError: If the run does not answer the benchmark under this protocol.
        RunDamagedError: If the disk changed the run; like anything unforeseen it is tried again, and is then our fault.
    """
    run = load_run(artefacts.path(evaluation.submission.run_artefact_digest))
    try:
        benchmark = _benchmark(evaluation.split.folder, evaluation.split.manifest_digest)
        report = score(run, benchmark, sealed_root() / evaluation.split.folder, evaluation.protocol)
    except (GroundTruthError, BundleError, ManifestError) as error:
        raise OrganiserError(str(error)) from error
    if report.digests["run"] != evaluation.submission.run_digest:
        raise RunDamagedError(f"the run of submission {evaluation.submission_id} has digest {report.digests['run']}")
    if report.digests["ground_truth"] != evaluation.ground_truth_digest:
        raise OrganiserError(f"{evaluation.split}: the ground truth is not the one that was installed")
    return report


def _finish(
    work: lease.Claim,
    evaluation: Evaluation,
    report: Report,
    stored: scores.StoredReport,
    receipt: receipts.StoredReceipt,
) -> None:
    columns = scores.columns(report, stored)
    lease.finish(work, EvaluationStatus.SCORED, finished_at=Now(), receipt_digest=receipt.digest, **columns)
    receipts.list_key(receipt.public_key)
    n_scores = scores.write_scores(evaluation.pk, report)
    record_event("scored", evaluation, after={"status": EvaluationStatus.SCORED, "n_scores": n_scores})


def _fail(work: lease.Claim, evaluation: Evaluation, failure_class: FailureClass, failure: str) -> None:
    lease.fail(work, failure_class, failure, finished_at=Now())
    record_event("failed", evaluation, after={"status": EvaluationStatus.FAILED}, reason=failure)


@lru_cache(maxsize=4)
def _benchmark(folder: str, manifest_digest: str) -> Benchmark:
    """The public side, whose queries and gallery are then read once per worker process."""
    benchmark = load_benchmark(settings.PUBLIC_ROOT / folder)
    if benchmark.manifest.digest != manifest_digest:
        raise OrganiserError(f"{folder}: benchmark.toml is not the one that was installed")
    return benchmark


def sealed_root() -> Path:
    """The folder of the sealed sides.

    Raises:
        ImproperlyConfigured: If this process was given none.
    """
    if settings.SEALED_ROOT is None:
        raise ImproperlyConfigured(settings.NO_SEALED_ROOT)
    return settings.SEALED_ROOT
