"""JSON lines for any benchmark: ``{"query_id": "0", "ranking": ["355099", ...]}``, one query per line."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa

from evaluator.formats.encoding import BYTE_ORDER_MARK, as_utf8
from evaluator.formats.entries import offsets_of
from evaluator.formats.json_values import RepeatedKeys, parse_json
from evaluator.formats.limits import Limits
from evaluator.formats.problems import ProblemLog
from evaluator.formats.result_format import Content, RawColumns, RawLists, ResultFormat
from evaluator.formats.wording import named, shown
from evaluator.public.bundle import Benchmark

QUERY, RANKING = "query_id", "ranking"
EXAMPLE = '{"query_id": "00001", "ranking": ["21495ece1faf8f6f8ce68dd53413f0c9", ...]}'
_HEAD_BYTES = 64 * 1024
_FIRST = re.compile(rb'\s*\{[^\n]{0,400}?"(?:query_id|ranking)"\s*:')
_SEVERAL = re.compile(rb'\s*\{[^\n]*"query_id"\s*:[^\n]*\}\s*\n\s*\{')
_FLUSH_ENTRIES = 1 << 18


def looks_like_json_lines(content: Content) -> bool:
    """Whether the file begins with an object of a query and its ranking, or holds such objects line by line."""
    head = bytes(content[:_HEAD_BYTES]).removeprefix(BYTE_ORDER_MARK)
    return bool(_FIRST.match(head) or _SEVERAL.match(head))


def read(
    content: Content,
    benchmark: Benchmark,  # noqa: ARG001 - one signature for all formats
    result_format: ResultFormat,
    limits: Limits,  # noqa: ARG001 - one signature for all formats
    log: ProblemLog,
) -> RawLists | RawColumns | None:
    """Read JSON lines; problems are reported, and None is returned if there are no lists."""
    text = as_utf8(content, log)
    if text is None:
        return None
    columns = _read_columns(text, numbers=result_format.ids_are_numbers)
    return _read_lists(text, log) if columns is None else columns


@dataclass(slots=True)
class _Columns:
    """Lists put into columns as they come, so that Python objects live no longer than a few lines."""

    numbers: bool
    keys: dict[str, None] = field(default_factory=dict)
    lengths: list[int] = field(default_factory=list)
    waiting: list[str] = field(default_factory=list)
    chunks: list[pa.Array] = field(default_factory=list)

    def add(self, value: Any) -> bool:
        """Take one line's value; False if anything about it has to be looked at with care."""
        if type(value) is not dict or value.keys() != {QUERY, RANKING}:
            return False
        key, ranking = value[QUERY], value[RANKING]
        if type(key) is not str or type(ranking) is not list or key in self.keys:
            return False
        kinds = set(map(type, ranking))
        if kinds == {int} and self.numbers:
            ranking = list(map(str, ranking))
        elif not kinds <= {str}:
            return False
        self.keys[key] = None
        self.lengths.append(len(ranking))
        self.waiting += ranking
        if len(self.waiting) >= _FLUSH_ENTRIES:
            self.flush()
        return True

    def flush(self) -> None:
        """Turn what waits into a column; raises UnicodeEncodeError on half a surrogate pair."""
        self.chunks.append(pa.array(self.waiting, pa.string()).dictionary_encode())
        self.waiting = []

    def finish(self) -> RawColumns:
        """All lists."""
        self.flush()
        encoded = pa.chunked_array(self.chunks).unify_dictionaries()
        codes = np.concatenate([chunk.indices.to_numpy(zero_copy_only=False) for chunk in encoded.chunks])
        texts = encoded.chunk(encoded.num_chunks - 1).dictionary
        return RawColumns(list(self.keys), offsets_of(self.lengths), codes.astype(np.int32, copy=False), texts)


def _read_columns(text: Content, *, numbers: bool) -> RawColumns | None:
    """The lists of a file without faults; None if any line has one."""
    columns = _Columns(numbers)
    try:
        for _, line in _lines(text):
            if not columns.add(json.loads(line, object_pairs_hook=_without_repeats)):
                return None
        return columns.finish()
    except (ValueError, RecursionError):
        # What JSON does not know, half surrogates and repeated keys are all told by the careful reader.
        return None


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) != len(pairs):
        raise ValueError("a key is repeated")
    return values


def _read_lists(text: Content, log: ProblemLog) -> RawLists | None:
    found: dict[str, list[Any] | None] = {}
    for number, line in _lines(text):
        value = _parse(number, line, log)
        if not isinstance(value, dict) or QUERY not in value or RANKING not in value:
            if value is not _UNREAD:
                _report_shape(number, value, log)
            continue
        if isinstance(value, RepeatedKeys):
            for name in value.repeated:
                log.report("json-key-repeated", f"Line {number:,} holds the key {name} more than once.", value=name)
        key = _key(number, value[QUERY], log)
        if key is None:
            continue
        if key in found:
            log.report("json-key-repeated", f"Line {number:,} holds query {key} again.", query=key)
        found[key] = _ranking(number, key, value[RANKING], log)
    return RawLists(list(found), list(found.values())) if found else None


_UNREAD = object()


def _parse(number: int, line: bytes, log: ProblemLog) -> Any:
    of_line = ProblemLog()
    parsed, value = parse_json(line.decode("utf-8"), of_line)
    if parsed:
        return value
    for problem in of_line:
        where = problem.message.removeprefix("Line 1, ")
        log.report(problem.code, f"Line {number:,}: {where}", value=problem.value, hint=problem.hint)
    return _UNREAD


def _report_shape(number: int, value: Any, log: ProblemLog) -> None:
    what = f"has no {RANKING if QUERY in value else QUERY}" if isinstance(value, dict) else f"holds {named(value)}"
    log.report("json-line-wrong", f"Line {number:,} {what}.", value=shown(value), expected=EXAMPLE)


def _key(number: int, key: Any, log: ProblemLog) -> str | None:
    if isinstance(key, str):
        return key
    if isinstance(key, int) and not isinstance(key, bool):
        return str(key)
    message = f"Line {number:,}: the {QUERY} is {named(key)}."
    log.report("json-line-wrong", message, value=shown(key), expected=f"a text, as in {EXAMPLE}")
    return None


def _ranking(number: int, key: str, ranking: Any, log: ProblemLog) -> list[Any] | None:
    if isinstance(ranking, list):
        return ranking
    code = "list-null" if ranking is None else "list-wrong-type"
    message = f"Line {number:,}: the ranking of query {key} is {named(ranking)} instead of a list."
    log.report(code, message, query=key, value=shown(ranking), expected="image ids in square brackets, best first")
    return None


def _lines(text: Content) -> Iterator[tuple[int, bytes]]:
    """Lines that are not blank, with their numbers, one at a time."""
    start, number = 0, 1
    while start < len(text):
        end = text.find(b"\n", start)
        end = len(text) if end < 0 else end
        line = bytes(text[start:end]).strip()
        if line:
            yield number, line
        start, number = end + 1, number + 1
