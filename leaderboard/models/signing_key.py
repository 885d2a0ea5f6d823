"""The keys by which receipts are signed, as far as everybody may know them."""

from typing import ClassVar

from django.db import models
from django.db.models.functions import Now

from leaderboard.models.benchmark import digest_field


class SigningKey(models.Model):
    """A public key of this server. It stays listed when another takes its place: old receipts name it."""

    key_id = digest_field(help_text="SHA-256 of the key's 32 bytes")
    public_key = models.CharField(max_length=44, help_text="base64 of the key's 32 bytes")
    first_used_at = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering: ClassVar = ["-first_used_at", "-id"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["key_id"], name="one_signing_key_of_an_id")]

    def __str__(self) -> str:
        return self.key_id
