"""The server's tests: folders of their own, the real broker, the cast, and a small installed benchmark."""

from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.management import call_command
from pytest_django import Settings

from evaluator.receipt import draw_signing_key
from leaderboard.local.stack import Stack
from leaderboard.models import Split
from tests.board import write_board
from tests.cast import Cast, make_cast
from tests.leaderboard.held_out import install_board


@pytest.fixture(autouse=True)
def places(settings: Settings, services: Stack, tmp_path: Path) -> Path:
    """Where this test's server keeps its files, and its broker."""
    settings.DATA_ROOT = tmp_path
    settings.PUBLIC_ROOT = tmp_path / "public"
    settings.ARTEFACTS_ROOT = tmp_path / "artefacts"
    settings.SEALED_ROOT = None
    settings.SIGNING_KEY = None
    settings.BROKER_URL = services.environment()["CIRBOARD_BROKER_URL"]
    settings.CACHES = {
        "default": {**settings.CACHES["default"], "LOCATION": services.environment()["CIRBOARD_CACHE_URL"]}
    }
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    return tmp_path


@pytest.fixture
def cast(db: None) -> Cast:  # noqa: ARG001 - the database must be there first
    return make_cast()


@pytest.fixture
def signing_key(settings: Settings, places: Path) -> Path:
    """The score worker's key, in a process that is told of it."""
    settings.SIGNING_KEY = places / "signing-key.pem"
    draw_signing_key(settings.SIGNING_KEY)
    return settings.SIGNING_KEY


@pytest.fixture(scope="session")
def board(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bundle of a small benchmark."""
    folder = tmp_path_factory.mktemp("board") / "bundle"
    write_board(folder)
    return folder


@pytest.fixture
def split(db: None, board: Path, settings: Settings, places: Path) -> Split:  # noqa: ARG001 - as above
    """The small benchmark's split, installed."""
    settings.SEALED_ROOT = places / "sealed"
    call_command("install_benchmark", str(board), verbosity=0)
    settings.SEALED_ROOT = None
    return Split.objects.get()


@pytest.fixture
def install(db: None, places: Path, settings: Settings, signing_key: Path) -> Callable[[str], Split]:  # noqa: ARG001 - as above
    """Install a benchmark with a sealed axis and that kind of ground truth, in a process that may score it."""
    settings.SEALED_ROOT = places / "sealed"
    return lambda ground_truth: install_board(places, ground_truth)
