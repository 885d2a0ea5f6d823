"""Millions of pieces of a file's bytes as numbers of the few that differ."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from evaluator.public.blocks import for_each_block

Positions = NDArray[np.int32]

BLOCK: Final = 1 << 19
"""Pieces that are copied at once."""
_COMMA_WIDTH: Final = 4
"""Of a comma and a blank between two quotes."""

MOST_WIDTH: Final = 4096
"""Longer texts are no ids."""


@dataclass(frozen=True)
class Encoded:
    """Texts as numbers.

    Attributes:
        codes: (N,) int32 positions in ``texts``.
        texts: (U,) the different texts.
    """

    codes: NDArray[np.int32]
    texts: pa.Array


def encode(content: bytes | bytearray, starts: Positions, ends: Positions, skipped: int = 0) -> Encoded | None:
    """Encode the pieces of some bytes.

    Args:
        content: Of at most 2**31 - 1 bytes.
        starts: (N,) int32, N >= 1, where each piece begins.
        ends: (N,) int32, where it ends.
        skipped: Bytes at the beginning of each piece that do not belong to its text.

    Returns:
        The pieces as texts, or None if one is not UTF-8 or is far longer than an id.

    Example:
        >>> encode(b"one two one", np.array([0, 4, 8], np.int32), np.array([3, 7, 11], np.int32)).codes
        array([0, 1, 0], dtype=int32)
    """
    if int((ends - starts).max()) > MOST_WIDTH:
        return None
    codes = np.empty(len(starts), np.int32)
    texts: dict[int, pa.Array] = {}

    def encode_block(block: slice) -> None:
        part = encode_block_of(content, starts[block] + np.int32(skipped), ends[block])
        codes[block] = part.codes
        texts[block.start] = part.texts

    for_each_block(encode_block, len(starts), BLOCK)
    return join_blocks(codes, [texts[start] for start in sorted(texts)])


def join_blocks(codes: NDArray[np.int32], texts: list[pa.Array]) -> Encoded | None:
    """One encoding of several blocks, whose texts overlap; the codes are changed in place."""
    try:
        strings = [own.cast(pa.string()) for own in texts]
    except pa.ArrowInvalid:
        return None
    encoded = pa.chunked_array(strings, pa.string()).dictionary_encode()
    if any(not own.dictionary.equals(encoded.chunk(0).dictionary) for own in encoded.chunks):
        encoded = encoded.unify_dictionaries()
    for place, own in enumerate(encoded.chunks):
        block = slice(place * BLOCK, (place + 1) * BLOCK)
        codes[block] = own.indices.to_numpy(zero_copy_only=False)[codes[block]]
    return Encoded(codes, encoded.chunk(0).dictionary)


def encode_block_of(content: bytes | bytearray, starts: Positions, ends: Positions) -> Encoded:
    """Encode some pieces as they stand, as bytes: width by width, so that hashing need not look for their ends.

    Args:
        content: Of at most 2**31 - 1 bytes.
        starts: (N,) int32, N >= 1.
        ends: (N,) int32.
    """
    codes, texts, base = np.empty(len(starts), np.int32), [], 0
    for width, rows in _by_width(ends - starts):
        places, different = _distinct(windows(content, width)[starts[rows]], width)
        codes[rows] = places + np.int32(base)
        texts.append(different.cast(pa.binary()))
        base += len(different)
    return Encoded(codes, pa.concat_arrays(texts))


def _distinct(pieces: NDArray[np.void], width: int) -> tuple[NDArray[np.int32], pa.Array]:
    """(N,) the place of each piece among the different ones. What stands between ids is mostly one and the same."""
    if width == _COMMA_WIDTH and (pieces.view(np.uint32) == pieces.view(np.uint32)[0]).all():
        return np.zeros(len(pieces), np.int32), as_arrow(pieces[:1], width)
    encoded = as_arrow(pieces, width).dictionary_encode()
    return encoded.indices.to_numpy(zero_copy_only=False), encoded.dictionary


def _by_width(widths: Positions) -> Iterator[tuple[int, NDArray[np.int64] | slice]]:
    sizes = np.bincount(widths)
    found = np.flatnonzero(sizes)
    if len(found) == 1:
        yield int(found[0]), slice(None)
        return
    # A stable sort of two-byte numbers counts instead of comparing.
    order = np.argsort(widths.astype(np.uint16), kind="stable")
    stops = np.cumsum(sizes[found])
    for width, stop, size in zip(found.tolist(), stops.tolist(), sizes[found].tolist(), strict=True):
        yield width, order[stop - size : stop]


def windows(content: bytes | bytearray, width: int) -> NDArray[np.void]:
    """(n - width + 1,) the bytes from each place on, without a copy."""
    return np.ndarray((len(content) - width + 1,), np.dtype(f"V{width}"), content, strides=(1,))


def as_arrow(pieces: NDArray[np.void], width: int) -> pa.Array:
    """Pieces of one width as Arrow's binary of fixed width."""
    if width == 0:
        return pa.array([b""] * len(pieces), pa.binary())
    return pa.FixedSizeBinaryArray.from_buffers(pa.binary(width), len(pieces), [None, pa.py_buffer(pieces)])
