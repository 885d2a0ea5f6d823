"""What is refused before any view or form has been read."""

import io
import re
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from leaderboard.models import Submission
from tests.cast import Cast
from tests.leaderboard.web.conftest import Visit

FORM = "multipart/form-data; boundary=x"
SUBMIT, API = "/b/board/submit/", "/api/v1/submissions/"
ELSEWHERE = ["/", "/accounts/login/", "/accounts/signup/", "/theme/", "/my/tokens/", "/nothing/", "/admin/login/"]
PART = b'--x\r\nContent-Disposition: form-data; name="run"; filename="run.json"\r\n\r\n{"00001": '


class Unread(io.BytesIO):
    def read(self, size: int | None = -1, /) -> bytes:
        raise AssertionError(f"{size} bytes were asked for")


def announce(client: Client, address: str, n_bytes: int | None) -> Any:
    """Send a form of so many bytes, none of which may be read; None sends it in chunks."""
    client.handler.enforce_csrf_checks = True
    client.cookies["csrftoken"] = "a" * 32
    length = {"CONTENT_LENGTH": "", "HTTP_TRANSFER_ENCODING": "chunked"} if n_bytes is None else {}
    body = {"wsgi.input": Unread(), "wsgi.input_terminated": True, "CONTENT_LENGTH": str(n_bytes), **length}
    return client.generic("POST", address, CONTENT_TYPE=FORM, **body)


@pytest.mark.usefixtures("split")
@pytest.mark.parametrize("address", ELSEWHERE)
@pytest.mark.parametrize("signed_in", [True, False])
def test_a_large_body_is_refused_unread_where_nothing_is_uploaded(
    address: str, signed_in: bool, cast: Cast, visit: Visit
) -> None:
    response = announce(visit(cast.alice if signed_in else None), address, 700_000_000)
    assert response.status_code == 413
    assert b"site-head" in response.content


@pytest.mark.usefixtures("split")
def test_strangers_are_asked_to_sign_in_before_their_upload_is_read(visit: Visit) -> None:
    response = announce(visit(None), SUBMIT, 2_000_000)
    assert response["Location"].startswith("/accounts/login/")
    assert announce(visit(None), API, 2_000_000).status_code == 401


@pytest.mark.usefixtures("split")
def test_a_session_that_nobody_has_opens_nothing() -> None:
    client = Client()
    client.cookies["sessionid"] = "a" * 32
    assert announce(client, SUBMIT, 2_000_000).status_code == 302


@pytest.mark.usefixtures("split")
@pytest.mark.parametrize("address", [SUBMIT, API])
def test_an_upload_over_the_limit_is_refused_unread(address: str, cast: Cast, visit: Visit, settings: Settings) -> None:
    response = announce(visit(cast.alice), address, settings.UPLOAD_LIMIT_BYTES + 2_000_000)
    assert response.status_code == 413
    assert re.search(rb"500(\.0)?\sMB", response.content)


@pytest.mark.usefixtures("split")
@pytest.mark.parametrize("address", [*ELSEWHERE, SUBMIT, API, "/api/v1/benchmarks/"])
def test_a_form_without_a_length_is_refused(address: str, cast: Cast, visit: Visit) -> None:
    response = announce(visit(cast.alice), address, None)
    assert response.status_code == 411
    if address.startswith("/api/"):
        assert response.json()["code"] == "length-missing"


@pytest.mark.usefixtures("split")
@pytest.mark.parametrize("checks", [True, False])
def test_a_form_that_breaks_off_is_told_so(checks: bool, cast: Cast, visit: Visit) -> None:
    client = visit(cast.alice)
    client.handler.enforce_csrf_checks = checks
    client.cookies["csrftoken"] = "a" * 32
    body = {"wsgi.input": io.BytesIO(PART), "CONTENT_LENGTH": str(len(PART) + 10)}
    response = client.generic("POST", SUBMIT, CONTENT_TYPE=FORM, **body)
    assert response.status_code == 400
    assert b"broke off" in response.content
    assert not Submission.objects.exists()


@pytest.mark.usefixtures("split")
@pytest.mark.parametrize(
    "address",
    [
        "/b/board/?slice=:%00",
        "/b/board/leaderboard.csv?slice=:%00",
        "/b/board/leaderboard.json?slice=:%00",
        "/api/v1/benchmarks/board/leaderboard/?slice=:%00",
        "/api/v1/submissions/?benchmark=%00",
        "/api/schema/?version=%00",
        "/b/board%00/",
        "/?%00=x",
        "/?q=%1b[2J",
    ],
)
def test_control_characters_in_an_address_are_refused(address: str) -> None:
    response = Client().get(address)
    assert response.status_code == 400
    if address.startswith("/api/"):
        assert response.json()["code"] == "control-characters"


@pytest.mark.usefixtures("db")
@pytest.mark.parametrize("address", ["/", "/my/tokens/", "/api/v1/submissions/", "/nothing/"])
@pytest.mark.parametrize("name", ["sessionid", "csrftoken", "theme", "messages"])
def test_control_characters_in_a_cookie_are_refused(address: str, name: str) -> None:
    assert Client(headers={"Cookie": f'{name}="\\000\\000abc"'}).get(address).status_code == 400


@pytest.mark.parametrize("address", ["/", "/api/v1/benchmarks/"])
def test_a_name_that_the_site_does_not_have_is_refused(address: str) -> None:
    assert Client(headers={"Host": "evil.example"}).get(address).status_code == 400
