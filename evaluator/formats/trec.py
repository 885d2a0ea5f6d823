"""The six columns of TREC runs, ``query Q0 image rank score tag``, for any benchmark.

Columns are separated by one tab, or by blanks of any number. White space within ids, which i-CIR's query ids hold, is
percent-encoded as in addresses, and so is the percent sign.
"""

import re
from urllib.parse import quote, unquote

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray
from pyarrow import csv

from evaluator.formats.encoding import BYTE_ORDER_MARK, as_utf8
from evaluator.formats.limits import MIB, Limits
from evaluator.formats.problems import ProblemLog
from evaluator.formats.ranked_rows import RankedRows, lists_of_rows
from evaluator.formats.result_format import Content, RawColumns, ResultFormat
from evaluator.formats.trec_faults import report_line_faults
from evaluator.public.bundle import Benchmark

EXAMPLE = "00001 Q0 21495ece1faf8f6f8ce68dd53413f0c9 1 0.93 my-method"
COLUMNS = ("query", "Q0", "image", "rank", "score", "tag")
_TEXTS = pa.dictionary(pa.int32(), pa.string())
_QUICK = {"query": _TEXTS, "image": _TEXTS, "rank": pa.int64(), "score": pa.float64()}
_CAREFUL = {"query": _TEXTS, "image": _TEXTS, "rank": pa.string(), "score": pa.string()}
_BLOCK_BYTES = 16 * MIB
_HEAD_BYTES = 16 * 1024
_LINES_LOOKED_AT = 5
_LINE = re.compile(rb"[^\s{\[]\S*[ \t]+(?:[Qq]0[ \t]|\S+[ \t]+\S+[ \t]+\d+[ \t]+-?[\d.]+(?:[eE][-+]?\d+)?[ \t]+\S+$)")
_MIXED = re.compile(rb" \t|\t ")
_LONG = 1 << 31
_UNSAFE = frozenset(" %{[")
"""A brace or bracket in front would make the file look like JSON."""


def looks_like_trec(content: Content) -> bool:
    """Whether one of the first lines has the shape of a TREC run."""
    head = bytes(content[:_HEAD_BYTES]).removeprefix(BYTE_ORDER_MARK)
    return any(_LINE.match(line.strip()) for line in head.splitlines()[:_LINES_LOOKED_AT])


def read(
    content: Content,
    benchmark: Benchmark,  # noqa: ARG001 - one signature for all formats
    result_format: ResultFormat,  # noqa: ARG001 - one signature for all formats
    limits: Limits,  # noqa: ARG001 - one signature for all formats
    log: ProblemLog,
) -> RawColumns | None:
    """Read a TREC run; problems are reported, and None is returned if lines cannot be read."""
    text = as_utf8(content, log)
    if text is None:
        return None
    if b"\r" in text:
        text = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    rows = _read_quickly(text) or _read_carefully(text, log)
    return None if rows is None else lists_of_rows(rows, log)


def encode_id(text: str) -> str:
    """An id as one column of a line holds it.

    Example:
        >>> encode_id("query/img_0.jpg|at 100% zoom")
        'query/img_0.jpg|at%20100%25%20zoom'
    """
    if text.isprintable() and not _UNSAFE.intersection(text):
        return text
    return "".join(quote(letter) if letter in _UNSAFE or not letter.isprintable() else letter for letter in text)


def decode_id(text: str) -> str:
    """The id that a column stands for; what is no encoding stays as it is."""
    try:
        return unquote(text, errors="strict")
    except UnicodeDecodeError:
        return text


def _read_quickly(text: Content) -> RankedRows | None:
    """The rows of a file without faults, in one pass; None if there is any."""
    if b"0x" in text or b"0X" in text:
        # Arrow reads hexadecimal numbers, which no TREC tool writes; in an id they only cost the careful pass.
        return None
    try:
        table = _parse(text, _delimiter(text), _QUICK)
    except pa.ArrowInvalid:
        return None
    ranks, scores = (table.column(name).to_numpy() for name in ("rank", "score"))
    if not np.isfinite(scores).all() or (ranks < 0).any() or (ranks >= _LONG).any():
        return None
    return _rows(table, ranks, scores)


def _read_carefully(text: Content, log: ProblemLog) -> RankedRows | None:
    """The rows of any file, or None after each line that cannot be read was reported."""
    delimiter = _delimiter(text)
    if delimiter == " ":
        text = _single_blanks(text)
    try:
        table = _parse(text, delimiter, _CAREFUL, skip=True)
    except pa.ArrowInvalid:
        log.report("trec-columns", f"A line has more than {_BLOCK_BYTES // MIB} MiB.", expected=EXAMPLE)
        return None
    ranks = _numbers(table.column("rank"), r"^[0-9]{1,9}$", pa.int64())
    scores = _numbers(table.column("score"), r"^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$", pa.float64())
    scores = np.where(np.isfinite(scores), scores, np.nan)
    if report_line_faults(text, delimiter, table, np.isnan(ranks), np.isnan(scores), log):
        return None
    return _rows(table, ranks.astype(np.int64), scores)


def _single_blanks(text: Content) -> Content:
    """The same columns with one blank between them. Unlike a regular expression, this makes no object per column."""
    text = text.replace(b"\t", b" ") if b"\t" in text else text
    for odd, plain in ((b"  ", b" "), (b" \n", b"\n"), (b"\n ", b"\n")):
        while odd in text:
            text = text.replace(odd, plain)
    return text.removeprefix(b" ").removesuffix(b" ")


def _delimiter(text: Content) -> str:
    first = bytes(text[:_HEAD_BYTES]).lstrip(b"\n").partition(b"\n")[0]
    return "\t" if first.count(b"\t") == len(COLUMNS) - 1 and not _MIXED.search(first) else " "


def _parse(text: Content, delimiter: str, types: dict[str, pa.DataType], *, skip: bool = False) -> pa.Table:
    def skip_row(_row: csv.InvalidRow) -> str:
        return "skip"

    return csv.read_csv(
        pa.BufferReader(pa.py_buffer(text)),
        csv.ReadOptions(column_names=COLUMNS, block_size=_BLOCK_BYTES, use_threads=False),
        csv.ParseOptions(
            delimiter=delimiter,
            quote_char=False,
            escape_char=False,
            ignore_empty_lines=True,
            invalid_row_handler=skip_row if skip else None,
        ),
        csv.ConvertOptions(
            column_types=types,
            include_columns=list(types),
            null_values=[],
            strings_can_be_null=False,
            check_utf8=False,
        ),
    )


def _numbers(texts: pa.ChunkedArray, pattern: str, kind: pa.DataType) -> NDArray[np.float64]:
    """(N,) float64, NaN where a text is no number."""
    valid = pc.match_substring_regex(texts, pattern)
    bare = pc.if_else(valid, texts, pa.scalar(None, pa.string()))
    if pc.any(pc.starts_with(bare, "+")).as_py():
        bare = pc.replace_substring(bare, "+", "", max_replacements=1)
    return np.asarray(bare.cast(kind).cast(pa.float64()).to_numpy(), np.float64)


def _rows(table: pa.Table, ranks: NDArray[np.int64], scores: NDArray[np.float64]) -> RankedRows:
    keys, queries = _decoded(table.column("query"))
    texts, images = _decoded(table.column("image"))
    return RankedRows(keys.to_pylist(), queries, texts, images, ranks, scores)


def _decoded(column: pa.ChunkedArray) -> tuple[pa.Array, NDArray[np.int32]]:
    """Different ids, and the one of each row."""
    encoded = column.unify_dictionaries().combine_chunks()
    if isinstance(encoded, pa.ChunkedArray):
        encoded = pa.concat_arrays(encoded.chunks)
    texts, codes = encoded.dictionary, encoded.indices.to_numpy(zero_copy_only=False)
    if not pc.any(pc.match_substring(texts, "%")).as_py():
        return texts, codes
    again = pa.array([decode_id(text) for text in texts.to_pylist()], pa.string()).dictionary_encode()
    return again.dictionary, again.indices.to_numpy(zero_copy_only=False)[codes]
