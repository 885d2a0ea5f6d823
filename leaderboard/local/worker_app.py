"""The Celery application under the local supervisor: the same one, with the death signal in the pool's children."""

from celery.signals import worker_process_init

from leaderboard.celery import app
from leaderboard.local.deathsig import die_with_parent

__all__ = ["app"]


@worker_process_init.connect
def tie_to_worker(**_: object) -> None:
    """A pool child that is busy would outlive its killed parent and go on scoring."""
    die_with_parent()
