"""The two accounts of a demonstration, with passwords and tokens drawn once per data directory."""

import json
import secrets
from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import transaction

from leaderboard.local.places import write_private
from leaderboard.models import ApiToken, TokenScope, User, digest_token, draw_key, store_token

FILE_NAME = "demo-accounts.json"
TOKEN_NAME = "demonstration"  # noqa: S105 - the name of a token, not a token

Accounts = dict[str, dict[str, str]]


class Command(BaseCommand):
    help = "Make the researcher's and the administrator's demo account, and print how to sign in, as JSON."

    def handle(self, **_: Any) -> None:
        accounts = read_or_draw()
        with transaction.atomic():
            for role, account in accounts.items():
                ensure(account, is_administrator=role == "administrator")
        self.stdout.write(json.dumps(accounts))


def read_or_draw() -> Accounts:
    """What the data directory remembers, drawn if it is the first time."""
    path = settings.DATA_ROOT / FILE_NAME
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        drawn = {
            role: {"email": f"{role}@example.org", "password": secrets.token_urlsafe(12), "token": draw_key()}
            for role in ("researcher", "administrator")
        }
        write_private(path, json.dumps(drawn, indent=1))
    known: Accounts = json.loads(path.read_text(encoding="utf-8"))
    return known


def ensure(account: dict[str, str], *, is_administrator: bool) -> None:
    """Make the account and its token, unless they are there; a password that was changed since is left alone."""
    user = User.objects.filter(email=account["email"]).first()
    if user is None:
        make = User.objects.create_superuser if is_administrator else User.objects.create_user
        user = make(account["email"], account["password"])
    EmailAddress.objects.get_or_create(user=user, email=user.email, defaults={"verified": True, "primary": True})
    if not ApiToken.objects.filter(digest=digest_token(account["token"])).exists():
        store_token(user, TOKEN_NAME, TokenScope.SUBMIT, account["token"])
