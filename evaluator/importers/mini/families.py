"""Instances, in families of three that are hard to tell apart."""

from dataclasses import dataclass, replace

import numpy as np

from evaluator.importers.mini.designs import (
    COLOURS,
    EMBLEMS,
    PATTERNS,
    SHAPES,
    VISUAL_CATEGORIES,
    Design,
    contrast,
    pick,
    random_design,
    random_jitter,
)
from evaluator.importers.mini.sizes import Sizes
from evaluator.importers.mini.streams import FAMILIES, stream

LIGHT_ABOVE, DARK_BELOW = 165, 95
LEAST_CONTRAST = 50
"""Between body and accent, in luminance: below about 40 a pattern vanishes in gold, glass, sepia and sketches."""


@dataclass(frozen=True, slots=True)
class Instance:
    """One object that queries ask for.

    Attributes:
        id: Such as "i07"; also the id of its gallery.
        family: Number of its family; the members are each other's look-alikes.
    """

    id: str
    family: int
    design: Design

    @property
    def visual_category(self) -> str:
        """What kind of thing it is, such as "household"."""
        return VISUAL_CATEGORIES[self.design.shape]

    @property
    def body_tone(self) -> str:
        """Light, medium or dark, by the mean channel of its body's named colour."""
        mean = sum(COLOURS[self.design.body]) / 3
        if mean > LIGHT_ABOVE:
            return "light"
        return "dark" if mean < DARK_BELOW else "medium"


def draw_instances(seed: int, sizes: Sizes) -> tuple[Instance, ...]:
    """All instances, family by family; one family per shape."""
    rng = stream(seed, FAMILIES)
    designs = [design for shape in SHAPES[: sizes.n_families] for design in draw_family(rng, shape)]
    return tuple(Instance(f"i{number:02d}", number // 3, design) for number, design in enumerate(designs))


def draw_family(rng: np.random.Generator, shape: str) -> tuple[Design, Design, Design]:
    """A base and two look-alikes: one with another emblem, one with another pattern.

    The second may have another accent as well, but look-alikes never differ by colour alone: a sketch, a golden
    statue or a glass one would make them the same. For that a pattern must also be lighter or darker than the body.
    """
    base = replace(_contrasting_design(rng, shape), pattern=pick(rng, [name for name in PATTERNS if name != "plain"]))
    other_emblem = replace(base, emblem=pick(rng, [name for name in EMBLEMS if name != base.emblem]))
    other_pattern = replace(base, pattern=pick(rng, [name for name in PATTERNS if name != base.pattern]))
    if rng.random() < 0.5:
        accents = [name for name in COLOURS if name != base.accent and contrast(base.body, name) >= LEAST_CONTRAST]
        other_pattern = replace(other_pattern, accent=pick(rng, accents))
    return base, _varied(rng, other_emblem), _varied(rng, other_pattern)


def _contrasting_design(rng: np.random.Generator, shape: str) -> Design:
    """A design whose pattern shows without colour."""
    while contrast((design := random_design(rng, shape)).body, design.accent) < LEAST_CONTRAST:
        pass
    return design


def _varied(rng: np.random.Generator, design: Design) -> Design:
    """The same description with slightly other proportions and shades."""
    jitter = random_jitter(rng)
    a, b, c = (round(float(np.clip(share + rng.uniform(-0.15, 0.15), 0, 1)), 3) for share in design.variant)
    return replace(design, variant=(a, b, c), jitter=jitter)
