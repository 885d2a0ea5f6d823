"""One supervised process: started with a death signal and a log, waited for by asking it, stopped for certain."""

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from leaderboard.local.deathsig import tie_to_this_process
from leaderboard.local.errors import ProcessError
from leaderboard.local.identity import Identity

LOG_LIMIT_BYTES = 10_000_000
POLL_S = 0.05


def nothing_to_prepare() -> None:
    """The default preparation of a process."""


@dataclass(frozen=True)
class Recipe:
    """How to start, ask and end one process."""

    name: str
    command: tuple[str, ...]
    environment: Mapping[str, str]
    user: Identity
    folder: Path
    is_ready: Callable[[], bool]
    remedy: str
    stop_signal: signal.Signals = signal.SIGTERM
    death_signal: signal.Signals = signal.SIGKILL
    ready_within_s: float = 60.0
    stop_within_s: float = 8.0
    descriptors: tuple[int, ...] = ()
    prepare: Callable[[], None] = nothing_to_prepare


class ManagedProcess:
    """A running (or ended) instance of a recipe."""

    def __init__(self, recipe: Recipe, log: Path) -> None:
        self.recipe = recipe
        self.log = log
        self._popen: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int | None:
        """The process id while it runs."""
        return self._popen.pid if self._popen is not None and self._popen.poll() is None else None

    @property
    def ending(self) -> str:
        """How the last instance ended, in words."""
        code = self._popen.returncode if self._popen is not None else None
        if code is None:
            return "is running"
        return f"was ended by {signal.Signals(-code).name}" if code < 0 else f"ended with exit status {code}"

    def start(self) -> None:
        """Start without waiting for readiness; must be called from the main thread (see ``deathsig``)."""
        recipe = self.recipe
        recipe.prepare()
        with self.log.open("ab") as log:
            self._popen = subprocess.Popen(  # noqa: S603 - the command is ours
                recipe.command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=recipe.folder,
                env=dict(recipe.environment),
                pass_fds=recipe.descriptors,
                start_new_session=True,  # Ctrl-C reaches the supervisor alone, which ends the rest in order.
                **recipe.user.change_of_user,
                preexec_fn=tie_to_this_process(recipe.death_signal),  # noqa: PLW1509 - one prctl call, resolved beforehand
            )

    def wait_until_ready(self) -> None:
        """Ask until it answers; raise with the last lines of its log if it ends or stays silent."""
        deadline = time.monotonic() + self.recipe.ready_within_s
        while not (self.pid is not None and self.recipe.is_ready()):
            if self.pid is None:
                raise ProcessError(self._account(self.ending))
            if time.monotonic() > deadline:
                raise ProcessError(self._account(f"gave no answer within {self.recipe.ready_within_s:.0f} s"))
            time.sleep(POLL_S)

    def send(self, sig: signal.Signals) -> None:
        """Send a signal; after SIGKILL, return once the process is gone."""
        if self._popen is None or self.pid is None:
            raise ProcessError(f"{self.recipe.name} is not running")
        self._popen.send_signal(sig)
        if sig == signal.SIGKILL:
            self._popen.wait()

    def ask_to_stop(self) -> None:
        """Send the stop signal, if there is something to stop."""
        if self._popen is not None and self.pid is not None:
            self._popen.send_signal(self.recipe.stop_signal)
            self._popen.send_signal(signal.SIGCONT)  # A stopped process would never see it.

    def wait_until_stopped(self, within_s: float) -> None:
        """Wait for the end, and enforce it on the whole process group after ``within_s``."""
        if self._popen is None:
            return
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._popen.wait(max(within_s, 0.0))
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._popen.pid, signal.SIGKILL)
        self._popen.wait()

    def cap_log(self) -> None:
        """Move a log beyond the limit to NAME.log.1. The process appends on, at the start of the emptied file."""
        if self.log.stat().st_size <= LOG_LIMIT_BYTES:
            return
        self.log.with_name(self.log.name + ".1").write_bytes(self.log.read_bytes())
        os.truncate(self.log, 0)

    def last_lines(self, n_lines: int = 15) -> str:
        """The end of the log."""
        with self.log.open("rb") as file:
            file.seek(max(0, self.log.stat().st_size - 8192))
            text = file.read().decode(errors="replace")
        return "\n".join(text.splitlines()[-n_lines:])

    def _account(self, what: str) -> str:
        return (
            f"{self.recipe.name} {what}. The last lines of {self.log}:\n\n{self.last_lines()}\n\n{self.recipe.remedy}"
        )
