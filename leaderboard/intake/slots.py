"""How many people may have a file checked while they wait: one check each, and few in all.

A slot is an advisory lock of the database, so that it counts over all processes and is free again as soon as the
process that holds it ends, however it ends.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.db import connection, transaction

from leaderboard.intake.errors import CheckBusyError
from leaderboard.models import User

# The first of a lock's two numbers; the second is the user or the slot.
OF_A_USER, OF_THE_SERVER = 0x0C1B_0001, 0x0C1B_0002
LARGEST_NUMBER = 2**31


@contextmanager
def slot_of(user: User) -> Iterator[None]:
    """Hold a slot for as long as the block runs; nobody waits for one.

    The locks end with a transaction: a connection that goes back to a pool cannot keep one.

    Raises:
        CheckBusyError: If the user has a check at work, or all slots are taken.
    """
    with transaction.atomic():
        if not _try_lock(OF_A_USER, user.pk % LARGEST_NUMBER):
            raise CheckBusyError("Another file of yours is being checked.")
        if not any(_try_lock(OF_THE_SERVER, slot) for slot in range(settings.DRY_RUN_SLOTS)):
            raise CheckBusyError("The server is checking other people's files.")
        yield


def _try_lock(kind: int, number: int) -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s, %s)", [kind, number])
        return bool(cursor.fetchone()[0])
