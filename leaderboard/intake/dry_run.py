"""Check a file as an upload would be checked, and keep nothing."""

import logging
from dataclasses import replace
from pathlib import Path

from django.conf import settings

from evaluator.formats.isolated import CheckerError, check_file
from evaluator.formats.limits import Limits
from evaluator.formats.outcome import CheckOutcome
from leaderboard.intake.errors import CheckTooLongError, CheckUnavailableError, FileTooLargeError
from leaderboard.intake.receive import NonEmpty
from leaderboard.intake.slots import slot_of
from leaderboard.models import Split, User
from leaderboard.storage import artefacts

logger = logging.getLogger(__name__)


def dry_run(*, user: User, split: Split, stream: artefacts.Readable) -> CheckOutcome:
    """What the check of this file comes to; somebody waits for it, so it may take less than an upload's.

    The outcome names no file: whatever the check wrote is gone.

    Raises:
        EmptyFileError, FileTooLargeError: As for an upload, with the smaller limit of a dry run.
        CheckBusyError: If the user has another dry run at work, or others keep the server busy.
        CheckTooLongError: If it took more than a dry run may.
        CheckUnavailableError: If the check did not come to an end, and not because of the file.
    """
    # The file waits outside the scratch folder, which may be cleared away sooner than a slow sender is done.
    with artefacts.incoming_file() as (upload, file):
        try:
            artefacts.copy(NonEmpty(stream), file, settings.DRY_RUN_LIMIT_BYTES)
        except artefacts.ContentTooLargeError as error:
            raise FileTooLargeError(error.limit_bytes) from None
        file.flush()
        with slot_of(user), artefacts.scratch_folder() as scratch:
            outcome = _check(split, upload, scratch / "run.npz")
    return replace(outcome, problems_csv=None)


def _check(split: Split, upload: Path, run: Path) -> CheckOutcome:
    limits = Limits(
        packed_bytes=settings.DRY_RUN_LIMIT_BYTES,
        memory_bytes=settings.DRY_RUN_MEMORY_BYTES,
        cpu_s=settings.DRY_RUN_CPU_LIMIT_S,
        wall_s=settings.DRY_RUN_LIMIT_S,
    )
    try:
        outcome = check_file(upload, settings.PUBLIC_ROOT / split.folder, run, limits=limits)
    except CheckerError as error:
        logger.error("no dry run on %s: %s", split, error)
        raise CheckUnavailableError from None
    if outcome.failure == "crashed":
        logger.error("a dry run on %s crashed: %s", split, outcome.detail)
        raise CheckUnavailableError
    if outcome.failure in {"timeout", "memory"}:
        raise CheckTooLongError
    return outcome
