"""Request bodies that are files: never wholly in memory, never larger than the limit."""

from typing import cast

from django.conf import settings
from django.http import HttpRequest

from leaderboard.intake.errors import FileTooLargeError
from leaderboard.storage.artefacts import Readable
from leaderboard.web.errors import ApiError

# A multipart body is somewhat larger than the file in it.
ENVELOPE_BYTES = 1024 * 1024


def check_declared_size(request: HttpRequest) -> None:
    """Refuse a body that says it is too large before any of it is read.

    Raises:
        FileTooLargeError: By its Content-Length.
    """
    declared = request.META.get("CONTENT_LENGTH") or "0"
    if declared.isdecimal() and int(declared) > settings.UPLOAD_LIMIT_BYTES + ENVELOPE_BYTES:
        raise FileTooLargeError(settings.UPLOAD_LIMIT_BYTES)


def body_of(request: HttpRequest) -> Readable:
    """The request's body as a stream, whether its length was declared or it comes in chunks."""
    if not request.META.get("CONTENT_LENGTH") and request.META.get("wsgi.input_terminated"):
        # Django takes a body without a length for empty; the server has already marked where its chunks end.
        return cast("Readable", request.META["wsgi.input"])
    return Whole(request, int(request.META.get("CONTENT_LENGTH") or 0))


class Whole:
    """A body that must hold as many bytes as its Content-Length says: a connection that breaks off brings fewer."""

    def __init__(self, body: Readable, n_bytes: int) -> None:
        self._body = body
        self._n_missing = n_bytes

    def read(self, size: int, /) -> bytes:
        chunk = self._body.read(size)
        self._n_missing -= len(chunk)
        if not chunk and self._n_missing > 0:
            raise ApiError(
                400,
                "upload-cut-off",
                f"The upload broke off {self._n_missing:,} bytes before its end. Nothing was stored.",
                "send the file again",
            )
        return chunk


def is_chunked(request: HttpRequest) -> bool:
    return (
        not request.META.get("CONTENT_LENGTH") and "chunked" in request.META.get("HTTP_TRANSFER_ENCODING", "").lower()
    )
