"""Tables of a TOML file as dataclasses: every value is checked against the type that the dataclass declares."""

from dataclasses import MISSING, fields, is_dataclass
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints


class ShapeError(ValueError):
    """A value of another type, or a key that is unknown or absent: the message names the place."""


def build(kind: type[Any], content: Any, place: str) -> Any:
    """Make a dataclass from a table; tables within it become the dataclasses that its fields declare.

    Args:
        kind: A dataclass of str, int, bool, Literal, tuples of these, dataclasses, and optional ones of all these.
        content: As `tomllib` gives it.
        place: Where the table stands, for messages.

    Raises:
        ShapeError: Naming the first key that does not fit.
    """
    if not isinstance(content, dict):
        raise ShapeError(f"{place} must be a table")
    known = {field.name for field in fields(kind)}
    if unknown := sorted(set(content) - known):
        raise ShapeError(f"{place} has unknown keys: {', '.join(unknown)}; known are: {', '.join(sorted(known))}")
    needed = [field.name for field in fields(kind) if field.default is MISSING and field.default_factory is MISSING]
    if absent := [name for name in needed if name not in content]:
        raise ShapeError(f"{place} lacks keys: {', '.join(absent)}")
    hints = get_type_hints(kind)
    return kind(**{key: value_of(hints[key], value, f"{place}: {key}") for key, value in content.items()})


def value_of(hint: Any, value: Any, place: str) -> Any:
    """Check one value against the type that a field declares; tables become dataclasses, arrays tuples.

    Raises:
        ShapeError: If it does not fit.
    """
    if get_origin(hint) in {Union, UnionType}:
        (hint,) = (choice for choice in get_args(hint) if choice is not type(None))
    if is_dataclass(hint):
        return build(hint, value, place)  # type: ignore[arg-type]  # a hint that is a dataclass is a class
    if get_origin(hint) is tuple:
        return _values(get_args(hint), value, place)
    if get_origin(hint) is Literal:
        if value not in get_args(hint):
            raise ShapeError(f"{place} must be one of {', '.join(get_args(hint))}")
    elif type(value) is not hint:
        # Not isinstance: true is an int to Python, and no length.
        raise ShapeError(f"{place} must be {_WORDS[hint]}")
    return value


def _values(hints: tuple[Any, ...], value: Any, place: str) -> tuple[Any, ...]:
    if not isinstance(value, list):
        raise ShapeError(f"{place} must be an array")
    each = [hints[0]] * len(value) if hints[-1] is Ellipsis else list(hints)
    if len(each) != len(value):
        raise ShapeError(f"{place} must be an array of {len(each)}")
    return tuple(
        value_of(hint, entry, f"{place}[{n}]") for n, (hint, entry) in enumerate(zip(each, value, strict=True))
    )


_WORDS = {str: "a text", int: "a whole number", bool: "true or false"}
