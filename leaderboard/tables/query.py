"""What a reader asked of a table, checked against what the benchmark has."""

from dataclasses import dataclass

from evaluator.public.manifest import Protocol
from leaderboard.models import Split
from leaderboard.tables.columns import Column, columns_of, columns_shown
from leaderboard.tables.rules import UnknownChoiceError, protocol_of

BY_NAME = "method"


@dataclass(frozen=True, slots=True)
class BoardQuery:
    """As it stands in the address; "" for the default.

    Attributes:
        protocol: Name of a protocol.
        sort: Slug of a column or ``method``; a leading minus sorts downwards.
        slice: ``axis:value``.
        search: Words that a row must contain.
        paradigm: Value of `Paradigm`.
        columns: Slugs of chosen columns; none for the default.
    """

    protocol: str = ""
    sort: str = ""
    slice: str = ""
    search: str = ""
    paradigm: str = ""
    columns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Choice:
    """A checked query: everything in it exists.

    Attributes:
        protocol: The protocol whose rows are shown.
        columns: Shown, the ranking one first.
        sort_column: The column sorted by; None sorts by name.
        descending: Largest, or Z, first.
        axis: Slice axis, "" for all queries.
        slice: Slice value, "" for all queries.
    """

    protocol: Protocol
    columns: tuple[Column, ...]
    sort_column: Column | None
    descending: bool
    axis: str
    slice: str


def check_query(split: Split, query: BoardQuery) -> Choice:
    """Resolve names, or say which one is unknown and what there is."""
    protocol = protocol_of(split, query.protocol)
    known = {column.slug: column for column in columns_of(protocol)}
    for slug in query.columns:
        if slug not in known:
            raise UnknownChoiceError("column", slug, list(known))
    columns = columns_shown(protocol, query.columns)
    sort = query.sort or columns[0].best_first
    name = sort.removeprefix("-")
    if name != BY_NAME and name not in known:
        raise UnknownChoiceError("sort", sort, [BY_NAME, *known])
    axis, _, value = query.slice.partition(":")
    return Choice(
        protocol=protocol,
        columns=columns,
        sort_column=None if name == BY_NAME else known[name],
        descending=sort.startswith("-"),
        axis=axis,
        slice=value,
    )
