"""Clear away what killed processes left half-made."""

import logging

from celery import shared_task

from leaderboard.storage import artefacts

logger = logging.getLogger(__name__)
# A slow upload touches its file as it grows; nothing else takes this long.
LEFT_OVER_AFTER_S = 15 * 60.0


@shared_task(name="tidy")
def tidy() -> None:
    """Every few minutes, by beat."""
    n_removed = artefacts.remove_leftovers(LEFT_OVER_AFTER_S)
    if n_removed:
        logger.info("removed %d half-made files", n_removed)
