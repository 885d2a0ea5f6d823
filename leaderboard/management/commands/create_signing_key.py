"""Draw the key that signs receipts. Run it where the score worker runs: nobody else may have it."""

from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from evaluator.receipt import draw_signing_key
from leaderboard.models import record_event
from leaderboard.results.receipts import list_key
from leaderboard.storage.signing_key import signing_key_path


class Command(BaseCommand):
    help = "Draw the private key that signs receipts, and list its public key. The key's file is CIRBOARD_SIGNING_KEY."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--replace",
            action="store_true",
            help="draw another key; the old private key is destroyed, and its public key stays listed",
        )

    def handle(self, *, replace: bool, **_: Any) -> None:
        try:
            path = signing_key_path()
            if replace:
                path.unlink(missing_ok=True)
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            private_key = draw_signing_key(path)
        except FileExistsError:
            raise CommandError(f"{path} exists; --replace draws another key") from None
        except ImproperlyConfigured as error:
            raise CommandError(str(error)) from None
        except OSError as error:
            raise CommandError(f"{path} cannot be written: {error.strerror}") from None
        with transaction.atomic():
            key = list_key(private_key.public_key())
            record_event("signing key created", key, after={"key_id": key.key_id})
        self.stdout.write(f"Receipts are signed by key {key.key_id}")
