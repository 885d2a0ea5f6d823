"""What the JSON formats share: a file is one object, query id -> entry, or one list."""

from collections.abc import Callable
from typing import Any

from evaluator.formats.json_values import RepeatedKeys, read_json
from evaluator.formats.problems import ProblemLog
from evaluator.formats.result_format import Content, RawLists
from evaluator.formats.shapes import Look, look_at, look_at_bytes
from evaluator.formats.wording import named

ReadEntry = Callable[[str, Any, ProblemLog], list[Any] | None]
"""(query id, its JSON value, log) -> its list, or None when that was reported."""


def read_object(
    content: Content, log: ProblemLog, *, family: str, example: str, read_entry: ReadEntry
) -> RawLists | None:
    """Parse an object of queries and read the list of each.

    Returns:
        The lists, or None when an error that ends the check was reported.
    """
    value = parse_object(content, log, family=family, example=example)
    if value is None:
        return None
    return RawLists(list(value), [read_entry(key, entry, log) for key, entry in value.items()], look_at(value))


def look_at_file(content: Content) -> Look | None:
    """What a whole JSON file looks like, or None; nothing is reported."""
    return look_at(read_json(content, ProblemLog())[1])


def parse_object(content: Content, log: ProblemLog, *, family: str, example: str) -> dict[str, Any] | None:
    """Parse a file that holds one object; None when it holds something else and that was reported."""
    parsed, value = _parse(content, log, example)
    if not parsed:
        return None
    if not isinstance(value, dict):
        _report_shape(value, log, family=family, example=example)
        return None
    if isinstance(value, RepeatedKeys):
        for key in value.repeated:
            log.report("json-key-repeated", f"The key {key} occurs more than once.", query=key)
    return value


def parse_list(content: Content, log: ProblemLog, *, family: str, example: str) -> list[Any] | None:
    """Parse a file that holds one list; None when it holds something else and that was reported."""
    parsed, value = _parse(content, log, example)
    if not parsed:
        return None
    look = look_at(value)
    is_foreign = look is not None and look.family not in {"", family}
    if isinstance(value, list) and not is_foreign:
        return value
    if is_foreign and look is not None:
        log.report("benchmark-wrong", f"This looks like {look.words}.", expected=f"a list such as {example}")
    else:
        message = f"The file holds {named(value)}, where a list with one entry per query is expected."
        log.report("format-wrong", message, expected=f"a list such as {example}")
    return None


def _parse(content: Content, log: ProblemLog, example: str) -> tuple[bool, Any]:
    parsed, value = read_json(content, log)
    if not parsed:
        _explain_foreign_bytes(content, log, example)
    return parsed, value


def _explain_foreign_bytes(content: Content, log: ProblemLog, example: str) -> None:
    words = look_at_bytes(content)
    if words is None:
        return
    log.start_over()
    log.report("format-wrong", f"This looks like {words}.", expected=f"JSON such as {example}")


def _report_shape(value: Any, log: ProblemLog, *, family: str, example: str) -> None:
    look = look_at(value)
    if look and look.family not in {"", family}:
        log.report("benchmark-wrong", f"This looks like {look.words}.", expected=f"an object such as {example}")
        return
    words = look.words if look else named(value)
    hint = ""
    if look:
        hint = "If list i belongs to query i, write an object with the query id as the key of each list."
    log.report(
        "format-wrong",
        f"The file holds {words}, where an object with one list per query is expected.",
        expected=f"an object such as {example}",
        hint=hint,
    )
