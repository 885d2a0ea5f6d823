"""Clients of the API with tokens."""

from collections.abc import Callable, Iterator

import pytest
from django.test import Client, override_settings

from leaderboard.models import TokenScope, User, issue_token

Program = Callable[..., Client]


@pytest.fixture(scope="session", autouse=True)
def static_root(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A folder where collected static files would be, also for the live server, which lasts for the session."""
    with override_settings(STATIC_ROOT=tmp_path_factory.mktemp("static")):
        yield


@pytest.fixture
def program() -> Program:
    """A client that acts for that person by a token."""

    def client_of(user: User, scope: TokenScope = TokenScope.SUBMIT) -> Client:
        _, key = issue_token(user, "program", scope)
        return Client(headers={"Authorization": f"Token {key}"})

    return client_of
