"""FashionIQ's result files: the entries of a category's caption file, in order, with ``"ranking": [...]`` in each.

Nothing in them names a query or the category: the position is the query, and the category is told from the captions.
In a bundle, queries are called by category and position: ``dress/0``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from evaluator.formats.json_objects import parse_list
from evaluator.formats.json_values import RepeatedKeys
from evaluator.formats.problems import ProblemLog
from evaluator.formats.result_format import Content, RawLists, ResultFormat, undisguised
from evaluator.formats.several_files import read_each
from evaluator.formats.wording import named, shown
from evaluator.public.bundle import Benchmark

BETWEEN_CAPTIONS: Final = " and "
"""Joins the captions of an entry to the modification of a query."""

EXAMPLE: Final = '[{"candidate": "B005X4PL1G", "captions": ["...", "..."], "ranking": ["B00BPCXXIS", ...]}, ...]'
_REMEDY: Final = "an entry of the benchmark's caption file"

Pair = tuple[str, str]
"""Candidate and modification: what an entry asks."""


@dataclass(frozen=True, slots=True)
class _Category:
    """What the benchmark asks in one category, by position, and the first position of each question."""

    name: str
    asked: Sequence[Pair]
    places: Mapping[Pair, int]


def read(contents: Sequence[Content], benchmark: Benchmark, log: ProblemLog) -> RawLists | None:
    """Read the files of up to three categories; problems are reported, and None is returned if there are no lists."""
    categories = _categories(benchmark)
    found: dict[str, list[Any]] = {}
    for entries in read_each(contents, log, lambda content, of_file: _read_file(content, categories, of_file)):
        category = _category_of(entries, categories)
        if category is None:
            continue
        if category.name in found:
            message = f"Two files hold the category {category.name}."
            log.report("part-repeated", message, value=category.name, expected="one file for each category")
        found.setdefault(category.name, entries)
    lists = {
        f"{category.name}/{position}": _read_entry(category, position, entry, log)
        for category in categories
        for position, entry in enumerate(found.get(category.name, ()))
    }
    return RawLists(list(lists), list(lists.values())) if lists else None


def bare_id(text: str) -> str:
    """An image id in any disguise, as FashionIQ writes it.

    Example:
        >>> bare_id("images/b005x4pl1g.jpg")
        'B005X4PL1G'
    """
    return undisguised(text).upper()


def official_id(text: str) -> str:
    """The official evaluator compares ids as they are."""
    return text


def _categories(benchmark: Benchmark) -> list[_Category]:
    asked: dict[str, list[Pair]] = {}
    table = benchmark.query_table
    columns = (table.column(name).to_pylist() for name in ("query_id", "reference_images", "modification"))
    for query, references, modification in zip(*columns, strict=True):
        asked.setdefault(query.rpartition("/")[0], []).append((references[0], modification))
    return [
        _Category(name, pairs, {pair: place for place, pair in reversed(list(enumerate(pairs)))})
        for name, pairs in asked.items()
    ]


def _read_file(content: Content, categories: Sequence[_Category], log: ProblemLog) -> list[Any] | None:
    entries = parse_list(content, log, family="FashionIQ", example=EXAMPLE)
    if entries is None:
        return None
    if not entries:
        log.report("format-wrong", "The file holds an empty list.", expected=f"a list such as {EXAMPLE}")
        return None
    if _category_of(entries, categories) is None:
        names = ", ".join(category.name for category in categories)
        log.report(
            "split-wrong",
            "No candidate of this file is asked about in this split.",
            expected=f"the captions of one of: {names}",
            hint="Make the run from the caption files of this split.",
        )
        return None
    return entries


def _category_of(entries: Sequence[Any], categories: Sequence[_Category]) -> _Category | None:
    """The category that asks most of what the entries ask; if none does, the one that has most of their candidates."""
    pairs = [pair for entry in entries if (pair := _pair(entry))]
    for count in (
        {category.name: sum(pair in category.places for pair in pairs) for category in categories},
        {category.name: _n_candidates(pairs, category) for category in categories},
    ):
        best = max(categories, key=lambda category: count[category.name])
        if count[best.name]:
            return best
    return None


def _n_candidates(pairs: Sequence[Pair], category: _Category) -> int:
    candidates = {candidate for candidate, _ in category.asked}
    return sum(candidate in candidates for candidate, _ in pairs)


def _pair(entry: Any) -> Pair | None:
    if not isinstance(entry, dict) or not isinstance(entry.get("candidate"), str):
        return None
    captions = entry.get("captions")
    if not isinstance(captions, list) or not all(isinstance(caption, str) for caption in captions):
        return entry["candidate"], ""
    return entry["candidate"], BETWEEN_CAPTIONS.join(captions)


def _read_entry(category: _Category, position: int, entry: Any, log: ProblemLog) -> list[Any] | None:
    query = f"{category.name}/{position}"
    if not isinstance(entry, dict):
        message = f"Query {query} has {named(entry)} instead of an object with a ranking."
        log.report("list-wrong-type", message, query=query, value=shown(entry), expected=_REMEDY)
        return None
    if isinstance(entry, RepeatedKeys):
        for key in entry.repeated:
            message = f"In the entry of query {query}, the key {key} occurs more than once."
            log.report("json-key-repeated", message, query=query, value=key)
    if position < len(category.asked):
        _check_question(query, category, category.asked[position], entry, log)
    if "ranking" not in entry:
        log.report("ranking-missing", f'Query {query} has no "ranking".', query=query)
        return None
    ranking = entry["ranking"]
    if isinstance(ranking, list):
        return ranking
    code = "list-null" if ranking is None else "list-wrong-type"
    message = f"The ranking of query {query} is {named(ranking)} instead of a list."
    log.report(code, message, query=query, value=shown(ranking), expected="a list of image ids")
    return None


def _check_question(query: str, category: _Category, asked: Pair, entry: dict[str, Any], log: ProblemLog) -> None:
    pair = _pair(entry)
    if pair == asked:
        return
    what = "candidate is" if pair is None or pair[0] != asked[0] else "captions are"
    given = shown(entry.get("candidate")) if what == "candidate is" else shown(pair[1] if pair else None)
    right = shown(asked[0] if what == "candidate is" else asked[1])
    place = None if pair is None else category.places.get(pair)
    log.report(
        "entry-mismatch",
        f"Query {query}: the {what} {given}, where the benchmark has {right}.",
        query=query,
        value=given,
        expected=right,
        hint="" if place is None else f"What this entry asks is query {category.name}/{place}.",
    )


FORMAT = ResultFormat(
    name="fashioniq",
    family="FashionIQ",
    example=EXAMPLE,
    ids_are_numbers=False,
    read=read,
    official_id=official_id,
    bare_id=bare_id,
    reference_note="The official evaluator does not remove it.",
    most_files=3,
)
