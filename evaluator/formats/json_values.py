"""Second step of a check for JSON formats: bytes to values, with nothing silently lost or made up."""

import json
from dataclasses import dataclass
from typing import Any

from evaluator.formats.encoding import decode
from evaluator.formats.problems import ProblemLog
from evaluator.formats.wording import cut, shown

MANY_DIGITS = 400
"""Integers with more digits stay text; converting them would take time that grows with their square."""


class RepeatedKeys(dict[str, Any]):
    """An object in which keys occur more than once; the last value of each is kept."""

    repeated: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OddNumber:
    """A number that JSON or Python cannot hold as one: NaN, Infinity, or hundreds of digits."""

    text: str

    def __str__(self) -> str:
        return self.text


def read_json(content: bytes | bytearray, log: ProblemLog) -> tuple[bool, Any]:
    """Parse strictly.

    Returns:
        Whether it could be parsed, and the value. Objects with repeated keys are `RepeatedKeys`, NaN and Infinity
        are `OddNumber`.
    """
    text = decode(content, log)
    return (False, None) if text is None else parse_json(text, log)


def parse_json(text: str, log: ProblemLog) -> tuple[bool, Any]:
    """The same for what is text already."""
    if not text.strip():
        log.report("file-empty", "The file holds nothing but white space.")
        return False, None
    try:
        return True, _parse(text)
    except RecursionError:
        log.report("json-too-deep", "Lists or objects are nested hundreds of levels deep.")
    except json.JSONDecodeError as error:
        _report_invalid(text, error, log)
    return False, None


def _parse(text: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_pairs, parse_constant=OddNumber)
    except json.JSONDecodeError:
        raise
    except ValueError:
        # Python refuses integers of thousands of digits; they are kept as text only then, for the hook costs time.
        return json.loads(text, object_pairs_hook=_pairs, parse_constant=OddNumber, parse_int=_integer)


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    entries = dict(pairs)
    if len(entries) == len(pairs):
        return entries
    repeated = RepeatedKeys(pairs)
    seen: set[str] = set()
    repeated.repeated = tuple(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
    return repeated


def _integer(digits: str) -> int | OddNumber:
    return int(digits) if len(digits) <= MANY_DIGITS else OddNumber(cut(digits, 80))


def _report_invalid(text: str, error: json.JSONDecodeError, log: ProblemLog) -> None:
    line = text[error.pos - 30 if error.pos > 30 else 0 : error.pos + 30].strip()
    reason = _REASONS.get(error.msg, error.msg[0].lower() + error.msg[1:])
    log.report(
        "json-invalid",
        f"Line {error.lineno:,}, column {error.colno:,}: {reason}.",
        value=shown(line)[1:-1] if line else None,
        hint=_hint(text, error),
    )


_REASONS = {
    "Expecting property name enclosed in double quotes": "a key in double quotes is expected",
    "Expecting value": "a value is expected",
    "Expecting ',' delimiter": "a comma or a closing bracket is expected",
    "Expecting ':' delimiter": "a colon is expected",
    "Extra data": "the JSON value ended before, and more follows",
    "Unterminated string starting at": "a text starts here and never ends",
    "Invalid control character at": "a text holds a raw control character, such as a line break",
    "Invalid \\escape": "a backslash is followed by a letter that is no escape",
    "Illegal trailing comma before end of object": "a comma stands before a closing brace",
    "Illegal trailing comma before end of array": "a comma stands before a closing bracket",
}


def _hint(text: str, error: json.JSONDecodeError) -> str:
    rest = text[error.pos : error.pos + 10]
    before = text[max(0, error.pos - 20) : error.pos].rstrip()
    if not rest.strip() or error.msg.startswith("Unterminated"):
        return "The file ends in the middle: was it cut short, or still being written?"
    if rest.startswith("'"):
        return "JSON needs double quotes; this looks like Python's print or repr. Use json.dump."
    if rest.startswith(("None", "True", "False", "nan", "inf")):
        return "This looks like Python's print or repr. Use json.dump."
    if before.endswith(",") and rest[0] in "]}":
        return "Remove the comma before the closing bracket."
    if error.msg == "Extra data" and rest[0] in "{[":
        return "This looks like JSON lines: several values after each other. Write one object."
    return ""
