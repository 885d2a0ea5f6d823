"""Claim a row, keep it while working, and finish only if it is still ours.

A worker may be killed, paused for an hour, or cut off from the database, and cannot tell by itself. So nothing rests
on what a worker believes: a claim is one conditional UPDATE that draws a new attempt token, the lease runs on the
database's clock, and finishing compares the token in the same transaction that writes everything that follows.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

from django.conf import settings
from django.db import Error, InterfaceError, OperationalError, connection, transaction
from django.db.models import F, QuerySet
from django.db.models.functions import Now

from leaderboard.models import Leased

logger = logging.getLogger(__name__)
RECONNECT_AFTER_S = 0.5


class LeaseLostError(Exception):
    """Another attempt has taken over, or the work was cancelled: what this one found must not be written."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A row that this attempt works on."""

    kind: type[Leased]
    id: UUID
    attempt: UUID

    @property
    def row(self) -> QuerySet[Leased]:
        """The row, as long as it is ours."""
        return rows_of(self.kind).filter(pk=self.id, attempt=self.attempt, status=self.kind.WORKING)


def rows_of(kind: type[Leased]) -> QuerySet[Leased]:
    """All rows of a kind of work."""
    rows: QuerySet[Leased] = kind._default_manager.all()  # noqa: SLF001 - Django documents it as public
    return rows


def claim(kind: type[Leased], row_id: UUID, **changes: Any) -> Claim | None:
    """Take a waiting row; None if there is nothing to do, because it is taken, done, or gone.

    ``changes`` are further columns to write with the claim.
    """
    taken = Claim(kind, row_id, uuid4())
    n_changed = (
        rows_of(kind)
        .filter(pk=row_id, status=kind.WAITING)
        .update(
            status=kind.WORKING,
            attempt=taken.attempt,
            lease_until=_lease_end(),
            n_attempts=F("n_attempts") + 1,
            **changes,
        )
    )
    return taken if n_changed == 1 else None


@contextmanager
def held(work: Claim) -> Iterator[None]:
    """Prolong the lease from a thread of its own for as long as the block runs.

    If the block raises, the lease ends at once, so that the next attempt need not wait for it.
    """
    done = threading.Event()
    beats = threading.Thread(target=_beat, args=(work, done), name=f"lease of {work.id}", daemon=True)
    beats.start()
    finished = False
    try:
        yield
        finished = True
    finally:
        done.set()
        # A database that does not answer must not hold up the worker: a late heartbeat changes nothing that matters.
        beats.join(settings.LEASE_S)
        if not finished:
            with suppress(Error):  # Then the lease runs out by itself.
                work.row.update(lease_until=Now())


def finish(work: Claim, status: str, **changes: Any) -> None:
    """Move the row on. Call it first in the transaction that writes everything that follows.

    Raises:
        LeaseLostError: If the row is no longer ours.
    """
    if not transaction.get_connection().in_atomic_block:
        raise transaction.TransactionManagementError("finish a claim inside transaction.atomic()")
    if work.row.update(status=status, attempt=None, lease_until=None, **changes) != 1:
        raise LeaseLostError(f"{work.kind.__name__} {work.id} went on without attempt {work.attempt}")


def fail(work: Claim, failure_class: str, failure: str, **changes: Any) -> None:
    """Finish without a result, saying whose fault it is and why."""
    finish(work, work.kind.BROKEN, failure=failure, failure_class=failure_class, **changes)


def commit(write: Callable[[], None]) -> None:
    """Run ``write`` in a transaction, again if the database went away, so that its restart costs no result.

    Safe because whatever writes the end of a work begins with `finish`: if the first try was committed and only its
    answer was lost, the second one finds the row moved on and raises LeaseLostError.
    """
    give_up_at = time.monotonic() + settings.RECONNECT_WITHIN_S
    while True:
        try:
            with transaction.atomic():
                write()
        except (OperationalError, InterfaceError) as error:
            connection.close()
            if time.monotonic() > give_up_at:
                raise
            logger.warning("the database went away (%s); trying again", str(error).strip())
            time.sleep(RECONNECT_AFTER_S)
        else:
            return


def _lease_end() -> Any:
    return Now() + timedelta(seconds=settings.LEASE_S)


def _beat(work: Claim, done: threading.Event) -> None:
    """Django gives this thread a connection of its own."""
    pause_s = settings.HEARTBEAT_S
    try:
        while not done.wait(pause_s):
            try:
                if work.row.update(lease_until=_lease_end()) == 0:
                    logger.warning("lost the lease of %s %s", work.kind.__name__, work.id)
                    return
                pause_s = settings.HEARTBEAT_S
            except (OperationalError, InterfaceError) as error:
                logger.warning("no heartbeat for %s: %s", work.id, str(error).strip())
                connection.close()
                pause_s = min(RECONNECT_AFTER_S, settings.HEARTBEAT_S)
    finally:
        connection.close()
