"""Errors of the API, all of one shape: code, message, remedy."""

from typing import Any

from django.core.exceptions import (
    PermissionDenied,
    RequestDataTooBig,
    SuspiciousOperation,
    TooManyFieldsSent,
    TooManyFilesSent,
)
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, UnreadablePostError
from django.shortcuts import render
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import exception_handler

from leaderboard.intake.errors import IntakeError
from leaderboard.moderation.decide import DecisionError, NotAllowedError
from leaderboard.storage.artefacts import ArtefactMissingError
from leaderboard.tables.rules import UnknownChoiceError

INTAKE_STATUS = {
    "empty-file": 400,
    "method-name": 400,
    "not-your-team": 403,
    "not-open-yet": 403,
    "closed": 403,
    "file-too-large": 413,
    "check-unavailable": 503,
    "check-busy": 429,
    "check-too-long": 413,
    "quota-used": 429,
    "refused-quota-used": 429,
}
REMEDIES = {
    400: "correct the request and send it again",
    401: "send the header Authorization: Token cirb_..., with a token that is neither expired nor revoked",
    403: "sign in as a member of the team, or use a token that may submit",
    404: "check the address; what is private is not found by others",
    405: "see /api/docs/ for the methods of this address",
    409: "read its present state and decide again",
    413: "compress the file with gzip or zstd, or shorten its lists to what the benchmark asks for",
    415: "send multipart/form-data, or the file itself as application/octet-stream, application/json or application/gzip",
    429: "wait for as long as the message says",
}


class ApiError(exceptions.APIException):
    """An error with a stable code and what to do about it."""

    def __init__(self, status: int, code: str, message: str, remedy: str = "") -> None:
        super().__init__(message, code)
        self.status_code = status
        self.remedy = remedy


def is_api(request: HttpRequest) -> bool:
    return request.path_info.startswith("/api/")


def answer_as_json(status: int, code: str, message: str, remedy: str = "") -> JsonResponse:
    """An error of the API outside its views."""
    remedy = remedy or REMEDIES.get(status, "")
    return JsonResponse({"code": code, "message": message, "remedy": remedy}, status=status)


def handle_api_error(error: Exception, context: dict[str, Any]) -> Response | None:
    """Answer every expected exception with JSON; what is not expected stays a 500."""
    known = _as_api_error(error)
    response = exception_handler(known, context)
    if response is None:
        return None
    response.data = {
        "code": _code(known),
        "message": _message(known),
        "remedy": getattr(known, "remedy", "") or REMEDIES.get(response.status_code, ""),
    }
    if isinstance(known, exceptions.ValidationError):
        response.data["fields"] = known.detail
    return response


def _as_api_error(error: Exception) -> Exception:
    known: Exception = error
    match error:
        case IntakeError():
            known = ApiError(INTAKE_STATUS.get(error.code, 400), error.code, error.message)
        case NotAllowedError():
            known = ApiError(403, error.code, str(error))
        case DecisionError():
            known = ApiError(409, error.code, str(error))
        case UnknownChoiceError():
            known = ApiError(404 if error.kind == "benchmark" else 400, error.code, f"{error}", error.remedy)
        case ArtefactMissingError():
            known = ApiError(410, "file-gone", "The file is no longer stored.", "ask the operator")
        case SuspiciousOperation() | UnreadablePostError():
            known = _as_unreadable_form(error)
        case Http404():
            known = exceptions.NotFound("There is nothing here, or it is private.")
        case PermissionDenied():
            known = exceptions.PermissionDenied()
    return known


def _as_unreadable_form(error: SuspiciousOperation | UnreadablePostError) -> ApiError:
    match error:
        case UnreadablePostError():
            return ApiError(400, "upload-cut-off", str(error), "send the file again")
        case RequestDataTooBig():
            return ApiError(413, "fields-too-large", "The fields are too large.", "send the run as a file, named run")
        case TooManyFieldsSent() | TooManyFilesSent():
            return ApiError(400, "too-many-fields", "There are too many fields.", "see /api/docs/ for those it needs")
    return ApiError(400, "bad-request", "The request cannot be read.")


def _code(error: Exception) -> str:
    if isinstance(error, exceptions.ValidationError):
        return "invalid-fields"
    codes = error.get_codes() if isinstance(error, exceptions.APIException) else "error"
    return str(codes).replace("_", "-")


def _message(error: Exception) -> str:
    if isinstance(error, exceptions.ValidationError):
        return "Some fields are missing or cannot be used."
    return str(error.detail) if isinstance(error, exceptions.APIException) else str(error)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:  # noqa: ARG001 - the signature is Django's
    if is_api(request):
        return answer_as_json(400, "bad-request", "The request cannot be read.")
    return render(request, "400.html", status=400)


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    if is_api(request):
        return answer_as_json(404, "not-found", "There is nothing here, or it is private.")
    # Only our own sentence is shown, never the resolver's.
    reason = str(exception) if isinstance(exception.__cause__, UnknownChoiceError) else ""
    return render(request, "404.html", {"reason": reason}, status=404)


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    return render(request, "403.html", {"reason": str(exception)}, status=403)
