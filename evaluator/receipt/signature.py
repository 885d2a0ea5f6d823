"""Sign a receipt, and tell whether one is what its server signed."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from evaluator.receipt.canonical import canonical
from evaluator.receipt.document import FORMAT
from evaluator.receipt.errors import ReceiptError
from evaluator.receipt.keys import KEY_BYTES, from_base64, key_id, raw_of, to_base64

ALGORITHM: Final = "Ed25519"
SIGNATURE_BYTES: Final = 64
BLOCK: Final = ("algorithm", "key_id", "public_key", "signature")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a signature is worth.

    Attributes:
        key_id: Fingerprint of the key that the receipt names.
        intact: Whether that key signed exactly this document.
        trusted: Whether that key is among those that were trusted; None if none were named, so that the receipt
            proves only that nobody changed it since somebody signed it.
    """

    key_id: str
    intact: bool
    trusted: bool | None

    @property
    def stands(self) -> bool:
        """Whether the receipt may be relied on as far as it was checked."""
        return self.intact and self.trusted is not False


def sign(document: dict[str, Any], private_key: Ed25519PrivateKey) -> dict[str, Any]:
    """Add the signature block to a document.

    Args:
        document: As `make_receipt` gives it, without a signature.

    Raises:
        ReceiptError: If it is signed already, or holds what cannot be encoded.
    """
    if "signature" in document:
        raise ReceiptError("the document is signed already")
    public_key = private_key.public_key()
    block = {
        "algorithm": ALGORITHM,
        "key_id": key_id(public_key),
        "public_key": to_base64(raw_of(public_key)),
        "signature": to_base64(private_key.sign(canonical(document))),
    }
    return {**document, "signature": block}


def verify(receipt: dict[str, Any], trusted: Collection[Ed25519PublicKey] | None = None) -> Verdict:
    """Check a receipt without asking anybody.

    Args:
        receipt: As `parse_receipt` gives it.
        trusted: Keys known to be the server's; None to take the one that the receipt brings.

    Raises:
        ReceiptError: If it is no receipt of this format, or its signature block is not as `sign` writes it.
    """
    if receipt.get("format") != FORMAT:
        raise ReceiptError(f'format is not "{FORMAT}": this is no receipt, or one of a newer CIRBoard')
    block = _block_of(receipt)
    public_key = _public_key_of(block)
    signature = _decoded(block, "signature", SIGNATURE_BYTES)
    document = {key: value for key, value in receipt.items() if key != "signature"}
    raw = raw_of(public_key)
    return Verdict(
        key_id=key_id(public_key),
        intact=_is_signed(canonical(document), signature, public_key),
        trusted=None if trusted is None else any(raw_of(key) == raw for key in trusted),
    )


def _block_of(receipt: dict[str, Any]) -> dict[str, str]:
    block = receipt.get("signature")
    if not isinstance(block, dict):
        raise ReceiptError("signature is missing: the file is an unsigned report, or was cut")
    if set(block) != set(BLOCK):
        raise ReceiptError(f"signature must hold exactly {', '.join(BLOCK)}")
    for name, value in block.items():
        if not isinstance(value, str):
            raise ReceiptError(f"signature.{name} must be text")
    if block["algorithm"] != ALGORITHM:
        raise ReceiptError(f"signature.algorithm must be {ALGORITHM}; no other is accepted")
    return block


def _public_key_of(block: dict[str, str]) -> Ed25519PublicKey:
    try:
        public_key = Ed25519PublicKey.from_public_bytes(_decoded(block, "public_key", KEY_BYTES))
    except ReceiptError:
        raise
    except ValueError as error:
        raise ReceiptError(f"signature.public_key is no Ed25519 key: {error}") from None
    if key_id(public_key) != block["key_id"]:
        raise ReceiptError("signature.key_id is not the fingerprint of signature.public_key")
    return public_key


def _decoded(block: dict[str, str], name: str, n_bytes: int) -> bytes:
    try:
        return from_base64(block[name], n_bytes)
    except ValueError as error:
        raise ReceiptError(f"signature.{name}: {error}") from None


def _is_signed(content: bytes, signature: bytes, public_key: Ed25519PublicKey) -> bool:
    try:
        public_key.verify(signature, content)
    except InvalidSignature:
        return False
    return True
