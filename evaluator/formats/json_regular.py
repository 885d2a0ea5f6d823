"""JSON lists whose ids all have one length, read by arithmetic: where the first id stands says where all others do.

What lies between brackets must be exactly so many ids with one and the same text between them. The bytes of each entry,
from its quote to the next, are hashed as one piece, and of the different pieces, a few, every byte is looked at.
"""

import re
from dataclasses import dataclass
from typing import Final

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from evaluator.formats.entries import offsets_of
from evaluator.formats.result_format import Content, RawColumns
from evaluator.formats.spans import BLOCK, MOST_WIDTH, as_arrow, join_blocks, windows
from evaluator.public.blocks import for_each_block

_QUOTE, _BACKSLASH, _CLOSING, _FIRST_PRINTABLE = b'"'[0], b"\\"[0], b"]"[0], 0x20
_FIRST_ENTRY: Final = re.compile(rb'"([^"]*)"(?:([ \t\r\n]*,[ \t\r\n]*)")?')
_BLANK: Final = rb"[ \t\r\n]*"
_KEY: Final = rb'"([^"\\\x00-\x1f]*)"' + _BLANK + b":" + _BLANK


@dataclass(frozen=True)
class _Layout:
    """How every entry is written.

    Attributes:
        width: Bytes of an id.
        between: What stands between an id's closing quote and the next opening one.
    """

    width: int
    between: bytes

    @property
    def stride(self) -> int:
        """Bytes from one opening quote to the next."""
        return self.width + 2 + len(self.between)


def read_regular(content: Content, inner_key: str | None = None) -> RawColumns | None:
    """Read an object of lists of texts of one length.

    Args:
        content: The file's bytes, at most 2**31 - 1 and without a backslash.
        inner_key: Key under which each list stands in an object of its own; None where the list itself is the value.

    Returns:
        The lists, without a look; or None if the file is not exactly that.
    """
    opens, closes = _brackets(content)
    layout = _layout(content, opens, closes)
    if layout is None:
        return None
    sizes, rest = np.divmod(closes - opens - 1 + len(layout.between), layout.stride)
    last_end = int(closes[-1]) - layout.width - 2 + layout.stride
    if rest.any() or (sizes < 1).any() or last_end > len(content):
        return None
    keys = _keys(content, opens, closes, inner_key)
    if keys is None:
        return None
    return _columns(content, keys, opens, sizes, layout)


def _brackets(content: Content) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where each list opens and closes. A bracket within a text makes lengths that do not fit."""
    opens, closes = [], []
    place = content.find(b"[")
    while place >= 0:
        end = content.find(b"]", place)
        if end < 0:
            break
        opens.append(place)
        closes.append(end)
        place = content.find(b"[", end)
    return np.array(opens, np.int64), np.array(closes, np.int64)


def _layout(content: Content, opens: NDArray[np.int64], closes: NDArray[np.int64]) -> _Layout | None:
    """The layout of the longest list's first entry."""
    if len(opens) == 0:
        return None
    longest = int(np.argmax(closes - opens))
    first = _FIRST_ENTRY.match(content, int(opens[longest]) + 1, int(closes[longest]) + 1)
    if first is None or not 0 < len(first[1]) <= MOST_WIDTH:
        return None
    return _Layout(len(first[1]), bytes(first[2] or b", "))


def _keys(
    content: Content, opens: NDArray[np.int64], closes: NDArray[np.int64], inner_key: str | None
) -> list[str] | None:
    """The key of each list, if what stands between the lists is exactly what JSON wants there."""
    inner = (
        rb"\[" if inner_key is None else rb'\{%b"%b"%b:%b\[' % (_BLANK, re.escape(inner_key.encode()), _BLANK, _BLANK)
    )
    end = rb"\]" if inner_key is None else rb"\]%b\}" % _BLANK
    first = re.compile(rb"\{%b" % _BLANK + _KEY + inner)
    later = re.compile(end + rb"%b,%b" % (_BLANK, _BLANK) + _KEY + inner)
    if not re.compile(end + rb"%b\}%b" % (_BLANK, _BLANK)).fullmatch(content, int(closes[-1])):
        return None
    found = [first.fullmatch(content, 0, int(opens[0]) + 1)]
    pairs = zip(closes[:-1].tolist(), (opens[1:] + 1).tolist(), strict=True)
    found += [later.fullmatch(content, close, end) for close, end in pairs]
    try:
        keys = [match[1].decode() for match in found if match]
    except UnicodeDecodeError:
        return None
    return keys if len(keys) == len(opens) == len(set(keys)) else None


def _columns(
    content: Content, keys: list[str], opens: NDArray[np.int64], sizes: NDArray[np.int64], layout: _Layout
) -> RawColumns | None:
    offsets = offsets_of(sizes)
    # An entry stands so many strides behind the first of its list.
    base = np.repeat((opens + 1 - layout.stride * offsets[:-1]).astype(np.int32), sizes)
    codes = np.empty(len(base), np.int32)
    texts: dict[int, pa.Array | None] = {}
    pieces = windows(content, layout.stride)

    def encode_block(block: slice) -> None:
        entries = np.arange(block.start, block.stop, dtype=np.int32)
        encoded = as_arrow(pieces[base[block] + entries * np.int32(layout.stride)], layout.stride).dictionary_encode()
        codes[block] = encoded.indices.to_numpy(zero_copy_only=False)
        texts[block.start] = _ids(encoded.dictionary, layout)

    for_each_block(encode_block, len(base), BLOCK)
    each = [texts[start] for start in sorted(texts)]
    joined = None if any(part is None for part in each) else join_blocks(codes, each)
    return None if joined is None else RawColumns(keys, offsets, joined.codes, joined.texts)


def _ids(pieces: pa.Array, layout: _Layout) -> pa.Array | None:
    """The ids in some different pieces, if every byte of each is where it should be."""
    _, content = pieces.buffers()
    table = np.frombuffer(content, np.uint8)[: len(pieces) * layout.stride].reshape(-1, layout.stride)
    ids, end = table[:, 1 : layout.width + 1], layout.width + 2
    # The piece of a list's last entry reaches beyond the closing bracket, and no other holds one there.
    is_last = table[:, end] == _CLOSING if len(layout.between) else np.ones(len(table), np.bool_)
    goes_on = (table[:, end:] == np.frombuffer(layout.between, np.uint8)).all(axis=1)
    is_text = ((ids >= _FIRST_PRINTABLE) & (ids != _QUOTE) & (ids != _BACKSLASH)).all(axis=1)
    is_quoted = (table[:, 0] == _QUOTE) & (table[:, layout.width + 1] == _QUOTE)
    if not (is_text & is_quoted & (is_last | goes_on)).all():
        return None
    # Two pieces may hold one id; joining the blocks finds it.
    packed = np.ascontiguousarray(ids).reshape(-1).view(f"V{layout.width}")
    return as_arrow(packed, layout.width).cast(pa.binary())
