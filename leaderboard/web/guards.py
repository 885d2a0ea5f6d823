"""Requests that are refused before any view, or any check that reads the form, has seen them."""

import re
from collections.abc import Callable
from typing import BinaryIO, cast
from urllib.parse import unquote_to_bytes

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpResponse, UnreadablePostError
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import Resolver404, resolve

from leaderboard.web.errors import answer_as_json, is_api
from leaderboard.web.uploads import ENVELOPE_BYTES, WholeBody, declared_bytes, is_chunked

GetResponse = Callable[[WSGIRequest], HttpResponseBase]
# More than any form without a file needs.
SMALL_BODY_BYTES = 1024 * 1024
CONTROL = re.compile(rb"[\x00-\x1f\x7f]")
# Fields of an upload may stand in the query, and BibTeX has lines.
CONTROL_BUT_SPACE = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
UPLOAD_PAGE, UPLOAD_API = "submit", "api_submissions"


def refuse_unreadable(get_response: GetResponse) -> GetResponse:
    """Answer 400 to control characters in the path, the query or a cookie: the database cannot take them."""

    def middleware(request: WSGIRequest) -> HttpResponseBase:
        if not _is_readable(request):
            message = "The address or a cookie holds control characters."
            if is_api(request):
                return answer_as_json(400, "control-characters", message, "send the request without them")
            # A page of the site would read the cookies.
            return HttpResponse(f"{message}\n", status=400, content_type="text/plain; charset=utf-8")
        return get_response(request)

    return middleware


def _is_readable(request: WSGIRequest) -> bool:
    query = unquote_to_bytes(request.META.get("QUERY_STRING", ""))
    cookies = (f"{name}{value}".encode(errors="replace") for name, value in request.COOKIES.items())
    path = request.path_info.encode(errors="replace")
    return not (CONTROL_BUT_SPACE.search(query) or any(CONTROL.search(text) for text in (path, *cookies)))


class BoundedBodies:
    """Refuse bodies by their declared length: large ones are for uploads, and for people who are signed in.

    It stands last, so that a refusal can be a page of the site. That is early enough: Django reads a form first in the
    CSRF check, which runs after all middleware has been entered.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: WSGIRequest) -> HttpResponseBase:
        refused = _refusal(request)
        if refused is not None:
            return refused
        body = WholeBody(request.environ["wsgi.input"], declared_bytes(request))
        request._stream = cast("BinaryIO", body)  # noqa: SLF001 - Django has no other place to watch a body
        response = self.get_response(request)
        # The CSRF check takes a body that broke off for a form without a token.
        return _cut_off(request) if body.is_cut_off and not is_api(request) else response

    def process_exception(self, request: WSGIRequest, exception: Exception) -> HttpResponseBase | None:
        return _cut_off(request) if isinstance(exception, UnreadablePostError) else None


def _refusal(request: WSGIRequest) -> HttpResponseBase | None:
    target = _upload_target(request)
    n_bytes = declared_bytes(request)
    if is_chunked(request) and (target != UPLOAD_API or _is_form(request)):
        return _refused(request, 411, "length-missing", "A form needs its length.", "send Content-Length")
    if n_bytes <= SMALL_BODY_BYTES:
        return None
    if not target:
        message = f"At most {SMALL_BODY_BYTES:,} bytes are taken here. Nothing was stored."
        return _refused(request, 413, "body-too-large", message, "send less")
    if n_bytes > settings.UPLOAD_LIMIT_BYTES + ENVELOPE_BYTES:
        message = f"The file is larger than {settings.UPLOAD_LIMIT_BYTES / 1e6:,.0f} MB, the most that is taken."
        return _refused(request, 413, "file-too-large", message)
    # The API knows its callers before it reads anything.
    if target == UPLOAD_PAGE and not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path())
    return None


def _upload_target(request: WSGIRequest) -> str:
    """Which of the two places for uploads the request is sent to; "" for all others."""
    if request.method != "POST":
        return ""
    try:
        name = resolve(request.path_info).url_name
    except Resolver404:
        return ""
    return name if name in {UPLOAD_PAGE, UPLOAD_API} else ""


def _is_form(request: WSGIRequest) -> bool:
    return (request.content_type or "").startswith("multipart/")


def _refused(request: WSGIRequest, status: int, code: str, message: str, remedy: str = "") -> HttpResponseBase:
    if is_api(request):
        return answer_as_json(status, code, message, remedy)
    if code == "file-too-large":
        return render(request, "413.html", status=status)
    return render(request, "400.html", {"reason": message}, status=status)


def _cut_off(request: WSGIRequest) -> HttpResponseBase:
    return _refused(request, 400, "upload-cut-off", "The upload broke off before its end. Nothing was stored.")
