"""Tie a process to its parent, so that even ``kill -9`` of the supervisor leaves nothing behind.

Linux sends a process its "parent death signal" when the thread that forked it ends. Three things follow:

- children are forked from a main thread, which lives as long as its process;
- the signal is asked for after any change of user, because changing user clears it;
- it is not inherited: a process that forks (Celery's pool, gunicorn's workers) has to ask again in each child.
"""

import ctypes
import os
import signal
from collections.abc import Callable

PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None, use_errno=True)  # Loaded here, since loading between fork and exec could deadlock.


def die_with_parent(sig: signal.Signals = signal.SIGKILL, parent_pid: int | None = None) -> None:
    """Ask for ``sig`` at the parent's death; send it at once if the parent is no longer ``parent_pid``.

    Pass the parent as it was before the fork, where it is known: a parent that died in between gives no signal. (That
    the parent is process 1 proves nothing: in a container a worker's parent may well be process 1.)
    """
    if _libc.prctl(PR_SET_PDEATHSIG, int(sig), 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl(PR_SET_PDEATHSIG) failed")
    if parent_pid is not None and os.getppid() != parent_pid:
        os.kill(os.getpid(), sig)


def tie_to_this_process(sig: signal.Signals) -> Callable[[], None]:
    """A ``preexec_fn`` for subprocess: it runs in the child, after the change of user and before exec."""
    parent_pid = os.getpid()
    return lambda: die_with_parent(sig, parent_pid)
