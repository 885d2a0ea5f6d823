"""The sixteen shapes by name."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from evaluator.importers.mini.badge import Badge
from evaluator.importers.mini.pen import Pen
from evaluator.importers.mini.shapes_creatures import bird, fish, ghost, robot
from evaluator.importers.mini.shapes_goods import backpack, boot, camera, guitar, lamp, teapot, vase
from evaluator.importers.mini.shapes_places import boat, car, castle, house, rocket

DrawShape: TypeAlias = Callable[[Pen, float, float, float], Badge]

DRAW_SHAPE: Mapping[str, DrawShape] = {
    "teapot": teapot,
    "vase": vase,
    "lamp": lamp,
    "car": car,
    "boat": boat,
    "rocket": rocket,
    "house": house,
    "castle": castle,
    "robot": robot,
    "ghost": ghost,
    "fish": fish,
    "bird": bird,
    "backpack": backpack,
    "boot": boot,
    "guitar": guitar,
    "camera": camera,
}
