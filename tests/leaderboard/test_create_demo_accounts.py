"""The demo's accounts are drawn once and can sign in."""

import json
from pathlib import Path

import pytest
from django.contrib.auth import authenticate
from django.core.management import call_command

from leaderboard.models import ApiToken, User, digest_token


def create(capsys: pytest.CaptureFixture[str]) -> dict[str, dict[str, str]]:
    call_command("create_demo_accounts")
    printed: dict[str, dict[str, str]] = json.loads(capsys.readouterr().out)
    return printed


@pytest.mark.django_db
def test_both_accounts_can_sign_in(capsys: pytest.CaptureFixture[str]) -> None:
    for role, account in create(capsys).items():
        user = authenticate(username=account["email"], password=account["password"])
        assert isinstance(user, User)
        assert user.is_staff == user.is_superuser == (role == "administrator")
        assert ApiToken.objects.get(digest=digest_token(account["token"])).user == user


@pytest.mark.django_db
def test_a_second_time_gives_the_same_accounts(places: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = create(capsys)
    assert create(capsys) == first
    assert (User.objects.count(), ApiToken.objects.count()) == (2, 2)
    assert (places / "demo-accounts.json").stat().st_mode & 0o777 == 0o600


@pytest.mark.django_db
def test_a_new_database_beside_an_old_file_gets_them_back(capsys: pytest.CaptureFixture[str]) -> None:
    first = create(capsys)
    ApiToken.objects.all().delete()
    assert create(capsys) == first
    assert ApiToken.objects.count() == 2
