"""The gallery of an instance: what its queries rank."""

from dataclasses import dataclass

import numpy as np

from evaluator.importers.mini.album import Album, ImageRecord
from evaluator.importers.mini.designs import pick
from evaluator.importers.mini.families import Instance
from evaluator.importers.mini.modifications import MODIFICATION_TYPES, MODIFICATIONS, PLAIN
from evaluator.importers.mini.sizes import Sizes


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """An instance among the others: its look-alikes are its family, the strangers everybody else."""

    instance: Instance
    look_alikes: tuple[Instance, ...]
    strangers: tuple[Instance, ...]


def neighbourhood(instance: Instance, instances: tuple[Instance, ...]) -> Neighbourhood:
    """Divide the other instances into look-alikes and strangers."""
    others = [other for other in instances if other.id != instance.id]
    return Neighbourhood(
        instance,
        look_alikes=tuple(other for other in others if other.family == instance.family),
        strangers=tuple(other for other in others if other.family != instance.family),
    )


def choose_modifications(rng: np.random.Generator, n_asked: int) -> list[str]:
    """A place, then modifications of other types, each type at most once."""
    others = sorted(set(MODIFICATION_TYPES.values()) - {"context"})
    chosen = [others[int(index)] for index in rng.permutation(len(others))[: n_asked - 1]]
    return [pick(rng, of_type(kind)) for kind in ["context", *chosen]]


def of_type(kind: str) -> list[str]:
    """The modifications of one type."""
    return [name for name in MODIFICATIONS if MODIFICATION_TYPES[name] == kind]


def compose_gallery(
    rng: np.random.Generator, near: Neighbourhood, asked: list[str], album: Album, sizes: Sizes
) -> list[ImageRecord]:
    """All positives, the three kinds of hard negatives of every asked modification, and unrelated images; shuffled."""
    members = _own(near.instance, asked, album, sizes)
    for look_alike in near.look_alikes:
        members += _of_look_alike(look_alike, asked, album, sizes)
    for modification in asked:
        members += _sample(rng, album.of_all(near.strangers, modification), sizes.n_textual)
    members += _sample(rng, album.of_all(near.strangers, PLAIN, start=sizes.n_kept_out), sizes.n_unrelated)
    return _sample(rng, members, len(members))


def _own(instance: Instance, asked: list[str], album: Album, sizes: Sizes) -> list[ImageRecord]:
    members = album.of(instance, PLAIN)[sizes.n_kept_out :]
    for modification in MODIFICATIONS:
        images = album.of(instance, modification)
        members = members + (images if modification in asked else images[: sizes.n_own_unasked])
    return members


def _of_look_alike(instance: Instance, asked: list[str], album: Album, sizes: Sizes) -> list[ImageRecord]:
    members = album.of(instance, PLAIN)[sizes.n_kept_out :][: sizes.n_look_alike_plain]
    for modification in MODIFICATIONS:
        images = album.of(instance, modification)
        members = members + (images if modification in asked else images[: sizes.n_look_alike_unasked])
    return members


def _sample(rng: np.random.Generator, records: list[ImageRecord], n_records: int) -> list[ImageRecord]:
    """The given number of records, in random order."""
    return [records[int(index)] for index in rng.permutation(len(records))[:n_records]]
