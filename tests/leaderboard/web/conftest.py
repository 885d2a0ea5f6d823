"""Clients of the site, one for each of the cast."""

from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.cache import cache
from django.test import Client
from pytest_django import Settings

from leaderboard.models import User

# Right-to-left override, zero width space, soft hyphen, escape, line separator.
INVISIBLE = ["\u202e", "\u200b", "\xad", "\x1b", "\u2028"]
Visit = Callable[[User | None], Client]


@pytest.fixture(autouse=True)
def plain_static_files(settings: Settings, places: Path) -> None:
    """Static files under their own names, as nothing was collected for the tests."""
    plain = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    settings.STATIC_ROOT = places / "static"
    settings.STATIC_ROOT.mkdir()
    settings.STORAGES = {**settings.STORAGES, "staticfiles": plain}


@pytest.fixture(autouse=True)
def no_remembered_attempts(places: object) -> None:  # noqa: ARG001 - the cache's place must be set first
    """Rate limits count from nought in every test."""
    cache.clear()


@pytest.fixture
def visit() -> Visit:
    """A client as that person sees the site; None is nobody."""

    def client_of(user: User | None) -> Client:
        client = Client()
        if user is not None:
            client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        return client

    return client_of
