"""Words for values that come from a file: short, and safe in a terminal, a page and a log."""

from typing import Any

VALUE_LENGTH = 80


def plain(text: str) -> str:
    r"""Escape what a terminal or page would obey rather than show: control characters, bidi marks, surrogates.

    Example:
        >>> plain("a\x1b[31m\u202eb")
        'a\\u001b[31m\\u202eb'
    """
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() or letter == " " else _escape(letter) for letter in text)


def cut(text: str, length: int) -> str:
    """Shorten to at most ``length`` characters, an ellipsis in the middle.

    Example:
        >>> cut("abcdefghij", 7)
        'abc…hij'
    """
    if len(text) <= length:
        return text
    head = length // 2
    tail = length - head - 1
    return f"{text[:head]}…{text[len(text) - tail :]}"


def shown(value: Any) -> str:
    """A JSON value as short text, strings in double quotes.

    Example:
        >>> shown(["a", None, 1.5, True])
        '["a", null, 1.5, true]'
    """
    return cut(_shown(value, 3), VALUE_LENGTH)


def named(name: Any) -> str:
    """What kind of JSON value something is, in words."""
    kinds = ((bool, "true or false"), (str, "text"), (int | float, "a number"), (list, "a list"), (dict, "an object"))
    return next((words for kind, words in kinds if isinstance(name, kind)), "null" if name is None else str(name))


def counted(n: int, one: str, many: str) -> str:
    """A number with its noun.

    Example:
        >>> counted(7635, "query", "queries")
        '7,635 queries'
    """
    return f"{n:,} {one if n == 1 else many}"


def _shown(value: Any, depth: int) -> str:
    if isinstance(value, str):
        return f'"{value[:VALUE_LENGTH]}"'
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, list):
        return "[" + ", ".join(_shown(entry, depth - 1) for entry in value[:8]) + "]" if depth else "[…]"
    if isinstance(value, dict):
        pairs = (f'"{key[:VALUE_LENGTH]}": {_shown(entry, depth - 1)}' for key, entry in list(value.items())[:8])
        return "{" + ", ".join(pairs) + "}" if depth else "{…}"
    return str(value)


def _escape(letter: str) -> str:
    code = ord(letter)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
