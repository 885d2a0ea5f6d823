"""gunicorn's settings in production, and the part that the local profile shares."""

from typing import Protocol

from leaderboard.settings import WEB_THREADS

# A thread per request: a slow upload holds one of many threads, where a process without threads would answer nobody
# else and be killed for it. The timeout is for a process that shows no sign of life, not for a request.
worker_class = "gthread"
threads = WEB_THREADS
timeout = 120
workers = 3
graceful_timeout = 30
preload_app = True  # Import once for all workers; connections are only opened after the fork.
control_socket_disable = True  # It would live in the home directory, which a service may not have.
accesslog = "-"

LARGE_BODY_BYTES = 64 * 1024


class Request(Protocol):
    """gunicorn's request; gunicorn itself ships no types."""

    headers: list[tuple[str, str]]

    def force_close(self) -> None: ...


def pre_request(worker: object, request: Request) -> None:  # noqa: ARG001 - the signature is gunicorn's
    """Say ``Connection: close`` to a large body: after a refusal what is unread of it would be taken for a request."""
    headers = dict(request.headers)
    length = headers.get("CONTENT-LENGTH", "0")
    if "TRANSFER-ENCODING" in headers or not length.isdecimal() or int(length) > LARGE_BODY_BYTES:
        request.force_close()
