"""Clear away what killed processes left half-made."""

import logging

from celery import shared_task

from leaderboard.storage import artefacts

logger = logging.getLogger(__name__)
# A check, whose folder it is, is stopped after less than a minute.
FOLDERS_AFTER_S = 15 * 60.0
# An upload touches its file with every megabyte that has arrived, and its sender may be slow.
FILES_AFTER_S = 6 * 3600.0


@shared_task(name="tidy")
def tidy() -> None:
    """Every few minutes, by beat."""
    n_removed = artefacts.remove_leftovers(folders_after_s=FOLDERS_AFTER_S, files_after_s=FILES_AFTER_S)
    if n_removed:
        logger.info("removed %d half-made files and folders", n_removed)
