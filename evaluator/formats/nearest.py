"""The nearest valid id to one that is not."""

from bisect import bisect_left
from collections.abc import Iterable
from difflib import SequenceMatcher

HINTS = 200
"""Most hints of one check: people read the first ones, and a file of unknown ids must not cost minutes."""
NEIGHBOURS = 3
SIMILAR = 0.75
LONGEST = 200


class NearestIds:
    """Finds near ids through two sorted lists, one of them reversed: an id with one slip keeps its head or its tail.

    Example:
        >>> NearestIds(["c60046a8", "d5e16bae"]).hint("c60046a9")
        'Did you mean c60046a8?'
    """

    def __init__(self, ids: Iterable[str]) -> None:
        """Prepare for at most `HINTS` hints; the lists are sorted when the first is asked for."""
        self._ids = ids
        self._sorted: list[str] = []
        self._reversed: list[str] = []
        self._left = HINTS

    def hint(self, text: str) -> str:
        """A sentence that names the nearest id, or "" if none is near or all hints are given."""
        if not self._left or not text or len(text) > LONGEST:
            return ""
        self._left -= 1
        if not self._sorted:
            self._sorted = sorted(self._ids)
            self._reversed = sorted(name[::-1] for name in self._sorted)
        best, likeness = max(
            ((name, SequenceMatcher(None, text, name).ratio()) for name in self._candidates(text)),
            key=lambda pair: pair[1],
            default=("", 0.0),
        )
        return f"Did you mean {best}?" if likeness >= SIMILAR else ""

    def _candidates(self, text: str) -> list[str]:
        heads = _around(self._sorted, text)
        tails = [name[::-1] for name in _around(self._reversed, text[::-1])]
        return heads + tails


def _around(names: list[str], text: str) -> list[str]:
    place = bisect_left(names, text)
    return names[max(0, place - NEIGHBOURS) : place + NEIGHBOURS]
