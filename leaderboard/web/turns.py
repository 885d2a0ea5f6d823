"""Dry runs take turns: a web process answers many people at once, and a check may need gigabytes of memory."""

from threading import BoundedSemaphore

from django.conf import settings

from evaluator.formats.outcome import CheckOutcome
from leaderboard.intake.dry_run import dry_run
from leaderboard.intake.errors import CheckUnavailableError
from leaderboard.models import Split, User
from leaderboard.storage.artefacts import Readable

turns = BoundedSemaphore(settings.DRY_RUNS_AT_ONCE)


class UntilTurn:
    """A stream whose end waits for a turn, so that a slow sender takes none from others."""

    def __init__(self, stream: Readable) -> None:
        self._stream = stream
        self.has_turn = False

    def read(self, size: int, /) -> bytes:
        chunk = self._stream.read(size)
        if not chunk and not self.has_turn:
            self.has_turn = turns.acquire(timeout=settings.DRY_RUN_WAIT_S)
            if not self.has_turn:
                raise CheckUnavailableError
        return chunk


def dry_run_in_turn(*, user: User, split: Split, stream: Readable) -> CheckOutcome:
    """As `dry_run`, when it is this file's turn.

    Raises:
        IntakeError: As `dry_run`; CheckUnavailableError also where no turn came.
    """
    waiting = UntilTurn(stream)
    try:
        return dry_run(user=user, split=split, stream=waiting)
    finally:
        if waiting.has_turn:
            turns.release()
