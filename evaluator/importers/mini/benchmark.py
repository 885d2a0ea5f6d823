"""The whole benchmark as records, before a pixel is drawn."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from evaluator.importers.mini.album import Album, ImageRecord
from evaluator.importers.mini.families import Instance, draw_instances
from evaluator.importers.mini.galleries import choose_modifications, compose_gallery, neighbourhood
from evaluator.importers.mini.needs import Need, draw_needs
from evaluator.importers.mini.sizes import Sizes
from evaluator.importers.mini.streams import NEEDS, stream
from evaluator.public.digests import digest_mapping


@dataclass(frozen=True)
class MiniBenchmark:
    """Instances, images, one gallery per instance (gallery id = instance id -> image ids), and needs."""

    seed: int
    instances: tuple[Instance, ...]
    images: tuple[ImageRecord, ...]
    galleries: Mapping[str, tuple[str, ...]]
    needs: tuple[Need, ...]

    @property
    def digest(self) -> str:
        """SHA-256 over all records; equal wherever the same seed and sizes were used."""
        return digest_mapping(asdict(self))


def draw_benchmark(seed: int, sizes: Sizes | None = None) -> MiniBenchmark:
    """Draw instances, galleries and needs for a seed; the default sizes are the benchmark as published."""
    sizes = sizes or Sizes()
    instances = draw_instances(seed, sizes)
    album = Album(instances, sizes)
    galleries: dict[str, tuple[str, ...]] = {}
    needs: list[Need] = []
    for number, instance in enumerate(instances):
        rng, near = stream(seed, NEEDS, number), neighbourhood(instance, instances)
        asked = choose_modifications(rng, sizes.n_asked)
        gallery = compose_gallery(rng, near, asked, album, sizes)
        galleries[instance.id] = tuple(record.id for record in gallery)
        needs += draw_needs(rng, near, asked, gallery, album)
    return MiniBenchmark(seed, instances, tuple(album.records), galleries, tuple(needs))
