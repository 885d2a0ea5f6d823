"""What a worker loads, and when it refuses to start."""

import os
import subprocess
import sys

import pytest
from django.conf import settings

LOADED = (
    "import sys; from leaderboard.celery import load_tasks; load_tasks(options={'queues': '%s'}); "
    "print(*sorted(name for name in sys.modules if name.startswith(('evaluator.score', 'evaluator.sealed', "
    "'leaderboard.queue.'))))"
)


def python(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    inherited = {name: value for name, value in os.environ.items() if name != "CIRBOARD_SEALED_ROOT"}
    setup = "import django; django.setup(); "
    return subprocess.run(
        [sys.executable, "-c", setup + code],
        env={**inherited, "DJANGO_SETTINGS_MODULE": "leaderboard.settings", **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_control_worker_cannot_reach_ground_truth() -> None:
    loaded = python(LOADED % "control").stdout.split()
    assert "leaderboard.queue.check_run" in loaded
    assert not [name for name in loaded if name.startswith("evaluator.s") or name.endswith("score_run")]


def test_the_sweepers_worker_neither_checks_nor_scores() -> None:
    loaded = python(LOADED % "sweep").stdout.split()
    assert "leaderboard.queue.sweep" in loaded
    assert not [name for name in loaded if name.startswith("evaluator.s") or name.endswith("_run")]


def test_no_check_can_hold_up_the_sweeper() -> None:
    routes = {name: route["queue"] for name, route in settings.CELERY_TASK_ROUTES.items()}
    assert routes["sweep"] not in {settings.CELERY_TASK_DEFAULT_QUEUE, routes["score_run"]}


def test_the_score_worker_parses_no_uploads() -> None:
    loaded = python(LOADED % "score", CIRBOARD_SEALED_ROOT="/nowhere").stdout.split()
    assert {"evaluator.score", "leaderboard.queue.score_run"} <= set(loaded)
    assert "leaderboard.queue.check_run" not in loaded


@pytest.mark.parametrize("queues", ["score", "control,score"])
def test_a_score_worker_without_ground_truth_says_what_to_set(queues: str) -> None:
    refused = python(LOADED % queues)
    assert refused.returncode != 0
    assert "CIRBOARD_SEALED_ROOT" in refused.stderr
