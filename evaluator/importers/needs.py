"""Which of PinPoint's queries word the same need. The files do not say; this derivation is ours.

Paraphrases of a need stand near each other in query numbers and share their positives or their images. Neither alone
suffices: annotators sometimes judged wordings apart, and a few substitute images stand in for hundreds of references,
so that one image pair can join hundreds of unrelated instructions.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

REACH: Final = 6
"""Queries whose numbers differ by more are never connected directly: a need has six wordings."""

SUBSTITUTE_FROM: Final = 20
"""An image that is a reference of so many different positive sets is a substitute and connects nothing."""


@dataclass(frozen=True, slots=True)
class Wording:
    """What the derivation looks at in a query.

    Attributes:
        number: The query's number in the organiser's file.
        images: Reference images, one or two, in order.
        positives: The positives as a set.
    """

    number: int
    images: tuple[str, ...]
    positives: frozenset[str]


def derive_needs(wordings: Sequence[Wording]) -> list[int]:
    """Derive the need of each query.

    Args:
        wordings: All queries of the benchmark, in any order, numbers unique.

    Returns:
        For each query, the lowest query number in its need.

    Example:
        >>> same = frozenset({"p"})
        >>> derive_needs([Wording(1, ("a",), same), Wording(7, ("b",), same), Wording(14, ("c",), same)])
        [1, 1, 14]
    """
    substitutes = _substitutes(wordings)
    groups: dict[Hashable, list[int]] = defaultdict(list)
    for wording in wordings:
        groups["positives", wording.positives].append(wording.number)
        if substitutes.isdisjoint(wording.images):
            groups["images", wording.images].append(wording.number)
    roots = {wording.number: wording.number for wording in wordings}
    for numbers in groups.values():
        for lower, higher in pairwise(sorted(numbers)):
            if higher - lower <= REACH:
                _join(roots, lower, higher)
    return [_root(roots, wording.number) for wording in wordings]


def _substitutes(wordings: Iterable[Wording]) -> frozenset[str]:
    positive_sets: dict[str, set[frozenset[str]]] = defaultdict(set)
    for wording in wordings:
        for image in wording.images:
            positive_sets[image].add(wording.positives)
    return frozenset(image for image, found in positive_sets.items() if len(found) >= SUBSTITUTE_FROM)


def _root(roots: dict[int, int], number: int) -> int:
    while roots[number] != number:
        roots[number] = roots[roots[number]]
        number = roots[number]
    return number


def _join(roots: dict[int, int], one: int, other: int) -> None:
    low, high = sorted((_root(roots, one), _root(roots, other)))
    roots[high] = low
