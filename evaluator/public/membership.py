"""Which entries of ranked lists lie outside the gallery of their query."""

import numpy as np
from numpy.typing import NDArray

from evaluator.public.blocks import for_each_block
from evaluator.public.bundle import Benchmark
from evaluator.public.pairs import pairs_of

Ints = NDArray[np.int64]
_DENSE_CELLS = 1 << 27
_AT_ONCE = 1 << 18


def outside_gallery(benchmark: Benchmark, queries: Ints, items: NDArray[np.int32], places: Ints) -> NDArray[np.bool_]:
    """Mark entries whose image is not in the gallery of their query. An open gallery holds everything.

    Args:
        queries: (Q, 1) or (N,) int, positions of queries in the benchmark.
        items: (Q, D) or (N,) int32, positions in a vocabulary; negative ones are no entries.
        places: (V,) int, position of each id of that vocabulary in the benchmark's image ids, -1 for none.

    Returns:
        Bool in the shape of ``items``.
    """
    if benchmark.manifest.gallery_policy == "open":
        return np.zeros(items.shape, np.bool_)
    if len(benchmark.gallery_ids) == 1:
        is_stray = np.append(places < 0, False)
        return is_stray[items] if is_stray.any() else np.zeros(items.shape, np.bool_)
    return np.asarray(~_inside(benchmark, benchmark.gallery_of_query[queries], items, places) & (items >= 0))


def _inside(benchmark: Benchmark, asked: Ints, items: NDArray[np.int32], places: Ints) -> NDArray[np.bool_]:
    galleries, images = benchmark.members
    n_galleries, n_images = len(benchmark.gallery_ids), len(benchmark.image_ids)
    # The last place is that of what is no image, so that -1 finds it.
    if len(images) == n_images:
        gallery_of_image = np.full(n_images + 1, -1, np.int32)
        gallery_of_image[images] = galleries
        own = np.append(gallery_of_image[places], np.int32(-1))
        return _gathered(own, asked.astype(np.int32), items)
    if n_galleries * n_images <= _DENSE_CELLS:
        table = np.zeros((n_galleries, n_images + 1), np.bool_)
        table[galleries, images] = True
        return np.asarray(table[asked, np.append(places, -1)[items]])
    listed = np.append(places, -1).astype(np.int32)[items]
    return pairs_of(galleries, images, n_images).holds(asked, listed)


def _gathered(own: NDArray[np.int32], asked: NDArray[np.int32], items: NDArray[np.int32]) -> NDArray[np.bool_]:
    inside = np.empty(items.shape, np.bool_)

    def look(block: slice) -> None:
        inside[block] = own[items[block]] == asked[block]

    for_each_block(look, len(items), max(1, _AT_ONCE // max(1, items[:1].size)))
    return inside
