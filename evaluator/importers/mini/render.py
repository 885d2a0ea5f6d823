"""One picture of an object under one modification."""

from dataclasses import replace

import numpy as np
from PIL import Image

from evaluator.importers.mini.backgrounds import NEUTRAL, draw_background
from evaluator.importers.mini.designs import pick
from evaluator.importers.mini.finishes import ON_PAPER, finish
from evaluator.importers.mini.modifications import MODIFICATION_TYPES
from evaluator.importers.mini.placement import Spot, in_material, place
from evaluator.importers.mini.props import Carrier, draw_balloon, draw_hat

IMAGE_PX = 64
SUPERSAMPLING = 3
PAPER = (235, 235, 232)
TURNS = {"upside": 180, "side": 90}


def render(layer: Image.Image, modification: str, rng: np.random.Generator, size: int = IMAGE_PX) -> Image.Image:
    """Draw a scene with the object in it.

    Args:
        layer: The object, as ``draw_object`` returns it.
        modification: One of ``MODIFICATIONS``, or ``PLAIN``.
        rng: Decides background, position, light and noise; the same state gives the same picture.
        size: Width and height in pixels.
    """
    scene = _scenery(modification, rng, size * SUPERSAMPLING)
    spot = Spot(
        half=rng.uniform(0.32, 0.4),
        turn=rng.uniform(-9, 9) + TURNS.get(modification, 0),
        x=rng.uniform(0.43, 0.57),
        y=rng.uniform(0.46, 0.58),
    )
    _compose(scene, _in_its_material(layer, modification), modification, rng, spot)
    return finish(scene.reduce(SUPERSAMPLING), modification, rng)


def _scenery(modification: str, rng: np.random.Generator, width: int) -> Image.Image:
    """The place that was asked for, a neutral background, or paper."""
    kind = modification if MODIFICATION_TYPES.get(modification) == "context" else pick(rng, NEUTRAL)
    if modification in ON_PAPER:
        return Image.new("RGB", (width, width), PAPER)
    return draw_background(kind, rng, width)


def _in_its_material(layer: Image.Image, modification: str) -> Image.Image:
    if modification == "gold":
        return in_material(layer, (70, 40, 0), (255, 225, 110))
    if modification == "glass":
        return in_material(layer, (20, 70, 90), (225, 250, 255), 0.45)
    return layer


def _compose(scene: Image.Image, layer: Image.Image, modification: str, rng: np.random.Generator, spot: Spot) -> None:
    """Place the object, and what the modification adds to it."""
    match modification:
        case "three":
            _place_three(scene, layer, rng)
        case "tiny":
            far = Spot(rng.uniform(0.25, 0.75), rng.uniform(0.45, 0.75), rng.uniform(0.15, 0.17), spot.turn)
            place(scene, layer, far, shadow=True)
        case "mug" | "shirt":
            _print_on(scene, layer, modification, rng, spot)
        case "hat":
            crowned = replace(spot, half=spot.half * 0.82, y=0.6)
            place(scene, layer, crowned, shadow=True)
            draw_hat(scene, rng, crowned, layer)
        case "balloon":
            x = rng.uniform(0.38, 0.44) if rng.random() < 0.5 else rng.uniform(0.56, 0.62)
            tied = replace(spot, half=spot.half * 0.88, x=x, y=0.58)
            draw_balloon(scene, rng, tied)
            place(scene, layer, tied, shadow=True)
        case _:
            place(scene, layer, spot, shadow=modification not in (*ON_PAPER, "upside"))


def _place_three(scene: Image.Image, layer: Image.Image, rng: np.random.Generator) -> None:
    """Three copies side by side; which one overlaps its neighbour is left to chance."""
    for column in rng.permutation(3):
        spot = Spot(
            x=0.2 + 0.3 * int(column) + rng.uniform(-0.02, 0.02),
            y=rng.uniform(0.4, 0.62),
            half=rng.uniform(0.17, 0.2),
            turn=rng.uniform(-9, 9),
        )
        place(scene, layer, spot, shadow=True)


def _print_on(scene: Image.Image, layer: Image.Image, modification: str, rng: np.random.Generator, spot: Spot) -> None:
    """The object as a print on a mug or a shirt."""
    carrier = Carrier(scene, rng)
    x, y = carrier.mug() if modification == "mug" else carrier.shirt()
    place(scene, layer, Spot(x, y, rng.uniform(0.22, 0.25), spot.turn * 0.5), shadow=False)
