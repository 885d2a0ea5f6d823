"""Third step of a check: which list belongs to which query, and which queries have none."""

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from evaluator.formats.nearest import NearestIds
from evaluator.formats.problems import ProblemLog
from evaluator.formats.result_format import RawColumns, RawLists, ResultFormat, ascii_digits
from evaluator.formats.wording import counted
from evaluator.public.bundle import SLICE_PREFIX, Benchmark
from evaluator.public.lists import absent_parts
from evaluator.public.manifest import Protocol
from evaluator.public.requirements import requirements

UNKNOWN = -1
SEVERAL = 3
"""Fewer unknown queries are named one by one: they may be slips."""

_NUMBERED = re.compile(r"\s*(?:[A-Za-z]+[ _-]?)?0*([0-9]{1,18})(?:\.0+)?\s*")


def match_queries(
    raw: RawLists | RawColumns, benchmark: Benchmark, rules: Protocol, result_format: ResultFormat, log: ProblemLog
) -> NDArray[np.int64] | None:
    """Find the query of each list.

    Returns:
        (L,) positions in the benchmark's queries, `UNKNOWN` where there is none, or None if the file as a whole is
        another benchmark's or split's and that was reported.
    """
    positions = {query: place for place, query in enumerate(benchmark.query_ids)}
    found = np.fromiter((positions.get(key, UNKNOWN) for key in raw.keys), np.int64, len(raw.keys))
    n_exact = int((found != UNKNOWN).sum())
    if _is_other_benchmark(raw, result_format, n_exact, benchmark, log):
        return None
    if _is_other_split(raw.keys, result_format, benchmark, log):
        return None
    if n_exact < len(raw.keys):
        _match_other_forms(raw.keys, found, benchmark.query_ids, log)
        if _is_wholly_unknown(raw.keys, found, benchmark, result_format, log):
            return None
        _report_unknown(raw.keys, found, benchmark.query_ids, result_format, log)
    _report_missing(found, benchmark, rules, result_format, log)
    return found


def _is_other_benchmark(
    raw: RawLists | RawColumns, result_format: ResultFormat, n_exact: int, benchmark: Benchmark, log: ProblemLog
) -> bool:
    look = raw.look
    if look is None or look.family in {"", result_format.family} or n_exact * 2 > len(raw.keys):
        return False
    log.start_over()
    log.report(
        "benchmark-wrong",
        f"This looks like {look.words}.",
        expected=f"a run for {benchmark.manifest.title}: {result_format.example}",
    )
    return True


def _is_other_split(keys: Sequence[str], result_format: ResultFormat, benchmark: Benchmark, log: ProblemLog) -> bool:
    n_own = len(benchmark.query_ids)
    splits = {n: name for name, n in result_format.splits.items()}
    other = splits.get(len(keys))
    if other is None or n_own not in splits or len(keys) == n_own or {*keys} != {str(i) for i in range(len(keys))}:
        return False
    log.report(
        "split-wrong",
        f"The file has lists for {len(keys)} queries, 0 to {len(keys) - 1}: that is the {other} split.",
        expected=f"the {splits[n_own]} split: {n_own} queries, 0 to {n_own - 1}",
        hint=f"Send this file to the {other} split, or make a run on the {splits[n_own]} split.",
    )
    return True


def _is_wholly_unknown(
    keys: Sequence[str], found: NDArray[np.int64], benchmark: Benchmark, result_format: ResultFormat, log: ProblemLog
) -> bool:
    """Whether not one of several queries is the benchmark's. One problem says more then than one for each query."""
    if len(keys) < SEVERAL or (found != UNKNOWN).any() or not benchmark.query_ids:
        return False
    log.start_over()
    first, asked = result_format.query_name(keys[0]), result_format.query_name(benchmark.query_ids[0])
    log.report(
        "benchmark-wrong",
        f'None of the file\'s {len(keys):,} queries, such as "{first}", is a query of {benchmark.manifest.title}.',
        value=f'"{first}"',
        expected=f"its {len(benchmark.query_ids):,} query ids, such as {asked}",
        hint="Choose the benchmark and split that this file answers.",
    )
    return True


def _match_other_forms(
    keys: Sequence[str], found: NDArray[np.int64], query_ids: Sequence[str], log: ProblemLog
) -> None:
    """Fill in the queries whose ids are numbers written otherwise: ``query_00001``, ``1``, ``" 5"``, ``5.0``."""
    by_number = {int(query): place for place, query in enumerate(query_ids) if query.isascii() and query.isdecimal()}
    taken = set(found[found != UNKNOWN].tolist())
    for row in np.flatnonzero(found == UNKNOWN).tolist():
        match = _NUMBERED.fullmatch(ascii_digits(keys[row]))
        place = by_number.get(int(match[1])) if match else None
        if place is None:
            continue
        found[row] = place
        _report_form(keys[row], query_ids[place], log)
        if place in taken:
            message = f"Query {query_ids[place]} has a second list, under {keys[row]}."
            log.report("query-repeated", message, query=keys[row], value=f'"{keys[row]}"', expected="one list")
        taken.add(place)


def _report_form(key: str, query_id: str, log: ProblemLog) -> None:
    prefix = key.removesuffix(query_id)
    log.report(
        "query-id-form",
        f'The query id "{key}" stands for {query_id}.',
        query=key,
        value=f'"{key}"',
        expected=f'"{query_id}"',
        hint=f'Drop the prefix "{prefix}".' if prefix and prefix != key and prefix.strip("0 ") else "",
    )


def _report_unknown(
    keys: Sequence[str],
    found: NDArray[np.int64],
    query_ids: Sequence[str],
    result_format: ResultFormat,
    log: ProblemLog,
) -> None:
    names = [result_format.query_name(query) for query in query_ids]
    nearest = NearestIds(names)
    expected = _range_in_words(names)
    is_range = " to " in expected
    for row in np.flatnonzero(found == UNKNOWN).tolist():
        key = result_format.query_name(keys[row])
        hint = "" if is_range and key.isdecimal() else nearest.hint(key)
        log.report(
            "query-unknown",
            f'The benchmark has no query "{key}".',
            query=key,
            value=f'"{key}"',
            expected=expected,
            hint=hint,
        )


def _report_missing(
    found: NDArray[np.int64], benchmark: Benchmark, rules: Protocol, result_format: ResultFormat, log: ProblemLog
) -> None:
    answered = found[found != UNKNOWN]
    absent = np.ones(len(benchmark.query_ids), bool)
    absent[answered] = False
    # A file without a single known query lacks everything; saying so part by part would help nobody.
    if len(answered):
        absent &= ~_report_missing_parts(answered, benchmark, rules, log)
        absent &= ~_report_missing_groups(absent, benchmark, rules, log)
    for place in np.flatnonzero(absent).tolist():
        query = result_format.query_name(benchmark.query_ids[place])
        log.report("query-missing", f"Query {query} has no list.", query=query)


def _report_missing_parts(
    answered: NDArray[np.int64], benchmark: Benchmark, rules: Protocol, log: ProblemLog
) -> NDArray[np.bool_]:
    """Report parts of which no query has a list; (Q,) the queries that are thereby explained."""
    asked = requirements(benchmark, rules)
    parts = absent_parts(answered, asked, rules)
    for part in parts:
        title = rules.parts[part].title
        log.report("part-missing", f"There are no {title}.", hint=f"Left out: {', '.join(rules.parts[part].metrics)}.")
    return np.isin(asked.parts, parts) if parts else np.zeros(len(asked.parts), bool)


def _report_missing_groups(
    absent: NDArray[np.bool_], benchmark: Benchmark, rules: Protocol, log: ProblemLog
) -> NDArray[np.bool_]:
    """The same for whole groups that are averaged, such as categories: one problem each, not one for each query."""
    explained = np.zeros(len(absent), bool)
    column = f"{SLICE_PREFIX}{rules.average_over}"
    if rules.average_over is None or column not in benchmark.query_table.column_names:
        return explained
    values = np.array([",".join(value) for value in benchmark.query_table.column(column).to_pylist()])
    for group in dict.fromkeys(values.tolist()):
        members = values == group
        if absent[members].all():
            explained |= members
            none_of = counted(int(members.sum()), "query", "queries")
            log.report("group-missing", f"Nothing is given for {group}: none of its {none_of} has a list.", value=group)
    return explained


def _range_in_words(query_ids: Sequence[str]) -> str:
    n = len(query_ids)
    if all(query == str(place) for place, query in enumerate(query_ids)):
        return f"one of the {n:,} query ids 0 to {n - 1}"
    return f"one of the {n:,} query ids, such as {query_ids[0]}" if n else "the benchmark has no queries"
