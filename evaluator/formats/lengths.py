"""Check of the lists' lengths against the protocol."""

import re

import numpy as np

from evaluator.formats.entries import Entries
from evaluator.formats.problems import ProblemLog
from evaluator.formats.wording import counted
from evaluator.public.manifest import Protocol


def check_lengths(entries: Entries, protocol: Protocol, log: ProblemLog) -> None:
    """Report lists that are shorter or longer than allowed, and warn of short ones that are allowed."""
    fewest, most = protocol.list_length
    lengths = entries.lengths
    allowed = f"{_range_in_words(fewest, most)} are {'required' if fewest == most else 'allowed'}"
    for code, rows in (("list-too-short", lengths < fewest), ("list-too-long", lengths > most)):
        for row in np.flatnonzero(rows).tolist():
            length = int(lengths[row])
            has = f"has {counted(length, 'entry', 'entries')}" if length else "is empty"
            log.report(
                code,
                f"The list of query {entries.keys[row]} {has}; {allowed}.",
                query=entries.keys[row],
                value=str(length),
                expected=_range_in_words(fewest, most) + " images",
                hint=f"Drop the last {length - most:,}." if code == "list-too-long" else "",
            )
    if protocol.short_lists:
        _warn_of_short_lists(entries, protocol, log)


def _range_in_words(fewest: int, most: int) -> str:
    return f"exactly {fewest}" if fewest == most else f"{fewest} to {most}"


def _warn_of_short_lists(entries: Entries, protocol: Protocol, log: ProblemLog) -> None:
    fewest, most = protocol.list_length
    lengths = entries.lengths
    n_short = int(((lengths < most) & (lengths >= fewest)).sum())
    if not n_short:
        return
    shortest = int(np.where(lengths >= fewest, lengths, most).argmin())
    depth = int(lengths[shortest])
    lost = [metric for metric in protocol.metrics if _needs_more(metric, depth)]
    log.report(
        "list-short",
        f"{n_short:,} of {counted(len(lengths), 'list', 'lists')} hold fewer than {most} images; "
        f"the shortest, of query {entries.keys[shortest]}, holds {depth}.",
        query=entries.keys[shortest],
        value=str(depth),
        expected=f"{most} images, for all metrics",
        hint=f"Left out: {', '.join(lost)}." if lost else "",
    )


def _needs_more(metric: str, depth: int) -> bool:
    """Whether a metric looks deeper than ``depth``; one that deletes hard negatives looks through the whole list."""
    cutoff = re.search(r"@(\d+)", metric)
    return "without_negatives" in metric or "delta" in metric or (cutoff is not None and int(cutoff[1]) > depth)
