"""CIRCO's result file: ``{"0": [355099, ...], "1": [...]}``, image ids as numbers, the whole split in one object."""

import re
from collections.abc import Sequence
from typing import Any

from evaluator.formats.json_objects import read_object
from evaluator.formats.problems import ProblemLog
from evaluator.formats.result_format import Content, RawLists, ResultFormat, undisguised
from evaluator.formats.wording import named, shown
from evaluator.public.bundle import Benchmark

EXAMPLE = '{"0": [355099, 528417, ...], "1": [...], ...}'
# Leading zeros are stripped apart from the match: a pattern that could split them in two ways takes quadratic time.
_NUMBER = re.compile(r"([0-9]+)(?:\.0*)?")
_OFFICIAL_NUMBER = re.compile(r"\s*\+?([0-9]+)(?:\.[0-9]*)?\s*")


def read(contents: Sequence[Content], benchmark: Benchmark, log: ProblemLog) -> RawLists | None:  # noqa: ARG001 - one signature for all formats
    """Read the lists of a CIRCO result file; problems are reported, and None is returned if there are no lists."""
    return read_object(contents[0], log, family="CIRCO", example=EXAMPLE, read_entry=_read_entry)


def bare_id(text: str) -> str:
    """The COCO id in any disguise, as CIRCO writes it.

    Example:
        >>> bare_id("000000355099.jpg"), bare_id("5.0"), bare_id("cat")
        ('355099', '5', 'cat')
    """
    match = _NUMBER.fullmatch(undisguised(text))
    return _without_zeros(match[1]) if match else text


def official_id(text: str) -> str:
    """The id for which the official evaluator takes an entry: ``int(entry)``, so that 5.25 is 5."""
    match = _OFFICIAL_NUMBER.fullmatch(text)
    return _without_zeros(match[1]) if match else text


def _without_zeros(digits: str) -> str:
    return digits.lstrip("0") or "0"


def _read_entry(key: str, entry: Any, log: ProblemLog) -> list[Any] | None:
    if isinstance(entry, list):
        return entry
    if entry is None:
        log.report("list-null", f"The list of query {key} is null.", query=key, value="null")
        return None
    if isinstance(entry, dict) and isinstance(entry.get("retrieved_items"), list):
        log.report(
            "list-wrapped",
            f"The list of query {key} lies inside an object, under retrieved_items.",
            query=key,
            expected=f'"{key}": [355099, ...]',
        )
        inner: list[Any] = entry["retrieved_items"]
        return inner
    log.report(
        "list-wrong-type",
        f"Query {key} has {named(entry)} instead of a list.",
        query=key,
        value=shown(entry),
        expected=f'"{key}": [355099, ...]',
    )
    return None


FORMAT = ResultFormat(
    name="circo",
    family="CIRCO",
    example=EXAMPLE,
    ids_are_numbers=True,
    read=read,
    official_id=official_id,
    bare_id=bare_id,
    reference_note="The official evaluator does not remove it.",
    splits={"validation": 220, "test": 800},
)
