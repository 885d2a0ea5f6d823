"""gunicorn's settings under the local supervisor."""

import signal
from typing import Protocol

from leaderboard.local.deathsig import die_with_parent
from leaderboard.web.gunicorn_conf import (  # noqa: F401 - gunicorn reads every name of this module
    accesslog,
    control_socket_disable,
    pre_request,
    preload_app,
    threads,
    timeout,
    worker_class,
)

workers = 2
graceful_timeout = 5
worker_tmp_dir = "/dev/shm"  # noqa: S108 - gunicorn unlinks it at once. The heartbeat file must not wait for a slow disk.


class Arbiter(Protocol):
    """gunicorn's parent process; gunicorn itself ships no types."""

    pid: int


def post_fork(server: Arbiter, worker: object) -> None:  # noqa: ARG001 - the signature is gunicorn's
    """Workers notice a lost arbiter by themselves only at their next heartbeat; the kernel tells them at once."""
    die_with_parent(signal.SIGKILL, server.pid)
