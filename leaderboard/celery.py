"""The Celery application. PostgreSQL holds all state; a message only wakes a worker."""

import importlib
import os
from collections.abc import Mapping
from functools import partial
from typing import Any

from celery import Celery
from celery.signals import beat_embedded_init, celeryd_init, worker_process_init
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from evaluator.receipt import SigningKeyError
from leaderboard.local.deathsig import die_with_parent
from leaderboard.storage.signing_key import read_signing_key

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "leaderboard.settings")
# A worker serves no page, so it need not import all of them to check their addresses. `manage.py check` does.
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")

app = Celery("leaderboard")
app.config_from_object("django.conf:settings", namespace="CELERY")

# What the worker of a queue loads, before it forks. Only the score worker loads the scorer: the process that opens
# hostile bytes and the one that opens ground truth are never the same.
TASK_MODULES = {
    "control": ("leaderboard.queue.check_run", "leaderboard.queue.tidy"),
    "sweep": ("leaderboard.queue.sweep",),
    "score": ("leaderboard.queue.score_run",),
}


@celeryd_init.connect
def load_tasks(options: Mapping[str, Any], **_: object) -> None:
    """Load the task modules of the queues that this worker serves, and refuse to start where they cannot work."""
    queues = options.get("queues") or settings.CELERY_TASK_DEFAULT_QUEUE
    names = queues.split(",") if isinstance(queues, str) else queues
    if "score" in names and settings.SEALED_ROOT is None:
        raise SystemExit(settings.NO_SEALED_ROOT)
    if "score" in names:
        _check_signing_key()
    for name in names:
        for module in TASK_MODULES.get(name, ()):
            importlib.import_module(module)


def _check_signing_key() -> None:
    try:
        read_signing_key()
    except (ImproperlyConfigured, SigningKeyError) as error:
        raise SystemExit(str(error)) from None


@celeryd_init.connect
def tie_children(**_: object) -> None:
    """A child of the pool that is busy would outlive its killed parent, and go on working."""
    tie = partial(die_with_parent, parent_pid=os.getpid())
    for child_begins in (worker_process_init, beat_embedded_init):
        child_begins.connect(lambda **_: tie(), weak=False)
