"""Keys: a server's private one in its file, and public ones as people hand them on."""

import base64
import binascii
import json
import os
import re
import stat
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Final

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
    load_pem_public_key,
)

from evaluator.receipt.errors import KeyTextError, SigningKeyError

KEY_BYTES: Final = 32
REMEDY: Final = "run `manage.py create_signing_key` where the score worker runs"
_HEX = re.compile(r"[0-9a-fA-F]{64}")
_EXPECTED = "expected: 64 hexadecimal digits, base64 of 32 bytes, PEM, or the list of keys that a server gives"


def raw_of(key: Ed25519PublicKey) -> bytes:
    """The key's 32 bytes."""
    return key.public_bytes_raw()


def key_id(key: Ed25519PublicKey) -> str:
    """The fingerprint of a public key: SHA-256 of its 32 bytes, as 64 hexadecimal digits."""
    return sha256(raw_of(key)).hexdigest()


def to_base64(content: bytes) -> str:
    """Base64 with padding, on one line."""
    return base64.b64encode(content).decode("ascii")


def from_base64(text: str, n_bytes: int) -> bytes:
    """Decode what `to_base64` wrote, and nothing else: two texts for one value would let a change go unseen.

    Raises:
        ValueError: If it is not base64 of that many bytes.
    """
    try:
        content = base64.b64decode(text.encode("ascii"), validate=True)
    except (binascii.Error, UnicodeEncodeError):
        raise ValueError("it is not base64") from None
    if len(content) != n_bytes or to_base64(content) != text:
        raise ValueError(f"it is not base64 of {n_bytes} bytes")
    return content


def public_keys_in(text: str) -> list[Ed25519PublicKey]:
    """Read public keys as people hand them on.

    Args:
        text: 64 hexadecimal digits, base64, PEM, or JSON as a server's ``/api/v1/keys/`` gives it.

    Raises:
        KeyTextError: If it is none of these, or an empty list.
    """
    text = text.strip()
    if text.startswith("-----BEGIN"):
        return [_from_pem(text)]
    if text.startswith(("{", "[")):
        return [_from_line(line) for line in _listed(text)]
    return [_from_line(text)]


def draw_signing_key(path: Path) -> Ed25519PrivateKey:
    """Draw a private key and write it into a new file that its owner alone may read.

    Raises:
        FileExistsError: If there is one: a key is never overwritten.
        OSError: If it cannot be written.
    """
    key = Ed25519PrivateKey.generate()
    content = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    draft = path.with_name(path.name + ".new")
    draft.unlink(missing_ok=True)
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    try:
        # A link fails where a file is, so of two that draw at once one wins; renaming would overwrite.
        path.hardlink_to(draft)
    finally:
        draft.unlink()
    return key


def load_signing_key(path: Path) -> Ed25519PrivateKey:
    """Read a server's private key.

    Raises:
        SigningKeyError: If there is none, others may read it, or it is no Ed25519 key.
    """
    try:
        mode = stat.S_IMODE(path.stat().st_mode)
        content = path.read_bytes()
    except OSError as error:
        raise SigningKeyError(f"the signing key {path} cannot be read ({error.strerror}); {REMEDY}") from None
    if mode & 0o077:
        raise SigningKeyError(f"the signing key {path} is open to others (mode {mode:o}); chmod 600 it")
    try:
        key = load_pem_private_key(content, password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm):
        raise SigningKeyError(f"{path} is no private key in PEM; {REMEDY}") from None
    if not isinstance(key, Ed25519PrivateKey):
        raise SigningKeyError(f"{path} is a private key of another kind than Ed25519; {REMEDY}")
    return key


def _from_pem(text: str) -> Ed25519PublicKey:
    try:
        key = load_pem_public_key(text.encode())
    except (ValueError, UnsupportedAlgorithm):
        raise KeyTextError(f"this PEM holds no public key; {_EXPECTED}") from None
    if not isinstance(key, Ed25519PublicKey):
        raise KeyTextError("this public key is of another kind than Ed25519, by which receipts are signed")
    return key


def _from_line(text: str) -> Ed25519PublicKey:
    try:
        raw = bytes.fromhex(text) if _HEX.fullmatch(text) else from_base64(text, KEY_BYTES)
        return Ed25519PublicKey.from_public_bytes(raw)
    except ValueError:
        raise KeyTextError(f"{json.dumps(text[:80])} is no public key; {_EXPECTED}") from None


def _listed(text: str) -> Iterator[str]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise KeyTextError(f"the list of keys is not JSON; {_EXPECTED}") from None
    entries = found.get("keys") if isinstance(found, dict) else found
    if not isinstance(entries, list) or not entries:
        raise KeyTextError(f"this JSON lists no keys; {_EXPECTED}")
    for entry in entries:
        line = entry.get("public_key") if isinstance(entry, dict) else None
        if not isinstance(line, str):
            raise KeyTextError(f"an entry of the list has no public_key; {_EXPECTED}")
        yield line
