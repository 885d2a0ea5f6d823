"""What can be wrong with a receipt or a key before its signature is even looked at."""


class ReceiptError(ValueError):
    """A file that cannot be used as a receipt: the message names the place and what is expected there."""


class KeyTextError(ValueError):
    """Text that is no Ed25519 public key."""


class SigningKeyError(ValueError):
    """A private key file that is missing, open to others, or no Ed25519 key."""
