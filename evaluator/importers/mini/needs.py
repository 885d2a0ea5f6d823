"""What is asked of an instance, and what is right: needs with positives and hard negatives by construction."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from evaluator.importers.mini.album import Album, ImageRecord
from evaluator.importers.mini.designs import pick
from evaluator.importers.mini.families import Instance
from evaluator.importers.mini.galleries import Neighbourhood
from evaluator.importers.mini.modifications import MODIFICATION_TYPES, MODIFICATIONS, PLAIN
from evaluator.importers.mini.words import PARAPHRASES, SCENE_PARAPHRASES

STYLED_TYPES = ("context", "addition", "viewpoint")
ALSO_STYLED = "sepia"
"""A photograph's colour does not hide the object, unlike the other domains."""


@dataclass(frozen=True, slots=True)
class Need:
    """Something to be found, whatever the words.

    Attributes:
        id: Such as "i07-beach-styled": instance, modification, kind of reference.
        reference_images: One image of the instance; for a need with two, then one that shows the wanted place.
        paraphrases: Six ways of asking.
        positives: Image ids: the instance under the modification.
        hard_negatives: Kind -> image ids. ``visual``: the same family, another modification; ``composed``: a
            look-alike under the right modification; ``textual``: another family under the right modification.
    """

    id: str
    instance: Instance
    modification: str
    reference_images: tuple[str, ...]
    paraphrases: tuple[str, ...]
    positives: tuple[str, ...]
    hard_negatives: Mapping[str, tuple[str, ...]]


def draw_needs(
    rng: np.random.Generator, near: Neighbourhood, asked: list[str], gallery: list[ImageRecord], album: Album
) -> list[Need]:
    """For every asked modification one need per single reference, and one need with two references for the place."""
    plain = album.of(near.instance, PLAIN)[0]
    styled = album.of(near.instance, pick(rng, styles_unasked(asked)))[-1]
    needs = []
    for modification in asked:
        for kind, reference in (("plain", plain), ("styled", styled)):
            name = f"{near.instance.id}-{modification}-{kind}"
            needs.append(_need(name, near, modification, (reference.id,), PARAPHRASES[modification], gallery))
    place = asked[0]
    scene = _scene_outside(rng, near, place, gallery, album)
    references = (plain.id, scene.id)
    needs.append(_need(f"{near.instance.id}-{place}-pair", near, place, references, SCENE_PARAPHRASES, gallery))
    return needs


def styles_unasked(asked: list[str]) -> list[str]:
    """Modifications that a reference image may show already: visible ones that no query of the instance asks for."""
    visible = [name for name in MODIFICATIONS if MODIFICATION_TYPES[name] in STYLED_TYPES] + [ALSO_STYLED]
    return [name for name in visible if name not in asked]


def _scene_outside(
    rng: np.random.Generator, near: Neighbourhood, place: str, gallery: list[ImageRecord], album: Album
) -> ImageRecord:
    """A stranger in the wanted place that the gallery does not hold."""
    held = {record.id for record in gallery}
    return pick(rng, [record for record in album.of_all(near.strangers, place) if record.id not in held])


def _need(
    name: str,
    near: Neighbourhood,
    modification: str,
    references: tuple[str, ...],
    paraphrases: tuple[str, ...],
    gallery: list[ImageRecord],
) -> Need:
    look_alikes = {instance.id for instance in near.look_alikes}
    family = look_alikes | {near.instance.id}
    right = [record for record in gallery if record.modification == modification]
    wrong = [record for record in gallery if record.modification != modification]
    return Need(
        id=name,
        instance=near.instance,
        modification=modification,
        reference_images=references,
        paraphrases=paraphrases,
        positives=tuple(record.id for record in right if record.instance_id == near.instance.id),
        hard_negatives={
            "visual": tuple(record.id for record in wrong if record.instance_id in family),
            "composed": tuple(record.id for record in right if record.instance_id in look_alikes),
            "textual": tuple(record.id for record in right if record.instance_id not in family),
        },
    )
