"""Keep a stack up until somebody asks for its end: restart what dies, with growing pauses, and cap the logs."""

import contextlib
import signal
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from types import FrameType
from typing import NoReturn

from leaderboard.local.errors import LocalProfileError
from leaderboard.local.stack import Stack

LOOK_EVERY_S = 0.25
CAP_LOGS_EVERY_S = 5.0
FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 30.0
# A process that held this long was well: its next failure starts with the first pause again.
WELL_AFTER_S = 60.0
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class StopRequested(BaseException):
    """Ctrl-C, or the supervisor was told to end."""


def say(text: str) -> None:
    """Tell the person at the terminal."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


@contextlib.contextmanager
def stopping_on_signals() -> Iterator[None]:
    """Turn the first stop signal into StopRequested, wherever we are; ignore further ones while ending.

    A hang-up that the caller chose to ignore (nohup) stays ignored.
    """
    signals = [sig for sig in STOP_SIGNALS if sig != signal.SIGHUP or signal.getsignal(sig) != signal.SIG_IGN]

    def stop(_signal: int, _frame: FrameType | None) -> NoReturn:
        for sig in signals:
            signal.signal(sig, signal.SIG_IGN)
        raise StopRequested

    before = {sig: signal.signal(sig, stop) for sig in signals}
    try:
        yield
    finally:
        for sig, handler in before.items():
            signal.signal(sig, handler)


@dataclass
class Patience:
    """How long to wait before one process is started again."""

    pause_s: float = FIRST_PAUSE_S
    started_at: float = 0.0
    due_at: float | None = None

    def note_end(self, now: float) -> None:
        """The process was found ended: decide when it is due."""
        if now - self.started_at > WELL_AFTER_S:
            self.pause_s = FIRST_PAUSE_S
        self.due_at = now + self.pause_s
        self.pause_s = min(2 * self.pause_s, LONGEST_PAUSE_S)

    def note_start(self, now: float) -> None:
        """The process was started again."""
        self.started_at, self.due_at = now, None


def tend(stack: Stack) -> NoReturn:
    """Watch over the stack until StopRequested."""
    patience = {name: Patience(started_at=time.monotonic()) for name in stack.running}
    capped_at = time.monotonic()
    while True:
        now = time.monotonic()
        for name in set(stack.running) - set(stack.pids):
            _revive(stack, name, patience[name], now)
        if now - capped_at > CAP_LOGS_EVERY_S:
            capped_at = now
            for process in stack.running.values():
                process.cap_log()
        time.sleep(LOOK_EVERY_S)


def _revive(stack: Stack, name: str, patience: Patience, now: float) -> None:
    process = stack.running[name]
    if patience.due_at is None:
        patience.note_end(now)
        say(f"{name} {process.ending}; starting it again. See {process.log}")
    elif now >= patience.due_at:
        patience.note_start(now)
        try:
            process.start()
        except (LocalProfileError, OSError) as error:  # Try again later: a full disk may be cleared.
            say(f"{name} cannot be started: {error}")
            patience.note_end(now)
