"""People are known by their e-mail address, tokens by their digest."""

import pytest
from django.db import IntegrityError

from leaderboard.models import ApiToken, TokenScope, User, digest_token, issue_token
from tests.cast import Cast


def test_only_the_digest_of_a_token_is_stored(cast: Cast) -> None:
    token, key = issue_token(cast.alice, "laptop", TokenScope.READ)
    assert ApiToken.objects.get(digest=digest_token(key)) == token
    stored = ApiToken.objects.filter(pk=token.pk).values().get()
    assert key not in map(str, stored.values())
    assert token.hint == key[:12]


def test_no_two_tokens_are_alike(cast: Cast) -> None:
    keys = {issue_token(cast.alice, "laptop", TokenScope.READ)[1] for _ in range(3)}
    assert len(keys) == 3
    assert all(len(key) >= 40 for key in keys)


@pytest.mark.django_db
def test_an_address_is_the_same_in_any_case() -> None:
    User.objects.create_user("Eve@Example.org")
    with pytest.raises(IntegrityError):
        User.objects.create_user("eve@example.org")


@pytest.mark.django_db
def test_a_persons_address_is_not_shown() -> None:
    assert str(User.objects.create_user("eve@example.org")) == "eve"
    assert str(User.objects.create_user("eva@example.org", display_name="Eva")) == "Eva"
