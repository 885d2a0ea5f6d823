"""Which entries of ranked lists lie outside the gallery of their query."""

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from evaluator.public.bundle import Benchmark
from evaluator.public.lookup import positions_in
from evaluator.public.pairs import pairs_of

Ints = NDArray[np.int64]
_DENSE_CELLS = 1 << 27


def outside_gallery(
    benchmark: Benchmark, queries: Ints, items: NDArray[np.int32], image_ids: pa.Array
) -> NDArray[np.bool_]:
    """Mark entries whose image is not in the gallery of their query. An open gallery holds everything.

    Args:
        queries: (Q, 1) or (N,) int, positions of queries in the benchmark.
        items: (Q, D) or (N,) int32, positions in ``image_ids``; negative ones are no entries.
        image_ids: (V,) different ids.

    Returns:
        Bool in the shape of ``items``.
    """
    if benchmark.manifest.gallery_policy == "open":
        return np.zeros(items.shape, np.bool_)
    galleries = pa.array(benchmark.gallery_ids, pa.string())
    asked = positions_in(benchmark.query_table.column("gallery_id"), galleries)[queries]
    members = benchmark.gallery_table
    of_gallery = positions_in(members.column("gallery_id"), galleries)
    images = positions_in(members.column("image_id"), image_ids)
    named = images >= 0
    inside = _inside(of_gallery[named], images[named], asked, items, len(galleries), len(image_ids))
    return np.asarray(~inside & (items >= 0))


def _inside(
    of_gallery: Ints, images: Ints, asked: Ints, items: NDArray[np.int32], n_galleries: int, n_images: int
) -> NDArray[np.bool_]:
    if np.bincount(images, minlength=1).max() <= 1:
        gallery_of_image = np.full(n_images + 1, -1, np.int32)
        gallery_of_image[images] = of_gallery
        return np.asarray(gallery_of_image[items] == asked.astype(np.int32))
    if n_galleries * n_images <= _DENSE_CELLS:
        table = np.zeros((n_galleries, n_images), np.bool_)
        table[of_gallery, images] = True
        return np.asarray(table[asked, items])
    return pairs_of(of_gallery, images, n_images).holds(asked, items)
