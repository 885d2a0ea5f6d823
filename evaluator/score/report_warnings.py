"""What a reader of a report must know beside its numbers."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from evaluator.public.lists import Lists
from evaluator.public.manifest import Manifest, Protocol
from evaluator.report import Estimate, ReportWarning

ROUGH_BELOW: Final = 50
"""Intervals that rest on fewer units than this are marked as rough."""

_NAMED: Final = 6


@dataclass(frozen=True)
class Evidence:
    """What the warnings are derived from.

    Attributes:
        lenient: Whether the run was scored although it might not count.
        n_dropped: Queries that the protocol leaves without a positive.
        withheld: Metrics that short lists cannot give.
        rough_slices: As `axis: value`.
    """

    manifest: Manifest
    protocol: Protocol
    lists: Lists
    lenient: bool
    n_dropped: int
    withheld: frozenset[str]
    metrics: Mapping[str, Estimate]
    slices: Mapping[str, Mapping[str, Mapping[str, Estimate]]]
    rough_slices: tuple[str, ...]


def warnings_of(evidence: Evidence) -> tuple[ReportWarning, ...]:
    """All warnings, those about the benchmark first, then about the file, then about the statistics."""
    return (*_about_benchmark(evidence), *_about_file(evidence), *_about_intervals(evidence))


def _about_benchmark(evidence: Evidence) -> Iterable[ReportWarning]:
    if evidence.manifest.gallery_policy == "open":
        yield ReportWarning(
            "gallery-open",
            "The list of gallery images is not known here, so every well-formed image id counts as an unjudged image.",
        )
    if evidence.n_dropped:
        yield ReportWarning(
            "queries-dropped",
            f"{evidence.n_dropped} queries have no positive under the protocol {evidence.protocol.name} "
            "and are left out.",
        )


def _about_file(evidence: Evidence) -> Iterable[ReportWarning]:
    lists = evidence.lists
    if evidence.lenient:
        yield ReportWarning(
            "lenient", "Scored as leniently as the official code scores; such a report is never ranked."
        )
    if lists.n_missing:
        present = len(lists.queries)
        yield ReportWarning(
            "queries-missing",
            f"{lists.n_missing} of {present + lists.n_missing} queries have no list; means are over the other {present}.",
        )
    if lists.n_extra:
        yield ReportWarning("queries-extra", f"{lists.n_extra} lists answer no query of the benchmark.")
    if lists.n_outside:
        yield ReportWarning(
            "images-unknown",
            f"{lists.n_outside} entries are not in the gallery of their query; they count as unjudged.",
        )
    if lists.n_repeating:
        yield ReportWarning(
            "images-repeated",
            f"{lists.n_repeating} lists hold an image more than once; scores may count it each time.",
        )
    yield from _about_lengths(evidence)


def _about_lengths(evidence: Evidence) -> Iterable[ReportWarning]:
    shortest, longest = int(evidence.lists.lengths.min()), int(evidence.lists.lengths.max())
    most = evidence.protocol.list_length[1]
    if shortest < most:
        withheld = [name for name in evidence.protocol.metrics if name in evidence.withheld]
        consequence = f"not given: {', '.join(withheld)}" if withheld else "all metrics are computed as if it were full"
        yield ReportWarning("lists-short", f"The shortest list holds {shortest} of {most} images; {consequence}.")
    if longest > most:
        yield ReportWarning("lists-long", f"The longest list holds {longest} images; only the first {most} count.")


def _about_intervals(evidence: Evidence) -> Iterable[ReportWarning]:
    without = [name for name, found in evidence.metrics.items() if _lacks_interval(found)]
    in_slices = sum(
        _lacks_interval(found)
        for values in evidence.slices.values()
        for metrics in values.values()
        for found in metrics.values()
    )
    if without or in_slices:
        parts = [f"for {_named(without)}"] if without else []
        parts += [f"for {in_slices} {'value' if in_slices == 1 else 'values'} on slices"] if in_slices else []
        yield ReportWarning(
            "interval-none", f"No interval {' and '.join(parts)}: all bootstrap replicates agree or there is only one."
        )
    if evidence.rough_slices:
        yield ReportWarning(
            "interval-rough",
            f"Intervals that rest on fewer than {ROUGH_BELOW} units are rough: {_named(evidence.rough_slices)}.",
        )


def _lacks_interval(found: Estimate) -> bool:
    return found.value is not None and found.low is None


def _named(names: list[str] | tuple[str, ...]) -> str:
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {more} more" if more > 0 else "")
