"""The result file of an organiser's own benchmark: ``{"q1": ["img1", ...], "q2": [...]}``, all ids as texts."""

from collections.abc import Sequence
from typing import Any

from evaluator.formats.json_columns import read_columns
from evaluator.formats.json_objects import read_object
from evaluator.formats.problems import ProblemLog
from evaluator.formats.result_format import Content, RawColumns, RawLists, ResultFormat
from evaluator.formats.wording import named, shown
from evaluator.public.bundle import Benchmark

EXAMPLE = '{"q1": ["img1", "img2", ...], "q2": [...], ...}'
WRAPPER = "retrieved_items"
"""The key under which PinPoint's files keep a query's list."""


def read(contents: Sequence[Content], benchmark: Benchmark, log: ProblemLog) -> RawLists | RawColumns | None:  # noqa: ARG001 - one signature for all formats
    """Read the lists of a file; problems are reported, and None is returned if there are no lists."""
    columns = read_columns(contents[0])
    return columns or read_object(contents[0], log, family="lists", example=EXAMPLE, read_entry=read_entry)


def bare_id(text: str) -> str:
    """The id without white space around it: folders and endings may be part of an organiser's ids.

    Example:
        >>> bare_id(" shoes/0001.jpg")
        'shoes/0001.jpg'
    """
    return text.strip()


def official_id(text: str) -> str:
    """Ids are compared as they are."""
    return text


def read_entry(key: str, entry: Any, log: ProblemLog) -> list[Any] | None:
    """The list of one query, or None when what is wrong was reported."""
    if isinstance(entry, list):
        return entry
    expected = f'"{key}": ["img1", ...]'
    if entry is None:
        log.report("list-null", f"The list of query {key} is null.", query=key, value="null", expected=expected)
        return None
    if isinstance(entry, dict) and isinstance(entry.get(WRAPPER), list):
        message = f"The list of query {key} lies inside an object, under {WRAPPER}."
        log.report("list-wrapped", message, query=key, expected=expected)
        inner: list[Any] = entry[WRAPPER]
        return inner
    message = f"Query {key} has {named(entry)} instead of a list."
    log.report("list-wrong-type", message, query=key, value=shown(entry), expected=expected)
    return None


FORMAT = ResultFormat(
    name="lists",
    family="lists",
    example=EXAMPLE,
    ids_are_numbers=False,
    read=read,
    official_id=official_id,
    bare_id=bare_id,
    reference_note="It is judged like any other image.",
)
