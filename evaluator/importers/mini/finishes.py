"""What is done to a finished image: drawing styles, snowfall, darkness, light.

Every function takes (S, S, 3) floats in 0..255 and returns such an array, perhaps slightly out of that range.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from evaluator.importers.mini.placement import LUMA

Pixels: TypeAlias = NDArray[np.floating[Any]]


def edges(pixels: Pixels) -> tuple[Pixels, Pixels]:
    """(S, S) luminance, and (S, S, 1) strength of its edges in 0..255."""
    luminance: Pixels = pixels @ LUMA
    across = np.abs(np.diff(luminance, axis=1, append=luminance[:, -1:]))
    down = np.abs(np.diff(luminance, axis=0, append=luminance[-1:]))
    strength: Pixels = np.clip((across + down) * 1.3, 0, 255)[..., None]
    return luminance, strength


def sketch(pixels: Pixels, rng: np.random.Generator) -> Pixels:
    """Pencil lines and hatching on paper."""
    size = len(pixels)
    luminance, strength = edges(pixels)
    rows, columns = np.mgrid[:size, :size]
    hatching = ((columns + rows) % 4 == 0)[..., None] * (luminance < 110)[..., None] * 70
    paper = rng.uniform(236, 252)
    lines: Pixels = np.clip(paper - strength * 0.9 - hatching + rng.normal(0, 4, (size, size, 1)), 0, 255)
    tinted: Pixels = lines * np.array([1, 1, 0.98], np.float32)
    return tinted


def blueprint(pixels: Pixels, rng: np.random.Generator) -> Pixels:
    """White lines and a grid on blue."""
    size = len(pixels)
    _, strength = edges(pixels)
    step = int(rng.uniform(14, 18))
    grid = ((np.mgrid[:size, :size] % step) == 0).any(0)[..., None] * 22.0
    paper = np.array([25, 70, 150], np.float32) + rng.uniform(-8, 8)
    drawn: Pixels = paper + grid + strength * np.array([0.9, 0.8, 0.45], np.float32)
    return drawn


def pixel_art(pixels: Pixels, _rng: np.random.Generator) -> Pixels:
    """Fewer pixels and fewer colours."""
    size = len(pixels)
    coarse_size = size * 3 // 8
    coarse = to_image(pixels).resize((coarse_size, coarse_size), Image.Resampling.BOX)
    posterised = (np.asarray(coarse) // 43 * 43 + 20).astype(np.float32)
    blocks = to_image(posterised).resize((size, size), Image.Resampling.NEAREST)
    return np.asarray(blocks).astype(np.float32)


def sepia(pixels: Pixels, rng: np.random.Generator) -> Pixels:
    """Brown, grainy, darker towards the corners."""
    size = len(pixels)
    luminance = (pixels @ LUMA)[..., None]
    from_centre = (((np.mgrid[:size, :size] - size / 2) / size) ** 2).sum(0)[..., None]
    brown: Pixels = (luminance * 0.8 + 30) * np.array([1.08, 0.9, 0.66], np.float32)
    aged: Pixels = brown * (1.08 - 0.9 * from_centre) + rng.normal(0, 5, (size, size, 1))
    return aged


def snowfall(pixels: Pixels, rng: np.random.Generator) -> Pixels:
    """White flakes everywhere."""
    size, snowy = len(pixels), pixels.copy()
    for _ in range(int(size * 0.9)):
        x, y = rng.integers(0, size, 2)
        snowy[y, x] = 250
    return snowy


FINISHES: Mapping[str, Callable[[Pixels, np.random.Generator], Pixels]] = {
    "sketch": sketch,
    "blueprint": blueprint,
    "pixel": pixel_art,
    "sepia": sepia,
    "snow": snowfall,
}
ON_PAPER = ("sketch", "blueprint")
"""Drawn without scenery, and without the light of a photograph."""


def finish(image: Image.Image, modification: str, rng: np.random.Generator) -> Image.Image:
    """Apply the modification's finish, if it has one, and the light."""
    pixels: Pixels = np.asarray(image).astype(np.float32)
    if modification in FINISHES:
        pixels = FINISHES[modification](pixels, rng)
    if modification == "night":
        pixels = pixels * np.array([0.5, 0.52, 0.72], np.float32)
    elif modification not in ON_PAPER:
        pixels = pixels * rng.uniform(0.88, 1.08)
    return to_image(pixels)


def to_image(pixels: Pixels) -> Image.Image:
    """Cut to 0..255 and make an RGB image."""
    return Image.fromarray(pixels.clip(0, 255).astype(np.uint8))
