"""What a reader of a report must know beside its numbers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from evaluator.public.lists import Lists
from evaluator.public.manifest import Manifest, Protocol
from evaluator.report import Estimate, ReportWarning

ROUGH_BELOW: Final = 50
"""Intervals that rest on fewer units than this are marked as rough."""

LENIENT: Final = ReportWarning(
    "lenient", "Scored as leniently as the official code scores; such a report is never ranked."
)
_NAMED: Final = 6


@dataclass(frozen=True)
class Results:
    """What was computed.

    Attributes:
        metrics: Over all queries.
        slices: Axis -> value -> metric.
        withheld: Metrics that short lists cannot give.
        rough: Metrics with few units over all queries.
        rough_slices: Slices in which some metric has few units, as `axis: value`.
    """

    metrics: dict[str, Estimate]
    slices: dict[str, dict[str, dict[str, Estimate]]]
    withheld: frozenset[str]
    rough: tuple[str, ...]
    rough_slices: tuple[str, ...]


def warnings_of(
    manifest: Manifest, protocol: Protocol, lists: Lists, results: Results, *, n_dropped: int, lenient: bool
) -> tuple[ReportWarning, ...]:
    """All warnings, those about the benchmark first, then about the file, then about the statistics.

    Args:
        n_dropped: Queries that the protocol leaves without a positive.
        lenient: Whether the run was scored although it might not count.
    """
    return (
        *_about_benchmark(manifest, protocol, n_dropped),
        *_about_parts(protocol, lists),
        *([LENIENT] if lenient else []),
        *_about_queries(lists),
        *_about_images(lists),
        *_about_lengths(protocol, lists, results.withheld),
        *_about_intervals(results),
    )


def _about_benchmark(manifest: Manifest, protocol: Protocol, n_dropped: int) -> Iterator[ReportWarning]:
    if manifest.gallery_policy == "open":
        yield ReportWarning(
            "gallery-open",
            "The list of gallery images is not known here, so every well-formed image id counts as an unjudged image.",
        )
    if not protocol.ranks_uploads:
        yield ReportWarning(
            "uploads-unranked",
            "The right answer can be read off the benchmark's own files, so an uploaded list is shown but never ranked.",
        )
    if protocol.extra_queries:
        yield ReportWarning(
            "queries-added",
            f"Means divide by {protocol.extra_queries} queries more than the benchmark has, as the organisers' server "
            "seems to do.",
        )
    if n_dropped:
        yield ReportWarning(
            "queries-dropped",
            f"{n_dropped} queries have no positive under the protocol {protocol.name} and are left out.",
        )


def _about_parts(protocol: Protocol, lists: Lists) -> Iterator[ReportWarning]:
    for part in protocol.parts:
        if part.name in lists.absent_parts:
            yield ReportWarning("part-missing", f"There are no {part.title}; not given: {', '.join(part.metrics)}.")


def _about_queries(lists: Lists) -> Iterator[ReportWarning]:
    if lists.n_missing:
        present = len(lists.queries)
        yield ReportWarning(
            "queries-missing",
            f"{lists.n_missing} of {present + lists.n_missing} queries have no list; means are over the other {present}.",
        )
    if lists.n_extra:
        yield ReportWarning("queries-extra", f"{lists.n_extra} lists answer no query of the benchmark.")


def _about_images(lists: Lists) -> Iterator[ReportWarning]:
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


def _about_lengths(protocol: Protocol, lists: Lists, withheld: frozenset[str]) -> Iterator[ReportWarning]:
    shortest = int((lists.lengths - lists.most).argmin())
    length, most = int(lists.lengths[shortest]), int(lists.most[shortest])
    if length < most:
        names = [name for name in protocol.metrics if name in withheld]
        consequence = f"not given: {', '.join(names)}" if names else "missing ranks count as empty"
        yield ReportWarning("lists-short", f"The shortest list holds {length} of {most} images; {consequence}.")
    longest = int((lists.lengths - lists.most).argmax())
    length, most = int(lists.lengths[longest]), int(lists.most[longest])
    if length > most:
        yield ReportWarning("lists-long", f"The longest list holds {length} images; only the first {most} count.")


def _about_intervals(results: Results) -> Iterator[ReportWarning]:
    without = [name for name, found in results.metrics.items() if _lacks_interval(found)]
    in_slices = sum(
        _lacks_interval(found)
        for values in results.slices.values()
        for metrics in values.values()
        for found in metrics.values()
    )
    if without or in_slices:
        parts = [f"for {_named(without)}"] if without else []
        parts += [f"for {in_slices} {'value' if in_slices == 1 else 'values'} on slices"] if in_slices else []
        yield ReportWarning(
            "interval-none", f"No interval {' and '.join(parts)}: all bootstrap replicates agree or there is only one."
        )
    is_all = len(results.rough) == len(results.metrics)
    rough = [*(["all queries"] if is_all else results.rough), *results.rough_slices]
    if rough:
        yield ReportWarning(
            "interval-rough", f"Intervals that rest on fewer than {ROUGH_BELOW} units are rough: {_named(rough)}."
        )


def _lacks_interval(found: Estimate) -> bool:
    return found.value is not None and found.low is None


def _named(names: Sequence[str]) -> str:
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {more} more" if more > 0 else "")
