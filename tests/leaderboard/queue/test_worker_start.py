"""What a worker loads, and when it refuses to start."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

from evaluator.receipt import draw_signing_key

LOADED = (
    "import sys; from leaderboard.celery import load_tasks; load_tasks(options={'queues': '%s'}); "
    "print(*sorted(name for name in sys.modules if name.startswith(('evaluator.score', 'evaluator.sealed', "
    "'leaderboard.queue.'))))"
)


GIVEN_TO_THE_SCORE_WORKER = ("CIRBOARD_SEALED_ROOT", "CIRBOARD_SIGNING_KEY")


def python(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    inherited = {name: value for name, value in os.environ.items() if name not in GIVEN_TO_THE_SCORE_WORKER}
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


def test_the_score_worker_parses_no_uploads(tmp_path: Path) -> None:
    draw_signing_key(tmp_path / "key.pem")
    given = {"CIRBOARD_SEALED_ROOT": "/nowhere", "CIRBOARD_SIGNING_KEY": str(tmp_path / "key.pem")}
    loaded = python(LOADED % "score", **given).stdout.split()
    assert {"evaluator.score", "leaderboard.queue.score_run"} <= set(loaded)
    assert "leaderboard.queue.check_run" not in loaded


@pytest.mark.parametrize("queues", ["score", "control,score"])
def test_a_score_worker_without_ground_truth_says_what_to_set(queues: str) -> None:
    refused = python(LOADED % queues)
    assert refused.returncode != 0
    assert "CIRBOARD_SEALED_ROOT" in refused.stderr


@pytest.mark.parametrize("key", [None, "absent", "open", "damaged"])
def test_a_score_worker_that_cannot_sign_says_what_to_do(key: str | None, tmp_path: Path) -> None:
    draw_signing_key(tmp_path / "open")
    (tmp_path / "open").chmod(0o644)
    (tmp_path / "damaged").touch(mode=0o600)
    given = {} if key is None else {"CIRBOARD_SIGNING_KEY": str(tmp_path / key)}
    refused = python(LOADED % "score", CIRBOARD_SEALED_ROOT="/nowhere", **given)
    assert refused.returncode != 0
    assert ("chmod 600" if key == "open" else "create_signing_key") in refused.stderr
    assert "Traceback" not in refused.stderr
