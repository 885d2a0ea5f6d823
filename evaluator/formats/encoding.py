"""Bytes as text: what is not UTF-8 is told with its place, and what it looks like."""

import numpy as np
import pyarrow as pa

from evaluator.formats.problems import ProblemLog
from evaluator.formats.result_format import Content

BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def decode(content: Content, log: ProblemLog) -> str | None:
    """The text, or None when it is none and that was reported."""
    checked = as_utf8(content, log)
    return None if checked is None else checked.decode("utf-8")


def as_utf8(content: Content, log: ProblemLog) -> Content | None:
    """The same bytes without a byte order mark, or None when they are no text and that was reported.

    Unlike `decode`, it makes no second copy of hundreds of megabytes.
    """
    if content.startswith(BYTE_ORDER_MARK):
        log.report("encoding-bom", "The file starts with the three bytes EF BB BF, which were skipped.")
        content = content[3:]
    if guess := _wide_encoding(content):
        log.report("encoding-not-utf8", f"The file looks like {guess}.", expected="UTF-8")
        return None
    if (position := content.find(0)) >= 0:
        log.report("encoding-not-utf8", f"Byte {position + 1:,} is NUL, which no text file holds.", expected="UTF-8")
        return None
    if not _is_utf8(content):
        _report_first_fault(content, log)
        return None
    return content


def _is_utf8(content: Content) -> bool:
    ends = pa.py_buffer(np.array([0, len(content)], np.int64))
    text = pa.Array.from_buffers(pa.large_string(), 1, [None, ends, pa.py_buffer(content)])
    try:
        text.validate(full=True)
    except pa.ArrowInvalid:
        return False
    return True


def _report_first_fault(content: Content, log: ProblemLog) -> None:
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as error:
        byte = f"{content[error.start]:02X}"
        line = content.count(b"\n", 0, error.start) + 1
        where = f"Byte {error.start + 1:,} ({byte}, line {line:,})"
        log.report("encoding-not-utf8", f"{where} is not UTF-8: {error.reason}.", expected="UTF-8")


def _wide_encoding(content: Content) -> str | None:
    if content.startswith((b"\xff\xfe\x00\x00", b"\x00\x00\xfe\xff")):
        return "UTF-32"
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "UTF-16"
    head = content[:4]
    if len(head) == 4 and head.count(0) == 2 and (head[0] == head[2] == 0 or head[1] == head[3] == 0):
        return "UTF-16 without a byte order mark"
    return "UTF-32 without a byte order mark" if len(head) == 4 and head.count(0) == 3 else None
