"""Draws all images as PNG, on several processes."""

import io
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import groupby
from multiprocessing import get_context

from evaluator.importers.mini.album import ImageRecord
from evaluator.importers.mini.benchmark import MiniBenchmark
from evaluator.importers.mini.designs import Design
from evaluator.importers.mini.objects import draw_object
from evaluator.importers.mini.render import render
from evaluator.importers.mini.streams import PIXELS, stream


@dataclass(frozen=True, slots=True)
class Sitting:
    """All images of one instance, so that its object is drawn once."""

    seed: int
    design: Design
    records: tuple[ImageRecord, ...]


def draw_images(benchmark: MiniBenchmark, n_processes: int = 2) -> dict[str, bytes]:
    """Image id -> PNG file. The pictures do not depend on the number of processes."""
    sittings = _sittings(benchmark)
    if n_processes == 1:
        return _collected(map(draw_sitting, sittings))
    # A fresh interpreter per process: a forked one could inherit a lock that some thread of the caller holds.
    with ProcessPoolExecutor(n_processes, mp_context=get_context("spawn")) as pool:
        return _collected(pool.map(draw_sitting, sittings))


def draw_sitting(sitting: Sitting) -> list[tuple[str, bytes]]:
    """Image id and PNG file of each of the sitting's images."""
    layer = draw_object(sitting.design)
    drawn = []
    for record in sitting.records:
        picture = render(layer, record.modification, stream(sitting.seed, PIXELS, record.number))
        file = io.BytesIO()
        picture.save(file, "PNG")
        drawn.append((record.id, file.getvalue()))
    return drawn


def _sittings(benchmark: MiniBenchmark) -> list[Sitting]:
    designs = {instance.id: instance.design for instance in benchmark.instances}
    by_instance = groupby(benchmark.images, key=lambda record: record.instance_id)
    return [Sitting(benchmark.seed, designs[instance_id], tuple(records)) for instance_id, records in by_instance]


def _collected(drawn: Iterable[Sequence[tuple[str, bytes]]]) -> dict[str, bytes]:
    return {image_id: file for images in drawn for image_id, file in images}
