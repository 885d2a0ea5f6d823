"""Check of the lists' lengths against the protocol."""

import numpy as np

from evaluator.formats.entries import Entries
from evaluator.formats.problems import ProblemLog
from evaluator.formats.wording import counted
from evaluator.public.manifest import Protocol
from evaluator.public.metric_names import too_shallow
from evaluator.public.requirements import Requirements


def check_lengths(entries: Entries, asked: Requirements, protocol: Protocol, log: ProblemLog) -> None:
    """Report lists that are shorter or longer than allowed, and warn of short ones that are allowed."""
    lengths = entries.lengths
    fewest, most = asked.fewest[entries.queries], asked.most[entries.queries]
    for code, rows in (("list-too-short", lengths < fewest), ("list-too-long", lengths > most)):
        places = np.flatnonzero(rows)
        for row in log.keep_first(code, places):
            _report(code, row, entries, int(fewest[row]), int(most[row]), log)
    if protocol.short_lists:
        _warn_of_short_lists(entries, asked, protocol, log)


def _report(code: str, row: int, entries: Entries, fewest: int, most: int, log: ProblemLog) -> None:
    length = int(entries.lengths[row])
    has = f"has {counted(length, 'entry', 'entries')}" if length else "is empty"
    allowed = _range_in_words(fewest, most)
    log.report(
        code,
        f"The list of query {entries.keys[row]} {has}; {allowed} are {'required' if fewest == most else 'allowed'}.",
        query=entries.keys[row],
        value=str(length),
        expected=allowed,
        hint=_to_drop(length - most) if code == "list-too-long" else "",
    )


def _to_drop(n_entries: int) -> str:
    return "Drop the last entry." if n_entries == 1 else f"Drop the last {n_entries:,} entries."


def _range_in_words(fewest: int, most: int) -> str:
    return f"exactly {fewest}" if fewest == most else f"{fewest} to {most}"


def _warn_of_short_lists(entries: Entries, asked: Requirements, protocol: Protocol, log: ProblemLog) -> None:
    lengths = entries.lengths
    fewest, most = asked.fewest[entries.queries], asked.most[entries.queries]
    allowed = lengths >= fewest
    n_short = int(((lengths < most) & allowed).sum())
    if not n_short:
        return
    shortest = int(np.where(allowed, lengths - most, 0).argmin())
    lost = too_shallow(protocol, lengths[allowed], most[allowed], asked.parts[entries.queries][allowed])
    named = ", ".join(metric for metric in protocol.metrics if metric in lost)
    log.report(
        "list-short",
        f"{n_short:,} of {counted(len(lengths), 'list', 'lists')} hold fewer than {most[shortest]} images; "
        f"the shortest, of query {entries.keys[shortest]}, holds {lengths[shortest]}.",
        query=entries.keys[shortest],
        value=str(lengths[shortest]),
        expected=f"{most[shortest]} images, for all metrics",
        hint=f"Left out: {named}." if named else "",
    )
