"""A set of (key, item) pairs of integers, made to be asked about millions of pairs of which few are in it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluator.public.blocks import for_each_block

Keys = NDArray[np.int64] | NDArray[np.int32]

_BLOCK = 1 << 18
_KEY_FACTOR, _ITEM_FACTOR = np.uint32(2654435769), np.uint32(2246822519)
"""Odd numbers whose multiples scatter over 32 bits."""


@dataclass(frozen=True)
class PairSet:
    """Pairs, and a filter by which most others are told apart with one look into a small table.

    Attributes:
        pairs: (P,) int64, ``key * width + item``, not decreasing.
        width: More than the largest item.
        filter: (2**bits,) bool, true where the hash of some pair falls.
        shift: 32 - bits.
    """

    pairs: NDArray[np.int64]
    width: int
    filter: NDArray[np.bool_]
    shift: np.uint32

    def holds(self, keys: Keys, items: NDArray[np.int32]) -> NDArray[np.bool_]:
        """Whether each pair is in the set.

        Args:
            keys: (Q, 1) or (N,) int >= 0.
            items: (Q, D) or (N,) int32; negative ones are in no pair.

        Returns:
            Bool in the shape of ``items``.

        Example:
            >>> pairs_of(np.array([1]), np.array([2]), 3).holds(np.array([[0], [1]]), np.array([[2], [2]], np.int32))
            array([[False],
                   [ True]])
        """
        found = np.zeros(items.shape, np.bool_)
        if len(self.pairs) == 0 or items.size == 0:
            return found
        step = max(1, _BLOCK // max(1, items[0].size))
        for_each_block(lambda block: self._mark(keys[block], items[block], found[block]), len(items), step)
        return found

    def _mark(self, keys: Keys, items: NDArray[np.int32], found: NDArray[np.bool_]) -> None:
        places = np.flatnonzero(self.filter[_hash(keys, items, self.shift)])
        chosen = items.reshape(-1)[places].astype(np.int64)
        listed = keys.reshape(-1)[places // (items.size // keys.size)].astype(np.int64) * self.width + chosen
        nearest = self.pairs[np.minimum(np.searchsorted(self.pairs, listed), len(self.pairs) - 1)]
        found.reshape(-1)[places[(nearest == listed) & (chosen >= 0)]] = True


def pairs_of(keys: NDArray[np.int64], items: NDArray[np.int64], n_items: int) -> PairSet:
    """Make a set.

    Args:
        keys: (P,) int >= 0.
        items: (P,) int below ``n_items``; pairs with a negative one are left out.
        n_items: Number of different items.
    """
    held = items >= 0
    keys, items = keys[held], items[held]
    bits = int(np.clip(np.ceil(np.log2(max(1, len(keys)) * 16)), 12, 24))
    shift = np.uint32(32 - bits)
    table = np.zeros(1 << bits, np.bool_)
    table[_hash(keys, items.astype(np.int32), shift)] = True
    return PairSet(np.sort(keys * n_items + items), n_items, table, shift)


def _hash(keys: Keys, items: NDArray[np.int32], shift: np.uint32) -> NDArray[np.uint32]:
    mixed = items.astype(np.uint32) * _ITEM_FACTOR + keys.astype(np.uint32) * _KEY_FACTOR
    return np.asarray(mixed >> shift)
