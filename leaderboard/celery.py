"""The Celery application. PostgreSQL holds all state; a message only wakes a worker."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "leaderboard.settings")

app = Celery(
    "leaderboard",
    include=["leaderboard.queue.check_run", "leaderboard.queue.score_run", "leaderboard.queue.sweep"],
)
app.config_from_object("django.conf:settings", namespace="CELERY")
