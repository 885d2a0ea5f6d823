"""Wake a worker. All that the web knows of the queue.

A message carries an id and means "look". If it is lost the sweeper sends another, so a dead broker is logged, costs
the request a second or two at most, and fails nothing.
"""

import logging
from functools import lru_cache, partial
from uuid import UUID

from celery import Celery
from django.conf import settings
from django.db import transaction
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)


def wake_check(submission_id: UUID) -> None:
    """Have an upload checked, once the transaction that recorded it is committed."""
    _on_commit("check_run", submission_id=str(submission_id))


def wake_scoring(evaluation_id: UUID) -> None:
    """Have an accepted run scored, once the transaction that accepted it is committed."""
    _on_commit("score_run", evaluation_id=str(evaluation_id))


def _on_commit(task: str, **ids: str) -> None:
    transaction.on_commit(partial(send, task, **ids), robust=True)


def send(task: str, **ids: str) -> bool:
    """Send one message now, without a second try; says whether the broker took it."""
    try:
        _producer(settings.BROKER_URL).send_task(task, kwargs=ids, retry=False, ignore_result=True)
    except (OperationalError, RedisError, OSError) as error:
        logger.warning("the broker did not take %s %s (%s); the sweeper will send it", task, ids, error)
        return False
    return True


@lru_cache(maxsize=1)
def _producer(broker_url: str) -> Celery:
    """An application that only sends: the web must not load the tasks, and may wait less than a worker."""
    app = Celery("leaderboard-producer", broker=broker_url, set_as_current=False, fixups=[])
    app.conf.update(
        task_routes=settings.CELERY_TASK_ROUTES,
        task_default_queue=settings.CELERY_TASK_DEFAULT_QUEUE,
        broker_transport_options=settings.CELERY_BROKER_TRANSPORT_OPTIONS | settings.PRODUCER_TRANSPORT_OPTIONS,
    )
    return app
