"""The server's private key. The score worker alone is told where it lies."""

from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from evaluator.receipt import load_signing_key


def signing_key_path() -> Path:
    """Where the key lies.

    Raises:
        ImproperlyConfigured: If this process is not told.
    """
    if settings.SIGNING_KEY is None:
        raise ImproperlyConfigured(settings.NO_SIGNING_KEY)
    return settings.SIGNING_KEY


def read_signing_key() -> Ed25519PrivateKey:
    """The key, read anew each time, so that a new one is used at once.

    Raises:
        ImproperlyConfigured: As `signing_key_path`.
        SigningKeyError: If the file is missing, open to others, or no key.
    """
    return load_signing_key(signing_key_path())
