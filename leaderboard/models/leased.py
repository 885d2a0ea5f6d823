"""Work that a worker claims: status, attempt token, lease."""

from typing import ClassVar

from django.db import models


class FailureClass(models.TextChoices):
    """Whose fault a failure is, decided from evidence. Only the author's costs quota."""

    AUTHOR = "author", "the file"
    ORGANISER = "organiser", "the benchmark"
    OURS = "ours", "this server"


class Leased(models.Model):
    """Columns of a row that is worked on under a lease. `leaderboard.queue.lease` is the only writer."""

    #: The statuses between which a lease moves a row; every concrete kind names its own.
    WAITING: ClassVar[str]
    WORKING: ClassVar[str]
    BROKEN: ClassVar[str]

    status = models.CharField(max_length=10)
    attempt = models.UUIDField(null=True, editable=False)
    lease_until = models.DateTimeField(null=True, editable=False)
    n_attempts = models.PositiveSmallIntegerField(default=0, editable=False)
    woken_at = models.DateTimeField(null=True, editable=False)
    failure = models.TextField(blank=True, editable=False)
    failure_class = models.CharField(max_length=10, choices=FailureClass.choices, blank=True, editable=False)

    class Meta:
        abstract = True
