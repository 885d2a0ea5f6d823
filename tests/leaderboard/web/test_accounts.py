"""Accounts: made, entered, left; tokens shown once; no telling who has an account."""

import re

import pytest
from django.core import mail
from django.test import Client
from pytest_django import Settings

from leaderboard.models import ApiToken, User
from tests.cast import PASSWORD, Cast
from tests.leaderboard.web.conftest import INVISIBLE, Visit

NEW = {"email": "dora@example.org", "password1": "a long and winding road"}


@pytest.mark.django_db
def test_an_account_is_made_and_signed_in() -> None:
    client = Client()
    assert client.post("/accounts/signup/", NEW).status_code == 302
    assert User.objects.get().email == "dora@example.org"
    assert b"My work" in client.get("/").content


def test_signing_in_leads_back_to_where_one_was(cast: Cast) -> None:
    client = Client()
    response = client.post("/accounts/login/", {"login": cast.alice.email, "password": PASSWORD, "next": "/my/tokens/"})
    assert response["Location"] == "/my/tokens/"


def test_signing_in_never_leads_elsewhere(cast: Cast) -> None:
    form = {"login": cast.alice.email, "password": PASSWORD, "next": "https://evil.example/"}
    assert Client().post("/accounts/login/", form)["Location"] == "/"


def test_a_wrong_password_and_a_wrong_address_are_told_alike(cast: Cast) -> None:
    def words(login: str) -> str:
        page = Client().post("/accounts/login/", {"login": login, "password": "wrong"}).content.decode()
        return re.sub(r'value="[^"]*"', "", page)

    assert words(cast.alice.email) == words("nobody@example.org")


def test_a_reset_says_the_same_to_all(cast: Cast) -> None:
    answers = [Client().post("/accounts/password/reset/", {"email": e}) for e in (cast.alice.email, "no@example.org")]
    assert {(a.status_code, a["Location"]) for a in answers} == {(302, "/accounts/password/reset/done/")}
    assert next(message.to for message in mail.outbox if "http" in message.body) == [cast.alice.email]


def test_many_wrong_passwords_are_stopped(cast: Cast) -> None:
    answers = [
        Client().post("/accounts/login/", {"login": cast.alice.email, "password": f"wrong {n}"}).content
        for n in range(12)
    ]
    assert b"Too many failed" in answers[-1]


def test_leaving_takes_a_click(cast: Cast, visit: Visit) -> None:
    client = visit(cast.alice)
    assert b"Sign out" in client.get("/accounts/logout/").content
    client.post("/accounts/logout/")
    assert b"Sign in" in client.get("/").content


@pytest.mark.parametrize(
    "address", ["login/", "signup/", "password/reset/", "password/reset/done/", "confirm-email/", "inactive/"]
)
@pytest.mark.django_db
def test_every_account_page_wears_the_sites_look(address: str) -> None:
    page = Client().get(f"/accounts/{address}").content.decode()
    assert "site-head" in page
    assert "base.css" in page


def test_a_reset_link_sets_a_new_password(cast: Cast) -> None:
    client = Client()
    client.post("/accounts/password/reset/", {"email": cast.alice.email})
    found = re.search(r"/accounts/password/reset/key/\S+", mail.outbox[-1].body)
    assert found
    form = client.get(found[0], follow=True)
    assert b"site-head" in form.content
    client.post(form.request["PATH_INFO"], {"password1": "quite another one", "password2": "quite another one"})
    cast.alice.refresh_from_db()
    assert cast.alice.check_password("quite another one")


def test_a_token_is_shown_once(cast: Cast, visit: Visit) -> None:
    client = visit(cast.alice)
    made = client.post("/my/tokens/", {"name": "laptop", "scope": "submit", "days": "90"})
    key = re.search(r"cirb_[\w-]{40,}", made.content.decode())
    assert key
    assert made["Cache-Control"] == "no-store"
    assert key[0] not in client.get("/my/tokens/").content.decode()
    assert Client(headers={"Authorization": f"Token {key[0]}"}).get("/api/v1/submissions/").status_code == 200


def test_a_revoked_token_leaves_the_list(cast: Cast, visit: Visit) -> None:
    client = visit(cast.alice)
    client.post("/my/tokens/", {"name": "laptop", "scope": "read", "days": "30"})
    token = ApiToken.objects.get()
    client.post(f"/my/tokens/{token.pk}/revoke/")
    assert b"Revoke laptop" not in client.get("/my/tokens/").content


@pytest.mark.django_db
def test_with_confirmation_nobody_enters_before_it(settings: Settings) -> None:
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    client = Client()
    assert client.post("/accounts/signup/", NEW)["Location"] == "/accounts/confirm-email/"
    assert b"Sign in" in client.get("/").content
    link = re.search(r"/accounts/confirm-email/\S+", mail.outbox[-1].body)
    assert link
    assert b"site-head" in client.get(link[0]).content


@pytest.mark.django_db
def test_an_address_longer_than_its_column_is_refused() -> None:
    response = Client().post("/accounts/signup/", NEW | {"email": f"{'a' * 300}@example.org"})
    assert b"at most 254 characters" in response.content
    assert not User.objects.exists()


def test_an_address_longer_than_its_column_is_not_added(cast: Cast, visit: Visit) -> None:
    form = {"email": f"{'a' * 300}@example.org", "action_add": ""}
    assert b"at most 254 characters" in visit(cast.alice).post("/accounts/email/", form, follow=True).content


def test_the_administration_signs_in_where_attempts_are_counted(cast: Cast, visit: Visit) -> None:
    assert Client().get("/admin/login/?next=/admin/")["Location"] == "/accounts/login/?next=%2Fadmin%2F"
    form = {"username": cast.mona.email, "password": PASSWORD, "next": "/admin/"}
    assert Client().post("/admin/login/", form)["Location"].startswith("/accounts/login/")
    assert visit(cast.charlie).get("/admin/login/").status_code == 403
    assert visit(cast.mona).get("/admin/login/")["Location"] == "/admin/"


@pytest.mark.parametrize("sign", INVISIBLE)
def test_a_tokens_name_holds_nothing_invisible(cast: Cast, visit: Visit, sign: str) -> None:
    visit(cast.alice).post("/my/tokens/", {"name": f"lap{sign}top", "scope": "read", "days": "30"})
    assert not ApiToken.objects.exists()
