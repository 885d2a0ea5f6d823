"""Clients of the API with tokens."""

from collections.abc import Callable
from pathlib import Path

import pytest
from django.test import Client
from pytest_django import Settings

from leaderboard.models import TokenScope, User, issue_token

Program = Callable[..., Client]


@pytest.fixture(autouse=True)
def static_root(settings: Settings, places: Path) -> None:
    settings.STATIC_ROOT = places / "static"
    settings.STATIC_ROOT.mkdir()


@pytest.fixture
def program() -> Program:
    """A client that acts for that person by a token."""

    def client_of(user: User, scope: TokenScope = TokenScope.SUBMIT) -> Client:
        _, key = issue_token(user, "program", scope)
        return Client(headers={"Authorization": f"Token {key}"})

    return client_of
