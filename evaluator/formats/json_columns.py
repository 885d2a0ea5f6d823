"""JSON results of texts read in columns, without a Python object per id.

Whether a file is exactly an object of lists of plain texts is proved by its quotes alone: without a backslash, they part
the bytes into texts and what stands between them, and of the latter a file has a handful of kinds. Any other file is left
to the careful reader, which explains what is wrong.
"""

from dataclasses import replace
from typing import Final

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from evaluator.formats.entries import offsets_of
from evaluator.formats.json_regular import read_regular
from evaluator.formats.result_format import Content, RawColumns
from evaluator.formats.shapes import SAMPLE, look_at
from evaluator.formats.spans import BLOCK, MOST_WIDTH, Encoded, Positions, encode, encode_block_of
from evaluator.public.blocks import for_each_block

Ints = NDArray[np.int64]

_BLOCK_BYTES: Final = 1 << 20
_MOST_BYTES: Final = (1 << 31) - 1
"""Positions are int32; longer files pass no limit anyway."""

_QUOTE: Final = ord('"')
_BLANKS: Final = b" \t\n\r"
_MOST_GAPS: Final = 100
"""More kinds of gaps mean that the layout is not one that a program wrote."""

NEXT, START, OPEN_OBJECT, OPEN_LIST, CLOSE, END, OTHER = range(7)
_LISTS: Final = {b'{"': START, b'","': NEXT, b'":["': OPEN_LIST, b'"],"': CLOSE, b'"]}': END}
_LISTS_IN_OBJECTS: Final = {
    b'{"': START,
    b'","': NEXT,
    b'":{"': OPEN_OBJECT,
    b'":["': OPEN_LIST,
    b'"]},"': CLOSE,
    b'"]}}': END,
}


def read_columns(content: Content, inner_key: str | None = None) -> RawColumns | None:
    """Read an object of lists of texts.

    Args:
        content: The file's bytes.
        inner_key: Key under which each list stands in an object of its own, as in ``{"q": {"retrieved_items": [...]}}``;
            None where the list itself is the value.

    Returns:
        The lists, or None if the file is not exactly that: then nothing is said about it here.
    """
    if not content.startswith(b"{") or b"\\" in content or len(content) > _MOST_BYTES:
        return None
    columns = read_regular(content, inner_key) or _read_by_quotes(content, inner_key)
    if columns is None:
        return None
    return replace(columns, look=look_at(_sample(columns, is_wrapped=inner_key is not None)))


def _read_by_quotes(content: Content, inner_key: str | None) -> RawColumns | None:
    quotes = _quotes(content)
    if len(quotes) == 0 or len(quotes) % 2:
        return None
    kinds = _kinds_of_gaps(content, quotes, _LISTS if inner_key is None else _LISTS_IN_OBJECTS)
    period = 2 if inner_key is None else 3
    marks = np.flatnonzero(kinds != NEXT)
    if not _is_regular(kinds[marks], marks, period):
        return None
    strings = encode(content, quotes[::2], quotes[1::2], skipped=1)
    if strings is None or _has_controls(strings.texts):
        return None
    if inner_key is not None and not _all_named(strings, marks[1:-1:period], inner_key):
        return None
    return _columns(strings, marks, period)


def _quotes(content: Content) -> Positions:
    """(2 S,) where the quotes stand."""
    numbers = np.frombuffer(content, np.uint8)
    parts: dict[int, Positions] = {}

    def find(block: slice) -> None:
        parts[block.start] = (np.flatnonzero(numbers[block] == _QUOTE) + block.start).astype(np.int32)

    for_each_block(find, len(numbers), _BLOCK_BYTES)
    return np.concatenate([parts[start] for start in sorted(parts)])


def _kinds_of_gaps(content: Content, quotes: Positions, known: dict[bytes, int]) -> NDArray[np.int8]:
    """(S + 1,) what stands before, between and after the texts. Quotes belong to the gaps."""
    n_gaps = len(quotes) // 2 + 1
    kinds = np.full(n_gaps, OTHER, np.int8)

    def look(block: slice) -> None:
        begin, stop = block.start, block.stop
        starts = quotes[abs(2 * begin - 1) : 2 * stop - 2 : 2]
        ends = quotes[2 * begin : 2 * stop - 1 : 2] + np.int32(1)
        starts = np.append(np.int32(0), starts) if begin == 0 else starts
        ends = np.append(ends, np.int32(len(content))) if stop == n_gaps else ends
        if int((ends - starts).max()) > MOST_WIDTH:
            return
        gaps = encode_block_of(content, starts, ends)
        written = (gap.translate(None, _BLANKS) for gap in gaps.texts[:_MOST_GAPS].to_pylist())
        kind_of_text = np.full(len(gaps.texts), OTHER, np.int8)
        kind_of_text[:_MOST_GAPS] = [known.get(gap, OTHER) for gap in written]
        kinds[block] = kind_of_text[gaps.codes]

    for_each_block(look, n_gaps, BLOCK)
    return kinds


def _is_regular(kinds: NDArray[np.int8], marks: Ints, period: int) -> bool:
    """Whether the gaps that are no commas follow each other as one query after the other, a single text in each key."""
    if len(kinds) < period + 1 or (len(kinds) - 1) % period or marks[0] != 0:
        return False
    opening = [OPEN_LIST] if period == 2 else [OPEN_OBJECT, OPEN_LIST]
    body = kinds[:-1].reshape(-1, period)
    is_start = body[:, 0] == np.where(np.arange(len(body)) == 0, START, CLOSE)
    are_keys = np.diff(marks[:-1].reshape(-1, period), axis=1) == 1
    return bool(is_start.all() and (body[:, 1:] == opening).all() and are_keys.all() and kinds[-1] == END)


def _all_named(strings: Encoded, places: Ints, inner_key: str) -> bool:
    names = strings.codes[places]
    return bool((names == names[0]).all() and strings.texts[int(names[0])].as_py() == inner_key)


def _columns(strings: Encoded, marks: Ints, period: int) -> RawColumns | None:
    starts, ends = marks[period - 1 : -1 : period], marks[period::period]
    keys: list[str] = strings.texts.take(pa.array(strings.codes[marks[:-1:period]])).to_pylist()
    if len(set(keys)) < len(keys):
        return None
    # The texts of a list follow each other; what stands between two lists are the texts of keys.
    is_entry = np.ones(len(strings.codes), np.bool_)
    for place in range(period - 1):
        is_entry[marks[place:-1:period]] = False
    codes = strings.codes[is_entry]
    is_used = np.zeros(len(strings.texts), np.bool_)
    is_used[codes] = True
    new_place = np.cumsum(is_used, dtype=np.int32) - np.int32(1)
    offsets, texts = offsets_of(ends - starts), strings.texts.filter(pa.array(is_used))
    return RawColumns(keys, offsets, new_place[codes], texts)


def _has_controls(texts: pa.Array) -> bool:
    """Whether a text holds a control character, which JSON does not allow unescaped."""
    _, offsets, content = texts.buffers()
    if content is None or len(texts) == 0:
        return False
    first, last = np.frombuffer(offsets, np.int32)[[texts.offset, texts.offset + len(texts)]].tolist()
    return bool((np.frombuffer(content, np.uint8)[first:last] < 0x20).any())


def _sample(columns: RawColumns, *, is_wrapped: bool) -> dict[str, object]:
    """The first queries as the careful reader would have them, to tell whose format it is."""
    sample: dict[str, object] = {}
    for row, key in enumerate(columns.keys[:SAMPLE]):
        codes = columns.codes[columns.offsets[row] : columns.offsets[row + 1]][:SAMPLE]
        ranked = columns.texts.take(pa.array(codes)).to_pylist()
        sample[key] = {"retrieved_items": ranked} if is_wrapped else ranked
    return sample
