"""Clear away what killed processes left half-made."""

import logging

from celery import shared_task

from leaderboard.storage import artefacts

logger = logging.getLogger(__name__)
# Longer than any upload or check takes.
LEFT_OVER_AFTER_S = 24 * 3600.0


@shared_task(name="tidy")
def tidy() -> None:
    """Every hour, by beat."""
    n_removed = artefacts.remove_leftovers(LEFT_OVER_AFTER_S)
    if n_removed:
        logger.info("removed %d half-made files", n_removed)
