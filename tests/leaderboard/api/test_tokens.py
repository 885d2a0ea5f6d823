"""Tokens open what their scope says, until they expire or are revoked."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from leaderboard.models import ApiToken, TokenScope, issue_token
from tests.cast import Cast

ADDRESS = "/api/v1/submissions/"


def asked_with(key: str, word: str = "Token") -> int:
    return Client(headers={"Authorization": f"{word} {key}"}).get(ADDRESS).status_code


def test_only_the_digest_of_a_token_is_kept(cast: Cast) -> None:
    token, key = issue_token(cast.alice, "laptop", TokenScope.READ)
    assert key.startswith("cirb_")
    assert key not in str(ApiToken.objects.filter(pk=token.pk).values())
    assert asked_with(key) == 200


def test_the_word_before_a_token_is_written_in_any_case(cast: Cast) -> None:
    _, key = issue_token(cast.alice, "laptop", TokenScope.READ)
    assert asked_with(key, "token") == 200


@pytest.mark.django_db
@pytest.mark.parametrize("key", ["cirb_wrong", "", "two words", "caf\u00e9"])
def test_a_wrong_token_is_refused_with_the_way_to_make_it_right(key: str) -> None:
    response = Client(headers={"Authorization": f"Token {key}"}).get(ADDRESS)
    assert response.status_code == 401
    assert response["WWW-Authenticate"] == "Token"
    assert "Authorization: Token" in response.json()["remedy"]


def test_an_expired_token_opens_nothing(cast: Cast) -> None:
    _, key = issue_token(cast.alice, "laptop", TokenScope.READ, timezone.now() - timedelta(seconds=1))
    assert asked_with(key) == 401


def test_a_revoked_token_opens_nothing(cast: Cast) -> None:
    token, key = issue_token(cast.alice, "laptop", TokenScope.READ)
    ApiToken.objects.filter(pk=token.pk).update(revoked_at=timezone.now())
    assert asked_with(key) == 401


def test_the_token_of_a_barred_person_opens_nothing(cast: Cast) -> None:
    _, key = issue_token(cast.alice, "laptop", TokenScope.READ)
    cast.alice.is_active = False
    cast.alice.save()
    assert asked_with(key) == 401


def test_use_is_noted_at_most_once_a_minute(cast: Cast) -> None:
    token, key = issue_token(cast.alice, "laptop", TokenScope.READ)
    assert asked_with(key) == 200
    token.refresh_from_db()
    first = token.last_used_at
    assert first is not None
    assert asked_with(key) == 200
    token.refresh_from_db()
    assert token.last_used_at == first
    ApiToken.objects.filter(pk=token.pk).update(last_used_at=first - timedelta(seconds=61))
    assert asked_with(key) == 200
    token.refresh_from_db()
    assert token.last_used_at is not None
    assert token.last_used_at >= first
