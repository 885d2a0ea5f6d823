"""The bytes that are signed, and reading a receipt so strictly that no two readers can see different values."""

import json
from pathlib import Path
from typing import Any, Final, NoReturn

import rfc8785

from evaluator.receipt.errors import ReceiptError

LARGEST_BYTES: Final = 16 * 2**20
"""The largest receipt that is read. A benchmark with thousands of slices stays far below."""
DEEPEST: Final = 16
"""Levels of lists and objects in each other. A receipt has six."""


def canonical(document: dict[str, Any]) -> bytes:
    r"""Encode JSON values by RFC 8785: keys sorted, no white space, shortest numbers, UTF-8.

    Args:
        document: JSON values. Whole numbers must lie within 2^53 - 1, others must be finite.

    Raises:
        ReceiptError: If a value has no such encoding.

    Source:
        RFC 8785, JSON Canonicalization Scheme.

    Example:
        >>> canonical({"b": [1.0, 0.1, 1e-7], "a": "\u00e9"}).decode()
        '{"a":"é","b":[1,0.1,1e-7]}'
    """
    try:
        encoded: bytes = rfc8785.dumps(document)
    except ValueError as error:
        raise ReceiptError(f"the receipt holds a value that cannot be signed: {error}") from None
    return encoded


def read_receipt(path: Path) -> dict[str, Any]:
    """Read a receipt's file.

    Raises:
        ReceiptError: As `parse_receipt`.
        OSError: If it cannot be read.
    """
    with path.open("rb") as stream:
        return parse_receipt(stream.read(LARGEST_BYTES + 1))


def parse_receipt(content: bytes) -> dict[str, Any]:
    """Parse a receipt that may come from anybody.

    Raises:
        ReceiptError: If it is larger than `LARGEST_BYTES`, not UTF-8, not JSON, holds a key twice, a number that JSON
            or a double cannot hold, is nested deeper than `DEEPEST`, or is no object.
    """
    if len(content) > LARGEST_BYTES:
        raise ReceiptError(f"the file is larger than {LARGEST_BYTES:,} bytes; a receipt is far smaller")
    try:
        found = json.loads(
            content.decode("utf-8"), object_pairs_hook=_unrepeated, parse_constant=_refuse, parse_float=_finite
        )
    except ReceiptError:
        raise
    except UnicodeDecodeError as error:
        raise ReceiptError(f"the file is not UTF-8 (byte {error.start + 1:,}); a receipt is JSON") from None
    except RecursionError:
        raise ReceiptError(_TOO_DEEP) from None
    except ValueError as error:
        raise ReceiptError(f"the file is not JSON: {error}") from None
    if not isinstance(found, dict):
        raise ReceiptError("the file holds JSON, but no object; a receipt is one object")
    _check_depth(found, DEEPEST)
    return found


_TOO_DEEP = f"lists or objects are nested deeper than {DEEPEST} levels; a receipt is not"


def _unrepeated(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    entries: dict[str, Any] = {}
    for key, value in pairs:
        if key in entries:
            raise ReceiptError(f"the key {json.dumps(key)} occurs twice in one object, so readers may differ on it")
        entries[key] = value
    return entries


def _refuse(name: str) -> NoReturn:
    raise ReceiptError(f"{name} is no number of JSON")


def _finite(text: str) -> float:
    number = float(text)
    if number in {float("inf"), float("-inf")}:
        raise ReceiptError(f"the number {text[:40]} is larger than a double can hold")
    return number


def _check_depth(value: Any, levels: int) -> None:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    if inner and not levels:
        raise ReceiptError(_TOO_DEEP)
    for entry in inner:
        if isinstance(entry, dict | list):
            _check_depth(entry, levels - 1)
