"""gunicorn's settings under the local supervisor."""

import signal
from typing import Protocol

from leaderboard.local.deathsig import die_with_parent

workers = 2
threads = 4
worker_class = "gthread"
timeout = 60
graceful_timeout = 5
preload_app = True  # Import once for all workers; connections are only opened after the fork.
control_socket_disable = True  # It would live in the home directory, which a service may not have.
accesslog = "-"
worker_tmp_dir = "/dev/shm"  # noqa: S108 - gunicorn unlinks it at once. The heartbeat file must not wait for a slow disk.


class Arbiter(Protocol):
    """gunicorn's parent process; gunicorn itself ships no types."""

    pid: int


def post_fork(server: Arbiter, worker: object) -> None:  # noqa: ARG001 - the signature is gunicorn's
    """Workers notice a lost arbiter by themselves only at their next heartbeat; the kernel tells them at once."""
    die_with_parent(signal.SIGKILL, server.pid)
