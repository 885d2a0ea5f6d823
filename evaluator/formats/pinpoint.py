"""PinPoint's result file: ``{"00001": {"retrieved_items": ["21495ece…", ...]}}``, image ids as texts."""

from collections.abc import Sequence
from typing import Any

from evaluator.formats.json_columns import read_columns
from evaluator.formats.json_objects import read_object
from evaluator.formats.json_values import RepeatedKeys
from evaluator.formats.problems import ProblemLog
from evaluator.formats.result_format import Content, RawColumns, RawLists, ResultFormat, undisguised
from evaluator.formats.wording import named, shown
from evaluator.public.bundle import Benchmark

KEY = "retrieved_items"
EXAMPLE = '{"00001": {"retrieved_items": ["21495ece1faf8f6f8ce68dd53413f0c9", ...]}, ...}'


def read(contents: Sequence[Content], benchmark: Benchmark, log: ProblemLog) -> RawLists | RawColumns | None:  # noqa: ARG001 - one signature for all formats
    """Read the lists of a PinPoint result file; problems are reported, and None is returned if there are no lists."""
    columns = read_columns(contents[0], KEY)
    return columns or read_object(contents[0], log, family="PinPoint", example=EXAMPLE, read_entry=_read_entry)


def bare_id(text: str) -> str:
    """A signature in any disguise, as PinPoint writes it.

    Example:
        >>> bare_id(" 21495ECE1FAF8F6F8CE68DD53413F0C9.jpg")
        '21495ece1faf8f6f8ce68dd53413f0c9'
    """
    return undisguised(text).lower()


def official_id(text: str) -> str:
    """The official evaluator compares texts as they are."""
    return text


def _read_entry(key: str, entry: Any, log: ProblemLog) -> list[Any] | None:
    expected = f'"{key}": {{"{KEY}": [...]}}'
    if isinstance(entry, list):
        log.report("list-unwrapped", f"Query {key} has a bare list.", query=key, expected=expected)
        return entry
    if not isinstance(entry, dict):
        code, what = ("list-null", "null") if entry is None else ("list-wrong-type", named(entry))
        message = f"Query {key} has {what} instead of an object with a list."
        log.report(code, message, query=key, value=shown(entry), expected=expected)
        return None
    _check_keys(key, entry, log)
    if KEY not in entry:
        message = f"The object of query {key} has no key {KEY}."
        log.report("list-key-missing", message, query=key, value=shown(entry), expected=expected)
        return [] if "list-key-missing" in log.forgiven else None
    return _read_list(key, entry[KEY], log, expected)


def _check_keys(key: str, entry: dict[str, Any], log: ProblemLog) -> None:
    if isinstance(entry, RepeatedKeys):
        for name in entry.repeated:
            log.report(
                "json-key-repeated", f"In query {key}, the key {name} occurs more than once.", query=key, value=name
            )
    for name in entry:
        if name != KEY:
            log.report("list-key-unknown", f"In query {key}, the key {name} is ignored.", query=key, value=name)


def _read_list(key: str, ranked: Any, log: ProblemLog, expected: str) -> list[Any] | None:
    if isinstance(ranked, list):
        return ranked
    if ranked is None:
        log.report("list-null", f"The list of query {key} is null.", query=key, value="null", expected=expected)
        return None
    log.report(
        "list-wrong-type",
        f"Query {key} has {named(ranked)} instead of a list.",
        query=key,
        value=shown(ranked),
        expected=expected,
    )
    return None


FORMAT = ResultFormat(
    name="pinpoint",
    family="PinPoint",
    example=EXAMPLE,
    ids_are_numbers=False,
    read=read,
    official_id=official_id,
    bare_id=bare_id,
    reference_note="It is judged like any other image, often as a hard negative.",
)
