"""Draw the mini benchmark and write it as a bundle."""

from pathlib import Path

import pyarrow as pa

from evaluator.importers import bundle_writer
from evaluator.importers.mini.benchmark import MiniBenchmark, draw_benchmark
from evaluator.importers.mini.manifest import mini_manifest
from evaluator.importers.mini.pixels import draw_images
from evaluator.importers.mini.queries import judgements_table, queries_of
from evaluator.importers.mini.sizes import Sizes
from evaluator.public.bundle import GALLERY_SCHEMA


def write_bundle(out: Path, seed: int, sizes: Sizes | None = None, n_processes: int = 2) -> Path:
    """Draw everything and write the bundle.

    Args:
        out: Directory to make; it must not exist or be an earlier bundle of this benchmark.
        seed: Decides every record and every pixel.
        sizes: Smaller counts make a smaller benchmark; the default is the benchmark as published.
        n_processes: How many processes draw the images.

    Returns:
        ``out``.

    Raises:
        ImportSourceError: If ``out`` holds something else.
    """
    benchmark = draw_benchmark(seed, sizes)
    parts = bundle_writer.BundleParts(
        manifest=mini_manifest(seed),
        queries=[query for need in benchmark.needs for query in queries_of(need)],
        galleries=_galleries_table(benchmark),
        judgements=judgements_table(benchmark.needs),
        show_judgements=True,
        images=draw_images(benchmark, n_processes),
    )
    bundle_writer.write_bundle(out, parts)
    return out


def _galleries_table(benchmark: MiniBenchmark) -> pa.Table:
    members = [(gallery, image) for gallery, images in benchmark.galleries.items() for image in images]
    gallery_column, image_column = zip(*members, strict=True)
    return pa.table([gallery_column, image_column], schema=GALLERY_SCHEMA)
