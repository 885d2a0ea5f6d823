"""Three neutral backgrounds and the four places that a modification can ask for.

Every function draws a square of ``width`` pixels; ``horizon`` is the share of the height where the ground begins.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from PIL import Image, ImageDraw

from evaluator.importers.mini.designs import RGB

NEUTRAL: tuple[str, ...] = ("studio", "room", "garden")
DrawScenery: TypeAlias = Callable[[np.random.Generator, int, float], Image.Image]


def near(rng: np.random.Generator, colour: RGB, spread: int = 14) -> RGB:
    """A colour at most ``spread`` away in each channel."""
    red, green, blue = np.clip(np.asarray(colour) + rng.integers(-spread, spread + 1, 3), 0, 255)
    return int(red), int(green), int(blue)


def ramp(width: int, top: ArrayLike, bottom: ArrayLike, end: float = 1.0) -> Image.Image:
    """A vertical gradient that reaches ``bottom`` at the share ``end`` of the height."""
    share = np.clip(np.linspace(0, 1, width) / end, 0, 1)[:, None, None]
    colours = np.asarray(top, np.float32) * (1 - share) + np.asarray(bottom, np.float32) * share
    column = colours.clip(0, 255).astype(np.uint8)
    return Image.fromarray(np.ascontiguousarray(np.broadcast_to(column, (width, width, 3))))


def dot(draw: ImageDraw.ImageDraw, x: float, y: float, radius: float, colour: Sequence[int]) -> None:
    """A filled circle."""
    draw.ellipse([x - radius, y - radius, x + radius, y + radius], fill=tuple(colour))


def studio(rng: np.random.Generator, width: int) -> Image.Image:
    """A plain wall, darker below."""
    wall = rng.integers(150, 235, 3)
    return ramp(width, wall, wall - rng.integers(10, 60))


def room(rng: np.random.Generator, width: int, horizon: float) -> Image.Image:
    """A wall with a window above a floor."""
    scenery = ramp(width, near(rng, (215, 200, 185), 30), near(rng, (205, 195, 190), 30))
    draw, ground = ImageDraw.Draw(scenery), int(horizon * width)
    draw.rectangle([0, ground, width, width], fill=near(rng, (150, 125, 110), 25))
    draw.line([0, ground, width, ground], fill=(240, 240, 235), width=5)
    x, light = int(rng.uniform(0, 0.6) * width), (240, 240, 240)
    window = [x, width * 0.06, x + width * 0.3, width * 0.36]
    draw.rectangle(window, fill=near(rng, (170, 205, 230)), outline=light, width=5)
    return scenery


def garden(rng: np.random.Generator, width: int, horizon: float) -> Image.Image:
    """A lawn with bushes and flowers."""
    scenery = ramp(width, near(rng, (140, 200, 240)), near(rng, (215, 235, 245)), horizon)
    draw, ground = ImageDraw.Draw(scenery), int(horizon * width)
    draw.rectangle([0, ground, width, width], fill=near(rng, (95, 165, 75)))
    for _ in range(5):
        x, radius = rng.uniform(0, width), rng.uniform(0.06, 0.14) * width
        bush = [x - radius, ground - radius, x + radius, ground + radius * 0.6]
        draw.ellipse(bush, fill=near(rng, (60, 125, 60), 20))
    for _ in range(14):
        x, y = rng.uniform(0, width), rng.uniform(ground, width)
        dot(draw, x, y, 4, near(rng, (230, 120, 170), 25))
    return scenery


def beach(rng: np.random.Generator, width: int, horizon: float) -> Image.Image:
    """Sand, a strip of sea with waves, and the sun."""
    scenery = ramp(width, near(rng, (95, 190, 245)), near(rng, (190, 230, 250)), horizon)
    draw, shore = ImageDraw.Draw(scenery), int(horizon * width)
    draw.rectangle([0, shore - int(0.2 * width), width, shore], fill=near(rng, (20, 130, 190)))
    draw.rectangle([0, shore, width, width], fill=near(rng, (240, 212, 140)))
    dot(draw, rng.uniform(0.1, 0.9) * width, width * 0.1, 0.08 * width, (255, 240, 130))
    for _ in range(3):
        x, y = rng.uniform(0, width), shore - rng.uniform(0.02, 0.17) * width
        draw.line([x, y, x + 0.2 * width, y], fill=(225, 245, 250), width=3)
    for _ in range(25):
        x, y = rng.uniform(0, width), rng.uniform(shore, width)
        dot(draw, x, y, 2, near(rng, (205, 170, 100)))
    return scenery


def snow(rng: np.random.Generator, width: int, horizon: float) -> Image.Image:
    """White ground with firs; the flakes fall when the image is finished."""
    scenery = ramp(width, near(rng, (165, 185, 210)), near(rng, (215, 225, 238)), horizon)
    draw, ground = ImageDraw.Draw(scenery), int(horizon * width)
    for _ in range(4):
        x, height = rng.uniform(0, width), rng.uniform(0.2, 0.34) * width
        for tier in range(3):
            half, foot = height * (0.16 + 0.07 * tier), ground - height * 0.5 + tier * height * 0.25
            tip = (x, ground - height + tier * height * 0.22)
            draw.polygon([tip, (x - half, foot), (x + half, foot)], fill=near(rng, (45, 95, 80)))
    draw.rectangle([0, ground, width, width], fill=near(rng, (238, 243, 250), 6))
    return scenery


def table(rng: np.random.Generator, width: int, _horizon: float) -> Image.Image:
    """A wooden table top before a wall; its edge lies higher than other grounds."""
    scenery = ramp(width, near(rng, (120, 150, 140), 25), near(rng, (140, 160, 150), 25))
    draw, edge = ImageDraw.Draw(scenery), int(rng.uniform(0.42, 0.55) * width)
    red, green, blue = wood = near(rng, (165, 105, 55), 12)
    draw.polygon([(width * -0.1, width), (width * 0.08, edge), (width * 0.92, edge), (width * 1.1, width)], fill=wood)
    groove = (int(red * 0.7), int(green * 0.7), int(blue * 0.7))
    for board in range(6):
        far, close = width * (0.08 + 0.168 * board), width * (-0.1 + 0.24 * board)
        draw.line([(far, edge), (close, width)], fill=groove, width=3)
    return scenery


def night(rng: np.random.Generator, width: int, horizon: float) -> Image.Image:
    """Stars and a crescent moon over dark ground."""
    scenery = ramp(width, (8, 10, 35), near(rng, (35, 40, 85), 8), horizon)
    draw, ground = ImageDraw.Draw(scenery), int(horizon * width)
    for _ in range(40):
        dot(draw, rng.uniform(0, width), rng.uniform(0, ground), 1.5, (240, 240, 210))
    x, radius = rng.uniform(0.1, 0.9) * width, 0.09 * width
    dot(draw, x, width * 0.14, radius, (245, 240, 200))
    top = width * 0.12
    shade = [x - radius * 0.3, top - radius, x + radius * 1.4, top + radius * 0.8]
    draw.ellipse(shade, fill=(10, 12, 38))
    draw.rectangle([0, ground, width, width], fill=near(rng, (22, 26, 44), 6))
    return scenery


DRAW_SCENERY: Mapping[str, DrawScenery] = {
    "room": room,
    "garden": garden,
    "beach": beach,
    "snow": snow,
    "table": table,
    "night": night,
}


def draw_background(kind: str, rng: np.random.Generator, width: int) -> Image.Image:
    """Draw one of the seven backgrounds, an RGB square."""
    if kind == "studio":
        return studio(rng, width)
    return DRAW_SCENERY[kind](rng, width, rng.uniform(0.5, 0.68))
