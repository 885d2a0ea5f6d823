"""What makes an instance: a shape, two colours, a pattern and an emblem, all of which can be named.

An unnamed ``variant`` (proportions) and ``jitter`` (slight colour shifts) keep two drawings of one description apart.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias, TypeVar

import numpy as np

RGB: TypeAlias = tuple[int, int, int]
T = TypeVar("T")

VISUAL_CATEGORIES: Mapping[str, str] = {
    "teapot": "household",
    "vase": "household",
    "lamp": "household",
    "car": "mobility",
    "boat": "mobility",
    "rocket": "mobility",
    "house": "landmark",
    "castle": "landmark",
    "robot": "fictional",
    "ghost": "fictional",
    "fish": "animal",
    "bird": "animal",
    "backpack": "fashion",
    "boot": "fashion",
    "guitar": "technology",
    "camera": "technology",
}
SHAPES: tuple[str, ...] = tuple(VISUAL_CATEGORIES)
COLOURS: Mapping[str, RGB] = {
    "red": (214, 40, 40),
    "orange": (245, 135, 25),
    "yellow": (250, 214, 40),
    "green": (50, 160, 70),
    "blue": (35, 95, 205),
    "purple": (130, 60, 170),
    "pink": (245, 130, 180),
    "brown": (125, 75, 40),
    "white": (245, 245, 240),
    "black": (45, 42, 48),
}
PATTERNS: tuple[str, ...] = ("plain", "striped", "banded", "dotted", "checked", "zigzag")
EMBLEMS: tuple[str, ...] = ("star", "heart", "moon", "cross", "bolt", "ring", "triangle", "flower")
JITTER = 12


class Description(NamedTuple):
    """All of a design that words can say; two instances never share one."""

    shape: str
    body: str
    accent: str
    pattern: str
    emblem: str


@dataclass(frozen=True, slots=True)
class Design:
    """One drawable object.

    Args:
        variant: Three numbers in [0, 1]: proportions and details of the shape.
        jitter: Six shifts in -12..12: red, green, blue of the body, then of the accent.
    """

    shape: str
    body: str
    accent: str
    pattern: str
    emblem: str
    variant: tuple[float, float, float]
    jitter: tuple[int, int, int, int, int, int]

    @property
    def description(self) -> Description:
        """The nameable part of the design."""
        return Description(self.shape, self.body, self.accent, self.pattern, self.emblem)

    @property
    def body_rgb(self) -> RGB:
        """The body's colour, shifted by its jitter."""
        return shifted(COLOURS[self.body], self.jitter[:3])

    @property
    def accent_rgb(self) -> RGB:
        """The accent's colour, shifted by its jitter."""
        return shifted(COLOURS[self.accent], self.jitter[3:])


def shifted(colour: RGB, shift: Sequence[int]) -> RGB:
    """Add a shift to each channel and keep it in 0..255."""
    red, green, blue = (min(255, max(0, channel + step)) for channel, step in zip(colour, shift, strict=True))
    return red, green, blue


def contrast(one: str, other: str) -> float:
    """How far two named colours lie apart in luminance, 0..255."""
    return abs(luminance(COLOURS[one]) - luminance(COLOURS[other]))


def luminance(colour: RGB) -> float:
    """How light a colour is, 0..255."""
    red, green, blue = colour
    return 0.3 * red + 0.59 * green + 0.11 * blue


def pick(rng: np.random.Generator, choices: Sequence[T]) -> T:
    """One of the choices; unlike ``rng.choice`` it keeps the element's own type."""
    return choices[int(rng.integers(len(choices)))]


def random_jitter(rng: np.random.Generator) -> tuple[int, int, int, int, int, int]:
    """Six colour shifts in -12..12."""
    a, b, c, d, e, f = (int(step) for step in rng.integers(-JITTER, JITTER + 1, 6))
    return a, b, c, d, e, f


def random_design(rng: np.random.Generator, shape: str) -> Design:
    """A design of the given shape with two different colours."""
    names = list(COLOURS)
    body, accent = rng.permutation(len(names))[:2]
    pattern, emblem = pick(rng, PATTERNS), pick(rng, EMBLEMS)
    a, b, c = (round(float(share), 3) for share in rng.random(3))
    return Design(shape, names[body], names[accent], pattern, emblem, (a, b, c), random_jitter(rng))
