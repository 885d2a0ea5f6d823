"""Order, ranks and the reasons for which a row has none."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

Entry = TypeVar("Entry")


def sort_missing_last(
    entries: Iterable[Entry],
    value: Callable[[Entry], float | None],
    name: Callable[[Entry], str],
    *,
    descending: bool,
) -> list[Entry]:
    """By value in the direction asked, equal values by name; entries without a value last in both directions."""
    by_name = sorted(entries, key=name)
    present = [entry for entry in by_name if value(entry) is not None]
    missing = [entry for entry in by_name if value(entry) is None]
    present.sort(key=lambda entry: value(entry) or 0.0, reverse=descending)
    return present + missing


def competition_ranks(values: Sequence[float], *, descending: bool) -> list[int]:
    """1-based ranks; equal values share the better rank and the next one is skipped."""
    ordered = sorted(values, reverse=descending)
    first = {value: place for place, value in reversed(list(enumerate(ordered, start=1)))}
    return [first[value] for value in values]
