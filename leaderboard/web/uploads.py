"""Request bodies that are files: never wholly in memory, never shorter than they said."""

from io import BytesIO
from typing import cast

from django.core.handlers.wsgi import LimitedStream
from django.http import HttpRequest
from gunicorn.http.errors import ParseException  # type: ignore[import-untyped]  # gunicorn ships no types

from leaderboard.storage.artefacts import Readable
from leaderboard.web.errors import ApiError

# A multipart body is somewhat larger than the file in it.
ENVELOPE_BYTES = 1024 * 1024


def declared_bytes(request: HttpRequest) -> int:
    """The body's Content-Length, 0 where there is none."""
    declared = request.META.get("CONTENT_LENGTH") or "0"
    return int(declared) if declared.isdecimal() else 0


def is_chunked(request: HttpRequest) -> bool:
    return not request.META.get("CONTENT_LENGTH") and bool(request.META.get("HTTP_TRANSFER_ENCODING"))


def body_of(request: HttpRequest) -> Readable:
    """The request's body as a stream, whether its length was declared or it comes in chunks."""
    if not request.META.get("CONTENT_LENGTH") and request.META.get("wsgi.input_terminated"):
        # Django takes a body without a length for empty; the server has already marked where its chunks end.
        return ChunkedBody(cast("Readable", request.META["wsgi.input"]))
    return request


class ChunkedBody:
    """A body in chunks: one that breaks off, or whose chunks are malformed, is the sender's fault."""

    def __init__(self, body: Readable) -> None:
        self._body = body

    def read(self, size: int, /) -> bytes:
        try:
            return self._body.read(size)
        except (OSError, ParseException):
            raise ApiError(
                400,
                "upload-cut-off",
                "The upload broke off before its last chunk. Nothing was stored.",
                "send the file again",
            ) from None


class WholeBody(LimitedStream):
    """A body that must hold as many bytes as its Content-Length says: a connection that breaks off brings fewer.

    Raises:
        OSError: When it ended early. Django makes an UnreadablePostError of it.
    """

    is_cut_off = False

    def __init__(self, stream: BytesIO, limit: int) -> None:
        super().__init__(stream, limit)
        self._n_left = limit

    def read(self, size: int | None = -1, /) -> bytes:
        wanted = self._n_left if size is None or size < 0 else min(size, self._n_left)
        found = super().read(wanted)
        self._n_left -= len(found)
        # Servers hand over all that was asked for, unless there is no more.
        if len(found) < wanted:
            self.is_cut_off = True
            raise OSError(f"The upload broke off {self._n_left:,} bytes before its end. Nothing was stored.")
        return found

    def readline(self, size: int | None = -1, /) -> bytes:
        found = super().readline(size)
        self._n_left -= len(found)
        return found
