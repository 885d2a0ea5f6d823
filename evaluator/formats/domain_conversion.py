"""Rankings of domain conversion: ``{"rankings": {"Today-->Archive": {"path": [195, 342, ...]}}}``.

Each query is a pair of domains and the path of an image. A ranking holds 0-based row numbers of the database list, or
the paths themselves.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np

from evaluator.formats import lists
from evaluator.formats.entries import offsets_of
from evaluator.formats.json_objects import read_object
from evaluator.formats.json_values import OddNumber, RepeatedKeys
from evaluator.formats.positions import read_positions
from evaluator.formats.problems import ProblemLog
from evaluator.formats.result_format import Content, RawColumns, RawLists, ResultFormat
from evaluator.formats.shapes import Look
from evaluator.formats.wording import named, shown
from evaluator.public.bundle import Benchmark

EXAMPLE: Final = '{"rankings": {"Today-->Archive": {"ltll/New/a.jpg": [195, 342, ...], ...}, ...}}'
WRAPPER: Final = "rankings"
BETWEEN: Final = "|"
"""Parts pair and path in the id of a query."""

NOTE: Final = "note"
"""A key that the organisers' own files have, and that says nothing."""

_LARGEST: Final = 2**62
_NUMBERS: Final = (int, float, OddNumber)
_SURROGATE: Final = re.compile("[\ud800-\udfff]")


def read(contents: Sequence[Content], benchmark: Benchmark, log: ProblemLog) -> RawLists | RawColumns | None:
    """Read the rankings of a file; problems are reported, and None is returned if there are none."""
    # Every entry is kept as it is: what lies deeper is looked at below.
    raw = read_object(contents[0], log, family="domain conversion", example=EXAMPLE, read_entry=lambda _k, v, _l: [v])
    if raw is None or _is_foreign(raw.look, log):
        return None
    top = {key: held[0] for key, held in zip(raw.keys, raw.lists, strict=True) if held}
    pairs = top[WRAPPER] if isinstance(top.get(WRAPPER), dict) else top
    for key in top if pairs is not top else ():
        if key not in {WRAPPER, NOTE}:
            log.report("list-key-unknown", f"Beside {WRAPPER}, the key {key} is ignored.", value=key)
    _report_repeats(pairs, "Among the rankings", log)
    found = dict(_rankings(pairs, log))
    keys, ranked = list(found), list(found.values())
    if not all(_are_rows(entries) for entries in ranked if entries is not None):
        pairs_of = zip(keys, ranked, strict=True)
        return RawLists(keys, [entries and _named(key, entries, benchmark, log) for key, entries in pairs_of])
    kept = [row for row, entries in enumerate(ranked) if entries is not None]
    positions = np.array([row for place in kept for row in ranked[place] or ()], np.int64)
    offsets = offsets_of([len(ranked[place] or ()) for place in kept])
    return read_positions([keys[place] for place in kept], offsets, positions, benchmark, log)


def _is_foreign(look: Look | None, log: ProblemLog) -> bool:
    if look is None or look.family in {"", FORMAT.family}:
        return False
    log.report("benchmark-wrong", f"This looks like {look.words}.", expected=f"an object such as {EXAMPLE}")
    return True


def _rankings(pairs: dict[str, Any], log: ProblemLog) -> Iterator[tuple[str, list[Any] | None]]:
    for pair, of_path in pairs.items():
        if isinstance(of_path, dict):
            _report_repeats(of_path, f"In the pair {pair}", log)
            for path, entries in of_path.items():
                key = f"{pair}{BETWEEN}{path}"
                if _SURROGATE.search(key):
                    log.report("encoding-surrogate", f"{key} holds half of a surrogate pair.", query=key)
                    continue
                yield key, lists.read_entry(key, entries, log)
            continue
        if pair != NOTE:
            message = f"The pair {pair} has {named(of_path)} instead of an object with a ranking for each path."
            log.report("list-wrong-type", message, query=pair, value=shown(of_path), expected=EXAMPLE)


def _are_rows(entries: list[Any]) -> bool:
    return all(type(entry) is int and 0 <= entry <= _LARGEST for entry in entries)


def _named(key: str, entries: list[Any], benchmark: Benchmark, log: ProblemLog) -> list[Any] | None:
    """Rows of the list as paths, in a file that holds something else too: of that alone something is said."""
    paths = benchmark.image_ids
    is_row = [type(entry) is int and 0 <= entry < len(paths) for entry in entries]
    wrong = [place for place, entry in enumerate(entries) if type(entry) in _NUMBERS and not is_row[place]]
    for place in wrong:
        log.report(
            "position-outside",
            f"Query {key}, rank {place + 1}: {entries[place]} is no row of the database list.",
            query=key,
            rank=place + 1,
            value=str(entries[place]),
            expected=f"an integer from 0 to {len(paths) - 1}, or a path",
        )
    if wrong:
        return None
    return [paths[entry].as_py() if row else entry for entry, row in zip(entries, is_row, strict=True)]


def _report_repeats(entries: dict[str, Any], where: str, log: ProblemLog) -> None:
    if isinstance(entries, RepeatedKeys):
        for key in entries.repeated:
            log.report("json-key-repeated", f"{where}, the key {key} occurs more than once.", query=key)


FORMAT = ResultFormat(
    name="domain_conversion",
    family="domain conversion",
    example=EXAMPLE,
    ids_are_numbers=False,
    read=read,
    official_id=lists.official_id,
    bare_id=lists.bare_id,
    reference_note="It is in the database, and is ranked with the rest.",
)
