"""What a scene can add to an object: a mug or a shirt that it is printed on, a hat, a balloon."""

from collections.abc import Sequence

import numpy as np
from PIL import Image, ImageDraw

from evaluator.importers.mini.designs import COLOURS, RGB, pick
from evaluator.importers.mini.pen import DARK, LAYER_PX, Point
from evaluator.importers.mini.placement import Spot

BALLOON_COLOURS = ("red", "blue", "green", "yellow", "pink")
HAT_COLOURS = ("red", "blue", "green", "purple", "orange")
SHIRT_OUTLINE: tuple[Point, ...] = (
    *((0.3, 0.06), (0.4, 0.12), (0.6, 0.12), (0.7, 0.06), (0.98, 0.26), (0.86, 0.42)),
    *((0.77, 0.36), (0.77, 0.96), (0.23, 0.96), (0.23, 0.36), (0.14, 0.42), (0.02, 0.26)),
)


class Carrier:
    """Something that an object is printed on: its colour, and its shift from the middle of the scene."""

    def __init__(self, scene: Image.Image, rng: np.random.Generator) -> None:
        self._draw, self._width = ImageDraw.Draw(scene), scene.width
        self._colour = _carrier_colour(rng)
        self.x, self.y = rng.uniform(-0.04, 0.04), rng.uniform(-0.03, 0.03)

    def mug(self) -> Point:
        """Draw a mug; returns the middle of its front."""
        red, green, blue = self._colour
        inside = (int(red * 0.7), int(green * 0.7), int(blue * 0.7))
        self._draw.ellipse(self._points((0.7, 0.3), (0.96, 0.7)), outline=DARK, width=4)
        self._draw.ellipse(self._points((0.72, 0.33), (0.93, 0.67)), outline=self._colour, width=14)
        self._outlined(self._points((0.12, 0.14), (0.8, 0.14), (0.76, 0.9), (0.16, 0.9)))
        self._draw.ellipse(self._points((0.12, 0.08), (0.8, 0.2)), fill=inside, outline=DARK, width=4)
        return 0.46 + self.x, 0.56 + self.y

    def shirt(self) -> Point:
        """Draw a T-shirt; returns the middle of its chest."""
        self._outlined(self._points(*SHIRT_OUTLINE))
        return 0.5 + self.x, 0.54 + self.y

    def _points(self, *points: Point) -> list[Point]:
        return [((x + self.x) * self._width, (y + self.y) * self._width) for x, y in points]

    def _outlined(self, points: Sequence[Point]) -> None:
        self._draw.polygon(points, fill=self._colour, outline=DARK, width=4)


def _carrier_colour(rng: np.random.Generator) -> RGB:
    """A light colour, or nearly white three times in ten."""
    if rng.random() < 0.7:
        red, green, blue = (int(channel) for channel in rng.integers(175, 250, 3))
        return red, green, blue
    return (250, 250, 250)


def draw_balloon(scene: Image.Image, rng: np.random.Generator, spot: Spot) -> None:
    """A balloon on a string, on the side of the object that has more room; drawn before the object."""
    width, side, radius = scene.width, 1 if spot.x < 0.5 else -1, 0.11
    x, y = spot.x + side * 0.34, rng.uniform(0.14, 0.2)
    colour, draw = COLOURS[pick(rng, BALLOON_COLOURS)], ImageDraw.Draw(scene)
    string = [(x * width, (y + radius) * width), ((spot.x + side * 0.1) * width, spot.y * width)]
    draw.line(string, fill=DARK, width=3)
    left, right = (x - radius) * width, (x + radius) * width
    draw.ellipse([left, (y - radius) * width, right, (y + radius * 1.2) * width], fill=colour, outline=DARK, width=3)


def draw_hat(scene: Image.Image, rng: np.random.Generator, spot: Spot, layer: Image.Image) -> None:
    """A cone hat with a bobble on the object's highest part; drawn after the object."""
    colour, draw, width = COLOURS[pick(rng, HAT_COLOURS)], ImageDraw.Draw(scene), scene.width
    x, y = _crown(spot, layer)
    draw.polygon(
        [((x - 0.12) * width, y * width), (x * width, (y - 0.27) * width), ((x + 0.12) * width, y * width)],
        fill=colour,
        outline=DARK,
        width=3,
    )
    bobble = [(x - 0.035) * width, (y - 0.31) * width, (x + 0.035) * width, (y - 0.24) * width]
    draw.ellipse(bobble, fill=(255, 255, 255), outline=DARK, width=2)


def _crown(spot: Spot, layer: Image.Image) -> Point:
    """Where a hat sits: just below the top of the object, in the middle of its highest 14 rows."""
    rows, columns = np.nonzero(np.asarray(layer)[..., 3] > 0)
    top = int(rows.min())
    middle = float(columns[rows < top + 14].mean())
    x = spot.x + (middle / LAYER_PX - 0.5) * 2 * spot.half
    return x, spot.y + (top / LAYER_PX - 0.5) * 2 * spot.half + 0.05
